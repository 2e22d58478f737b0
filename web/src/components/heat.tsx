import { useState } from "preact/hooks";

interface Props {
  label: string;
  rows: { name: string; cells: { value: number; text: string }[] }[];
  columns: string[];
  idle: string; // what stands below as long as nothing is pointed at
}

/** Heat is a table whose cells are the darker, the more they hold. */
export function Heat({ label, rows, columns, idle }: Props) {
  const [said, say] = useState<string>();
  const most = Math.max(1e-9, ...rows.flatMap((r) => r.cells.map((c) => c.value)));
  const over = (e: Event) => say((e.target as HTMLElement).dataset.text);
  return (
    <div class={`heat ${rows.length === 1 ? "one" : ""}`}>
      <table aria-label={label} onPointerOver={over} onPointerLeave={() => say(undefined)}>
        <thead>
          <tr>
            <td />
            {columns.map((c, i) => <th scope="col" key={c}>{i % 3 === 0 ? c : <span class="unseen">{c}</span>}</th>)}
          </tr>
        </thead>
        <tbody>
          {rows.map((r) => (
            <tr key={r.name}>
              <th scope="row">{r.name}</th>
              {r.cells.map((c, i) => (
                <td key={i} data-text={c.text} style={{ "--heat": `${Math.round((100 * c.value) / most)}%` }}>
                  <span class="unseen">{c.text}</span>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <p class="heat-said" aria-hidden="true">{said ?? idle}</p>
    </div>
  );
}
