import { useState } from "preact/hooks";
import { post } from "../api/client";
import type { Answer, Filter, Metric, Question, Row } from "../api/types";
import { asApiError, useAsk } from "../api/use";
import { Dialog } from "../components/dialog";
import { Icon } from "../components/icon";
import { Menu } from "../components/menu";
import { Empty, explain, Failed, Loading } from "../components/state";
import { toast } from "../components/toast";
import { count, nameOf, percent, share } from "../format";
import { t } from "../texts";
import type { List } from "../view";
import type { Base } from "./answers";
import { asCSV, asJSON, fileName, maxExported } from "./export";
import { pause } from "./filters";
import { numberOf, write } from "./metric";
import { breakdownOf, dimensionName, isChosen } from "./panels";

interface Props {
  domain: string;
  base: Base;
  list: List;
  filters: Filter[];
  onChange: (l: List) => void;
  onPick: (dimension: string, value: string) => void;
  onClose: () => void;
}

const perPage = 50;

/** ListDialog is all rows of a breakdown: searched, ordered, by pages, and as a file. */
export function ListDialog({ domain, base, list, filters, onChange, onPick, onClose }: Props) {
  const { columns, count: counted } = breakdownOf(list.dimension);
  const order = list.order || counted;
  const question: Question = {
    dimension: list.dimension, metrics: columns, limit: perPage, page: list.page, order: { by: order, dir: list.up ? "asc" : "desc" },
    ...(list.search && { search: list.search }),
  };
  const asked = useAsk(JSON.stringify([base, question]), async (signal) => {
    await pause(asked.data ? 120 : 0, signal);
    return post<Answer>("/query", { ...base, questions: [question] }, { signal });
  });
  const table = asked.data?.answers[0];
  const most = Math.max(1, ...(table?.rows.map((r) => numberOf(r, counted) ?? 0) ?? []));
  const sort = (by: string) => onChange({ ...list, order: by, up: by === order ? !list.up : by === "value", page: 1 });
  return (
    <Dialog title={dimensionName(list.dimension)} onClose={onClose} wide head={<ExportMenu domain={domain} base={base} question={question} total={table?.total ?? 0} />}>
      <div class="list-tools">
        <SearchField value={list.search} label={t.list.searchIn(dimensionName(list.dimension))} onValue={(search) => onChange({ ...list, search, page: 1 })} />
        <Pages page={list.page} total={table?.total ?? 0} onPage={(page) => onChange({ ...list, page })} />
      </div>
      <div class="list-body">
        {asked.error ? (
          <Failed error={asked.error} onRetry={asked.retry} />
        ) : !asked.data || !table ? (
          <Loading />
        ) : table.rows.length === 0 ? (
          <Empty>{list.search ? t.list.none : t.panels.empty}</Empty>
        ) : (
          <table class={`list ${asked.loading ? "stale" : "settled"}`}>
            <thead>
              <tr>
                <Head text={dimensionName(list.dimension)} by="value" order={order} up={list.up} onSort={sort} />
                {columns.map((m) => <Head key={m} text={t.metrics[m].name} help={t.metrics[m].help} by={m} order={order} up={list.up} onSort={sort} />)}
                <th scope="col" class="number" aria-label={t.panels.shareOfAll}>%</th>
              </tr>
            </thead>
            <tbody>
              {table.rows.map((r) => (
                <ListRow
                  key={r.value} row={r} dimension={list.dimension} columns={columns} counted={counted} totals={asked.data!.totals} most={most}
                  chosen={isChosen(filters, list.dimension, r.value ?? "")}
                  onPick={() => onPick(list.dimension, r.value ?? "")}
                />
              ))}
            </tbody>
          </table>
        )}
      </div>
    </Dialog>
  );
}

interface RowProps {
  row: Row;
  dimension: string;
  columns: Metric[];
  counted: Metric;
  totals: Row;
  most: number; // of what is counted, in a row that is shown
  chosen: boolean | undefined; // undefined if it is nothing to filter by
  onPick: () => void;
}

function ListRow({ row, dimension, columns, counted, totals, most, chosen, onPick }: RowProps) {
  const n = numberOf(row, counted) ?? 0;
  const part = share(n, numberOf(totals, counted) ?? 0);
  const text = nameOf(dimension, row.value ?? "", row.code);
  return (
    <tr class={chosen ? "chosen" : undefined}>
      <th scope="row">
        <span class="bar" style={{ "--part": (n / most).toFixed(4) }} aria-hidden="true" />
        <button type="button" class="value" title={text} aria-pressed={chosen} onClick={onPick}>{text}</button>
      </th>
      {columns.map((m) => <td key={m} class="number" title={row.previous && t.compare.was(write(row.previous, m))}>{write(row, m)}</td>)}
      <td class="number muted">{percent(part)}</td>
    </tr>
  );
}

function Head({ text, help, by, order, up, onSort }: { text: string; help?: string; by: string; order: string; up: boolean; onSort: (by: string) => void }) {
  const on = by === order;
  return (
    <th scope="col" class={by === "value" ? "" : "number"} aria-sort={on ? (up ? "ascending" : "descending") : undefined}>
      <button type="button" title={help ?? t.list.sort(text)} onClick={() => onSort(by)}>
        {text} <span class={`sort ${on ? "on" : ""}`} aria-hidden="true">{on && up ? "↑" : "↓"}</span>
      </button>
    </th>
  );
}

function SearchField({ value, label, onValue }: { value: string; label: string; onValue: (v: string) => void }) {
  const [typed, type] = useState(value);
  return (
    <label class="search">
      <Icon name="search" />
      <span class="unseen">{label}</span>
      <input
        type="search" autofocus value={typed} placeholder={t.list.search} spellcheck={false} autocomplete="off"
        onInput={(e) => (type(e.currentTarget.value), onValue(e.currentTarget.value.trim()))}
      />
    </label>
  );
}

function Pages({ page, total, onPage }: { page: number; total: number; onPage: (p: number) => void }) {
  const last = Math.max(1, Math.ceil(total / perPage));
  const from = (page - 1) * perPage + 1;
  return (
    <div class="pages">
      <span class="muted small" aria-live="polite">{total > 0 && from <= total && t.list.rows(count(from), count(Math.min(total, page * perPage)), count(total))}</span>
      <button type="button" class="button quiet square" aria-label={t.list.earlier} disabled={page <= 1} onClick={() => onPage(page - 1)}>
        <Icon name="left" />
      </button>
      <button type="button" class="button quiet square" aria-label={t.list.later} disabled={page >= last} onClick={() => onPage(page + 1)}>
        <Icon name="right" />
      </button>
    </div>
  );
}

function ExportMenu({ domain, base, question, total }: { domain: string; base: Base; question: Question; total: number }) {
  const make = async (kind: "csv" | "json") => {
    try {
      save(kind === "csv" ? await asCSV(base, question, total) : await asJSON(domain, base, question, total), fileName(domain, question.dimension!, kind));
      if (total > maxExported) toast(t.list.cut(count(maxExported)));
    } catch (e) {
      toast(explain(asApiError(e)), "wrong");
    }
  };
  return (
    <Menu label={t.list.export} kind="quiet" align="end" items={[{ text: t.list.csv, onSelect: () => void make("csv") }, { text: t.list.json, onSelect: () => void make("json") }]}>
      <Icon name="download" /> {t.list.export}
    </Menu>
  );
}

function save(content: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
