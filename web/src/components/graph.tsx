import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { onTheme } from "../theme";

export interface Point {
  label: string; // in full, for the tooltip
  tick: string; // in short, for the axis
  value: number | undefined; // undefined: it has not begun
  previous?: number | undefined;
  previousLabel?: string | undefined;
  notes?: string[];
}

interface Props {
  label: string;
  points: Point[];
  open: boolean; // the last point with a value is still going on
  write: (n: number) => string;
  writeTick: (n: number) => string;
  steps: number[]; // what the marks of the axis may be apart
  change?: (p: Point) => preact.ComponentChildren;
  onPick?: ((index: number) => void) | undefined;
  stale?: boolean;
}

/** Graph draws a number over time, what it was before, and notes. It knows nothing of where they come from. */
export function Graph({ label, points, open, write, writeTick, steps, change, onPick, stale }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot>(undefined);
  const [at, setAt] = useState<{ index: number; x: number; width: number }>();
  const [colours, setColours] = useState(0);
  const data = useMemo(() => series(points, open), [points, open]);
  const latest = useRef({ points, writeTick, steps, onPick });
  latest.current = { points, writeTick, steps, onPick };

  useEffect(() => onTheme(() => setColours((n) => n + 1)), []);

  // The plot is made anew when colours change; otherwise it gets new data, so that nothing flickers.
  useLayoutEffect(() => {
    const el = box.current!;
    const u = new uPlot(options(el, latest, setAt), data, el);
    plot.current = u;
    const resized = new ResizeObserver(() => {
      if (el.clientWidth > 0) u.setSize({ width: el.clientWidth, height: el.clientHeight });
    });
    resized.observe(el);
    const picked = (e: MouseEvent) => {
      const touched = "pointerType" in e && e.pointerType === "touch"; // a finger only points: it has no other way to
      if (!touched && u.over.contains(e.target as Node)) latest.current.onPick?.(u.posToIdx(e.clientX - u.over.getBoundingClientRect().left));
    };
    el.addEventListener("click", picked, true); // before uPlot, which keeps clicks to itself
    return () => {
      el.removeEventListener("click", picked, true);
      resized.disconnect();
      u.destroy();
    };
  }, [colours]);
  useLayoutEffect(() => plot.current?.setData(data), [data]);

  const point = at && points[at.index];
  return (
    <div class={`graph ${stale ? "stale" : ""} ${onPick ? "can-pick" : ""}`}>
      <div class="graph-box" ref={box} role="img" aria-label={label} />
      {point && (
        <div class={`tip ${at.x > at.width / 2 ? "before" : "after"}`} style={{ "--x": `${at.x.toFixed(1)}px` }}>
          <div class="tip-label">{point.label}</div>
          <div class="tip-row now">
            <i /> <b>{point.value === undefined ? "–" : write(point.value)}</b> {change?.(point)}
          </div>
          {point.previous !== undefined && (
            <div class="tip-row then">
              <i /> <span>{write(point.previous)}</span> <span class="muted">{point.previousLabel}</span>
            </div>
          )}
          {point.notes?.map((n) => <div class="tip-note" key={n}>{n}</div>)}
        </div>
      )}
      <table class="unseen">
        <caption>{label}</caption>
        <tbody>
          {points.slice(-100).map((p) => (
            <tr key={p.label}>
              <th scope="row">{p.label}</th>
              <td>{p.value === undefined ? "–" : write(p.value)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

// What is over is drawn with one line, what is going on with another.
function series(points: Point[], open: boolean): uPlot.AlignedData {
  const values = points.map((p) => p.value ?? null);
  const last = values.findLastIndex((v) => v !== null);
  const cut = open && last > 0;
  return [
    points.map((_, i) => i),
    points.map((p) => p.previous ?? null),
    values.map((v, i) => (cut && i >= last ? null : v)),
    values.map((v, i) => (cut && (i === last || i === last - 1) ? v : null)),
  ] as uPlot.AlignedData;
}

type Latest = { current: Pick<Props, "points" | "writeTick" | "steps"> };

function options(el: HTMLElement, latest: Latest, setAt: (at: { index: number; x: number; width: number } | undefined) => void): uPlot.Options {
  const c = coloursOf(el);
  const font = `12px ${getComputedStyle(el).fontFamily}`;
  const area = (u: uPlot) => {
    const g = u.ctx.createLinearGradient(0, u.bbox.top, 0, u.bbox.top + u.bbox.height);
    g.addColorStop(0, c.fill);
    g.addColorStop(1, c.fillEnd);
    return g;
  };
  const points = { show: (_: uPlot, __: number, i0: number, i1: number) => i1 - i0 < 2, size: 7, fill: c.line };
  return {
    width: el.clientWidth || 600,
    height: el.clientHeight || 240,
    padding: [12, 14, 0, 0],
    legend: { show: false },
    cursor: {
      y: false,
      move: (u, left, top) => [left < 0 ? left : u.valToPos(u.posToIdx(left), "x"), top], // from point to point
      drag: { x: false, y: false },
      points: { size: 9, width: 2, stroke: c.surface, fill: (_, i) => (i === 1 ? c.compared : c.line) },
    },
    scales: {
      x: { time: false, range: (_, min, max) => (min === max ? [min - 0.5, max + 0.5] : [min, max]) },
      y: { range: (_, __, max) => [0, max > 0 ? max * 1.06 : 1] },
    },
    axes: [
      {
        stroke: c.muted, font, size: 30, gap: 8, grid: { show: false }, ticks: { show: false },
        splits: (u) => ticksOf(latest.current.points.length, u.width),
        values: (_, splits) => splits.map((i) => latest.current.points[i]?.tick ?? ""),
      },
      {
        stroke: c.muted, font, size: 46, gap: 8, grid: { stroke: c.grid, width: 1 }, ticks: { show: false }, space: 40, incrs: () => latest.current.steps,
        values: (_, splits) => splits.map((n) => latest.current.writeTick(n)),
      },
    ],
    series: [
      {},
      { stroke: c.compared, width: 1.5, dash: [3, 4], points: { show: false } },
      { stroke: c.line, width: 2, fill: area, points },
      { stroke: c.line, width: 2, dash: [5, 5], points: { show: false }, fill: area },
    ],
    hooks: {
      setCursor: [
        (u) => {
          const i = u.cursor.idx;
          const over = i !== null && i !== undefined && (u.cursor.left ?? -1) >= 0;
          setAt(over ? { index: i, x: u.valToPos(i, "x") + u.bbox.left / devicePixelRatio, width: u.width } : undefined);
        },
      ],
      draw: [(u) => drawNotes(u, latest.current.points, c.note)],
    },
  };
}

function drawNotes(u: uPlot, points: Point[], colour: string): void {
  const { ctx, bbox } = u;
  ctx.save();
  points.forEach((p, i) => {
    if (!p.notes?.length) return;
    const x = Math.round(u.valToPos(i, "x", true)) + 0.5;
    const r = 4 * devicePixelRatio;
    ctx.strokeStyle = ctx.fillStyle = colour;
    ctx.lineWidth = devicePixelRatio;
    ctx.setLineDash([2 * devicePixelRatio, 3 * devicePixelRatio]);
    ctx.beginPath();
    ctx.moveTo(x, bbox.top + r * 2);
    ctx.lineTo(x, bbox.top + bbox.height);
    ctx.stroke();
    ctx.setLineDash([]);
    ctx.beginPath();
    ctx.arc(x, bbox.top + r, r, 0, 2 * Math.PI);
    ctx.fill();
  });
  ctx.restore();
}

/** Which points have a label, so that the labels have room and the same distance from each other. */
export function ticksOf(n: number, width: number): number[] {
  const every = Math.max(1, Math.ceil(n / Math.max(2, Math.floor(width / 88))));
  const all: number[] = [];
  for (let i = Math.floor(((n - 1) % every) / 2); i < n; i += every) all.push(i);
  return all;
}

// A canvas knows no custom properties: elements of these classes tell what colours they are.
function coloursOf(el: HTMLElement) {
  const read = (name: string) => {
    const probe = document.createElement("i");
    probe.className = "colour-" + name;
    el.append(probe);
    const { color } = getComputedStyle(probe);
    probe.remove();
    return color;
  };
  const names = ["line", "fill", "fillEnd", "compared", "muted", "grid", "note", "surface"] as const;
  return Object.fromEntries(names.map((n) => [n, read(n)])) as Record<(typeof names)[number], string>;
}
