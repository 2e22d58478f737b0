import { useMemo } from "preact/hooks";
import type { Annotation, Dashboard, Days, Row } from "../api/types";
import { Button } from "../components/button";
import { Change } from "../components/change";
import { Graph, type Point } from "../components/graph";
import { Icon } from "../components/icon";
import { Menu } from "../components/menu";
import { Failed, Loading } from "../components/state";
import { named, type Bucket } from "../period";
import { t } from "../texts";
import type { View } from "../view";
import type { Panel } from "./answers";
import { FirstVisit } from "./first";
import { downIsGood, inPoints, stepsOf, write, writeTick } from "./metric";
import { NumberRow } from "./numbers";
import { daysOfBucket, pointsOf } from "./points";

interface Props {
  website: Dashboard;
  view: View;
  today: string;
  bucket: Bucket;
  buckets: Bucket[]; // that can be chosen
  asked: Panel;
  rows: Row[]; // one for each bucket
  notes: Annotation[];
  editable: boolean;
  set: (change: Partial<View>, replace?: boolean) => void;
  onNotes: () => void;
}

/** Overview is the numbers of the period, and the chosen one of them over time. */
export function Overview(props: Props) {
  const { website, view, asked, rows, editable, set } = props;
  const title = t.graph.title(t.metrics[view.metric].name);
  const nothing = asked.found && !asked.stale && !asked.found.totals.pageviews && view.filters.length === 0;
  return (
    <section class="panel overview" aria-label={title}>
      <NumberRow totals={asked.found?.totals} chosen={view.metric} stale={asked.stale} onChoose={(metric) => set({ metric }, true)} />
      <div class="graph-place">
        {asked.error ? (
          <Failed error={asked.error} onRetry={asked.retry} />
        ) : nothing ? (
          <FirstVisit website={website} editable={editable} onFirst={asked.retry} />
        ) : rows.length > 0 ? (
          <OverTime {...props} title={title} />
        ) : (
          <Loading />
        )}
        <Tools {...props} />
      </div>
    </section>
  );
}

function OverTime({ view, today, bucket, asked, rows, notes, set, title }: Props & { title: string }) {
  const { metric } = view;
  const compared = !!asked.found?.totals.previous?.visits; // a comparison with nothing is no line
  const points = useMemo(() => pointsOf(compared ? rows : withoutPrevious(rows), metric, bucket, notes), [asked.found, metric, bucket, notes]);
  const pick = (i: number) => set({ period: named(until(today, daysOfBucket(rows[i]!.value!, bucket)), today), bucket: undefined });
  return (
    <Graph
      label={title} points={points} open={isOngoing(rows, bucket, today)} stale={asked.stale} steps={stepsOf(metric)}
      write={(n) => write({ [metric]: n }, metric)} writeTick={(n) => writeTick(n, metric)}
      change={(p) => <Change change={changeOf(p, inPoints(metric))} downIsGood={downIsGood(metric)} inPoints={inPoints(metric)} />}
      onPick={bucket === "hour" ? undefined : pick}
    />
  );
}

const withoutPrevious = (rows: Row[]): Row[] => rows.map(({ previous: _, ...r }) => r);

const until = (today: string, days: Days): Days => ({ from: days.from, to: days.to > today ? today : days.to });

/** Whether the last bucket that has begun is not over yet. */
function isOngoing(rows: Row[], bucket: Bucket, today: string): boolean {
  const last = rows.findLast((r) => r.visitors !== undefined)?.value;
  return last !== undefined && daysOfBucket(last, bucket).to >= today;
}

function changeOf({ value, previous }: Point, asPoints: boolean): number | undefined {
  if (value === undefined || !previous) return undefined;
  return asPoints ? value - previous : (100 * (value - previous)) / previous;
}

function Tools({ bucket, buckets, editable, set, onNotes }: Props) {
  return (
    <div class="graph-tools">
      {editable && (
        <Button kind="quiet" class="small" onClick={onNotes}>
          <Icon name="note" /> {t.graph.notes}
        </Button>
      )}
      {buckets.length > 1 && (
        <Menu
          label={`${t.graph.by}: ${t.graph[bucket]}`} kind="quiet small" align="end"
          items={buckets.map((b) => ({ text: t.graph[b], chosen: b === bucket, onSelect: () => set({ bucket: b }, true) }))}
        >
          {t.graph[bucket]} <Icon name="down" />
        </Menu>
      )}
    </div>
  );
}
