import { percent, points } from "../format";
import { t } from "../texts";

interface Props {
  change: number | null | undefined; // in percent, or in points; null: there was nothing before
  downIsGood?: boolean;
  inPoints?: boolean; // it is a difference of percentages
  was?: string | undefined;
}

/** Change tells how a number differs from what it was. */
export function Change({ change, downIsGood, inPoints, was }: Props) {
  if (change === undefined) return <span class="change" />;
  const title = was === undefined ? undefined : t.compare.was(was);
  if (change === null) return <span class="change" title={title}>{t.compare.fresh}</span>;
  const amount = inPoints ? points(Math.abs(change)) : Math.abs(change) >= 1000 ? percent(Math.sign(change) * 999) + "+" : percent(Math.abs(change));
  const flat = Math.abs(change) < 0.05;
  const tone = flat ? "flat" : change > 0 === !downIsGood ? "good" : "bad";
  const words = flat ? t.compare.same : change > 0 ? t.compare.up(amount) : t.compare.down(amount);
  return (
    <span class={`change ${tone}`} title={title}>
      <span aria-hidden="true">{flat ? amount : `${change > 0 ? "↑" : "↓"} ${amount}`}</span>
      <span class="unseen">{words}</span>
    </span>
  );
}
