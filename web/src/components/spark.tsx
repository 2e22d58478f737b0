/** Spark is a small graph without axes, as in a list. Points that are undefined have not happened yet. */
export function Spark({ points, label, width = 120, height = 32 }: { points: (number | undefined)[]; label: string; width?: number; height?: number }) {
  const known = points.filter((p): p is number => p !== undefined);
  const most = Math.max(1, ...known);
  const x = (i: number) => (points.length > 1 ? (i / (points.length - 1)) * (width - 2) + 1 : width / 2);
  const y = (v: number) => height - 2 - (v / most) * (height - 4);
  const line = known.map((v, i) => `${i ? "L" : "M"}${x(i).toFixed(1)} ${y(v).toFixed(1)}`).join("");
  return (
    <svg class={known.some((v) => v > 0) ? "spark" : "spark none"} viewBox={`0 0 ${width} ${height}`} width={width} height={height} role="img" aria-label={label}>
      {known.length > 1 && <path class="area" d={`${line}L${x(known.length - 1).toFixed(1)} ${height}L${x(0)} ${height}Z`} />}
      <path class="line" d={line} />
    </svg>
  );
}
