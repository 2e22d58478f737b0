interface Props {
  label: string;
  tabs: { id: string; text: string }[];
  chosen: string;
  onChoose: (id: string) => void;
  controls?: string; // the id of what they change
}

/** Tabs choose what a panel shows. Arrows lead from one to the next. */
export function Tabs({ label, tabs, chosen, onChoose, controls }: Props) {
  const onKeyDown = (e: KeyboardEvent) => {
    const at = tabs.findIndex((tab) => tab.id === chosen);
    const step = { ArrowRight: 1, ArrowLeft: -1 }[e.key];
    if (!step) return;
    e.preventDefault();
    e.stopPropagation();
    const next = tabs[(at + step + tabs.length) % tabs.length]!;
    onChoose(next.id);
    (e.currentTarget as HTMLElement).querySelector<HTMLElement>(`[data-tab="${next.id}"]`)?.focus();
  };
  return (
    <div class="tabs" role="tablist" aria-label={label} onKeyDown={onKeyDown}>
      {tabs.map((tab) => (
        <button
          key={tab.id} type="button" role="tab" class="tab" data-tab={tab.id} aria-selected={tab.id === chosen}
          aria-controls={controls} tabIndex={tab.id === chosen ? 0 : -1} onClick={() => onChoose(tab.id)}
        >
          {tab.text}
        </button>
      ))}
    </div>
  );
}
