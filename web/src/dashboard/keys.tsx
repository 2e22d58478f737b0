import { useEffect, useRef } from "preact/hooks";
import { Dialog } from "../components/dialog";
import { periodNames } from "../period";
import { t } from "../texts";
import { periodKeys } from "./period";

/** useKeys calls what a key stands for, unless somebody types or a dialog is open. */
export function useKeys(actions: Record<string, () => void>): void {
  const latest = useRef(actions);
  latest.current = actions;
  useEffect(() => {
    const pressed = (e: KeyboardEvent) => {
      if (e.ctrlKey || e.metaKey || e.altKey || e.defaultPrevented || e.isComposing) return;
      if (document.querySelector("dialog[open], .menu-list") || (e.target as Element).closest?.("input, textarea, select")) return;
      const action = latest.current[e.key.length === 1 ? e.key.toLowerCase() : e.key];
      if (!action) return;
      e.preventDefault();
      action();
    };
    addEventListener("keydown", pressed);
    return () => removeEventListener("keydown", pressed);
  }, []);
}

export function KeysDialog({ onClose }: { onClose: () => void }) {
  const view: [string, string][] = [
    ["← →", t.keys.step], ["X", t.keys.compare], ["F", t.keys.filter], ["/", t.keys.search], ["Esc", t.keys.clear], ["?", t.keys.help],
  ];
  const periods: [string, string][] = [...periodNames, "custom" as const].map((p) => [periodKeys[p], t.periods[p]]);
  return (
    <Dialog title={t.keys.title} onClose={onClose}>
      <div class="dialog-body two keys">
        <Keys title={t.keys.periods} keys={periods} />
        <Keys title={t.keys.view} keys={view} />
      </div>
    </Dialog>
  );
}

function Keys({ title, keys }: { title: string; keys: [string, string][] }) {
  return (
    <section>
      <h3>{title}</h3>
      <dl>
        {keys.map(([key, text]) => (
          <div key={key}>
            <dt><kbd>{key}</kbd></dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
