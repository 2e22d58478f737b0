import type { ComponentChildren } from "preact";
import { t } from "../texts";

export interface Bar {
  key: string;
  text: string;
  count: string;
  share: string;
  part: number; // the length of the bar, 0 to 1
  title?: string;
  extra?: string; // one more number
  onClick?: (() => void) | undefined;
  chosen?: boolean | undefined; // whether a click takes back what it did
}

interface Props {
  label: string;
  columns: [ComponentChildren, ComponentChildren] | [ComponentChildren, ComponentChildren, ComponentChildren];
  rows: Bar[];
  hint?: string; // what a click does
}

/** Bars is the table of every breakdown: a value with a bar, its count, and its share. */
export function Bars({ label, columns, rows, hint }: Props) {
  const wide = rows.some((r) => r.extra !== undefined);
  return (
    <table class={`bars ${wide ? "with-extra" : ""}`} aria-label={label}>
      <thead>
        <tr>
          <th scope="col">{columns[0]}</th>
          {wide && <th scope="col">{columns[2]}</th>}
          <th scope="col">{columns[1]}</th>
          <th scope="col"><span aria-hidden="true">%</span><span class="unseen">{t.panels.shareOfAll}</span></th>
        </tr>
      </thead>
      <tbody>
        {rows.map((r) => (
          <tr key={r.key} class={r.chosen ? "chosen" : undefined}>
            <th scope="row">
              <span class="bar" style={{ "--part": `${(r.part * 100).toFixed(2)}%` }} aria-hidden="true" />
              {r.onClick ? (
                <button type="button" class="value" title={r.title ?? r.text} aria-pressed={r.chosen} aria-description={hint} onClick={r.onClick}>
                  {r.text}
                </button>
              ) : (
                <span class="value" title={r.title ?? r.text}>{r.text}</span>
              )}
            </th>
            {wide && <td class="extra">{r.extra}</td>}
            <td>{r.count}</td>
            <td class="share">{r.share}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
