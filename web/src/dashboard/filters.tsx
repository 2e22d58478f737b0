import { useState } from "preact/hooks";
import { post } from "../api/client";
import type { Answer, Filter } from "../api/types";
import { useAsk } from "../api/use";
import { Button } from "../components/button";
import { Dialog } from "../components/dialog";
import { SelectField, TextField } from "../components/field";
import { Icon } from "../components/icon";
import { nameOf, count } from "../format";
import { t } from "../texts";
import { negated } from "../view";
import type { Base } from "./answers";
import { breakdownOf, dimensionName, filterDimensions } from "./panels";

/** Chips are the filters of the page. A click on how one compares turns it round. */
export function Chips({ filters, onChange }: { filters: Filter[]; onChange: (f: Filter[]) => void }) {
  return (
    <ul class="chips">
      {filters.map((f, i) => {
        const what = sentence(f);
        return (
          <li class={`chip ${f.op === "is_not" || f.op === "not_contains" ? "not" : ""}`} key={what}>
            <span class="chip-dimension">{dimensionName(f.dimension)}</span>
            <button type="button" class="chip-op" aria-label={t.filters.negate(what)} title={t.filters.negate(what)} onClick={() => onChange(negated(filters, i))}>
              {t.filters[f.op]}
            </button>
            <span class="chip-value">{values(f)}</span>
            <button type="button" class="chip-close" aria-label={t.filters.remove(what)} onClick={() => onChange(filters.filter((_, at) => at !== i))}>
              <Icon name="close" />
            </button>
          </li>
        );
      })}
      {filters.length > 1 && (
        <li>
          <Button kind="quiet" class="small" onClick={() => onChange([])}>{t.filters.clear}</Button>
        </li>
      )}
    </ul>
  );
}

const values = (f: Filter) => f.values.map((v) => nameOf(f.dimension, v)).join(` ${t.filters.or} `);
const sentence = (f: Filter) => `${dimensionName(f.dimension)} ${t.filters[f.op]} ${values(f)}`;

interface Props {
  base: Base;
  onAdd: (dimension: string, op: Filter["op"], value: string) => void;
  onClose: () => void;
}

/** FilterDialog adds a filter, and shows what there is to filter by. */
export function FilterDialog({ base, onAdd, onClose }: Props) {
  const [dimension, setDimension] = useState("page");
  const [op, setOp] = useState<Filter["op"]>("is");
  const [value, setValue] = useState("");
  const [prop, setProp] = useState("");
  const full = dimension === "prop:" ? "prop:" + prop : dimension;
  const askable = full !== "prop:";
  const metric = breakdownOf(full).count;
  const { compare: _, ...rest } = base;
  const question = { dimension: full, metrics: [metric], search: value.trim(), limit: 8 };
  const found = useAsk(askable ? JSON.stringify([rest, question]) : null, async (signal) => {
    await pause(150, signal);
    return (await post<Answer>("/query", { ...rest, questions: [question] }, { signal })).answers[0]!.rows;
  });
  const names = useAsk(dimension === "prop:" ? JSON.stringify(rest) : null, async (signal) =>
    (await post<Answer>("/query", { ...rest, questions: [{ dimension: "prop", metrics: ["events"], limit: 100 }] }, { signal })).answers[0]!.rows);
  const add = (v: string, how = op) => {
    onAdd(full, how, v);
    onClose();
  };
  return (
    <Dialog title={t.filters.title} onClose={onClose}>
      <form class="dialog-body form" onSubmit={(e) => (e.preventDefault(), value.trim() && askable && add(value.trim()))}>
        <div class="two">
          <SelectField
            label={t.filters.by} name="dimension" value={dimension} onValue={setDimension}
            options={[...filterDimensions.map((d) => ({ value: d, text: dimensionName(d) })), { value: "prop:", text: t.panels.tabs.property }]}
          />
          <SelectField
            label={t.filters.how} name="op" value={op} onValue={(v) => setOp(v as Filter["op"])}
            options={(["is", "is_not", "contains", "not_contains"] as const).map((o) => ({ value: o, text: t.filters[o] }))}
          />
        </div>
        {dimension === "prop:" && (
          <>
            <TextField label={t.panels.choose} name="prop" value={prop} onValue={setProp} hint={t.panels.chooseHint} list="prop-names" autocomplete="off" spellcheck={false} />
            <datalist id="prop-names">{names.data?.map((r) => <option key={r.value} value={r.value} />)}</datalist>
          </>
        )}
        <TextField label={t.filters.value} name="value" type="search" value={value} onValue={setValue} autofocus autocomplete="off" spellcheck={false} />
        <div class="suggestions">
          <p class="small muted">{found.data?.length === 0 ? t.filters.none : t.filters.suggestions}</p>
          <ul class={found.loading ? "stale" : ""}>
            {found.data?.map((r) => (
              <li key={r.value}>
                <button type="button" class="menu-item" onClick={() => add(r.value ?? "", op === "contains" ? "is" : op === "not_contains" ? "is_not" : op)}>
                  <span class="menu-text">{nameOf(full, r.value ?? "", r.code)}</span>
                  <span class="muted">{count(r[metric as "visitors"] ?? 0)}</span>
                </button>
              </li>
            ))}
          </ul>
        </div>
        <div class="form-foot">
          <Button onClick={onClose}>{t.shell.cancel}</Button>
          <Button kind="primary" type="submit" disabled={!value.trim() || !askable}>{t.filters.apply}</Button>
        </div>
      </form>
    </Dialog>
  );
}

/** pause waits until typing has paused; who types on gives the request up. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((done, gaveUp) => {
    const timer = setTimeout(done, ms);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      gaveUp(new DOMException("", "AbortError"));
    });
  });
}
