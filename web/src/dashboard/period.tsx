import { useState } from "preact/hooks";
import type { Days } from "../api/types";
import { Button } from "../components/button";
import { Dialog } from "../components/dialog";
import { TextField } from "../components/field";
import { Icon } from "../components/icon";
import { Menu, type MenuItem } from "../components/menu";
import * as f from "../format";
import { daysOf, named, periodNames, step, wholeMonths, type Period, type PeriodName } from "../period";
import { t } from "../texts";
import type { Compare } from "../view";

/** The keys that lead to periods. */
export const periodKeys: Record<PeriodName | "custom", string> = {
  today: "T", yesterday: "Y", "24h": "H", "7d": "W", "30d": "D", month: "M", "6mo": "S", "12mo": "L", all: "A", custom: "C",
};

export function periodText(p: Period): string {
  if (typeof p === "string") return t.periods[p];
  if (p.from === p.to) return f.longDay(p.from);
  const months = wholeMonths(p);
  if (months === 1) return f.month(p.from);
  if (months === 12 && p.from.endsWith("-01-01")) return p.from.slice(0, 4);
  return f.range(p.from, p.to);
}

interface Props {
  period: Period;
  today: string;
  onChange: (p: Period) => void;
  onCustom: () => void;
}

export function PeriodPicker({ period, today, onChange, onCustom }: Props) {
  const before = step(period, -1, today);
  const after = step(period, 1, today);
  const items: MenuItem[] = periodNames.map((p) => ({ text: t.periods[p], hint: periodKeys[p], chosen: p === period, onSelect: () => onChange(p) }));
  items.push({ text: t.periods.custom, hint: periodKeys.custom, chosen: typeof period !== "string", onSelect: onCustom });
  return (
    <div class="joined period">
      <Button class="square" aria-label={t.periods.earlier} disabled={!before} onClick={() => before && onChange(before)}>
        <Icon name="left" />
      </Button>
      <Menu label={`${t.periods.period}: ${periodText(period)}`} items={items} align="end" kind="plain period-name">
        <Icon name="calendar" /> {periodText(period)}
      </Menu>
      <Button class="square" aria-label={t.periods.later} disabled={!after} onClick={() => after && onChange(after)}>
        <Icon name="right" />
      </Button>
    </div>
  );
}

export const compares: Compare[] = ["previous", "year", "none"];

export function ComparePicker({ compare, onChange }: { compare: Compare; onChange: (c: Compare) => void }) {
  return (
    <Menu
      label={`${t.compare.short[compare]} – ${t.compare.title}`} kind="quiet compare" align="end"
      items={compares.map((c) => ({ text: t.compare[c], chosen: c === compare, onSelect: () => onChange(c), group: t.compare.title }))}
    >
      {t.compare.short[compare]} <Icon name="down" />
    </Menu>
  );
}

export function CustomDialog({ period, today, onChange, onClose }: { period: Period; today: string; onChange: (p: Period) => void; onClose: () => void }) {
  const [days, set] = useState<Days>(daysOf(period, today) ?? { from: "", to: today });
  const wrong = days.from !== "" && days.to !== "" && days.from > days.to;
  const done = (e: Event) => {
    e.preventDefault();
    if (wrong || !days.from || !days.to) return;
    onChange(named(days, today));
    onClose();
  };
  return (
    <Dialog title={t.periods.period} onClose={onClose}>
      <form class="dialog-body form" onSubmit={done}>
        <div class="two">
          <TextField label={t.periods.from} name="from" type="date" value={days.from} max={today} required autofocus onValue={(from) => set({ ...days, from })} />
          <TextField label={t.periods.to} name="to" type="date" value={days.to} max={today} required error={wrong ? t.periods.wrong : undefined} onValue={(to) => set({ ...days, to })} />
        </div>
        <div class="form-foot">
          <Button onClick={onClose}>{t.shell.cancel}</Button>
          <Button kind="primary" type="submit" disabled={wrong}>{t.periods.show}</Button>
        </div>
      </form>
    </Dialog>
  );
}
