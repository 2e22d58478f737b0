import { useEffect, useRef, useState } from "preact/hooks";

interface World {
  width: number;
  height: number;
  shapes: { code: string; d: string }[];
  dots: { code: string; at: number[] }[];
}

export interface Place {
  text: string; // what the tooltip says
  part: number; // 0 to 1 of the greatest
  onClick?: (() => void) | undefined;
}

let loaded: World | undefined; // stays for the next time

/** WorldMap draws countries by how much they have. The map itself comes when it is first looked at. */
export function WorldMap({ label, places }: { label: string; places: Map<string, Place> }) {
  const [world, set] = useState(loaded);
  const [at, setAt] = useState<{ code: string; x: number; y: number }>();
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    let here = true;
    if (!world) void import("../generated/world.json").then((m) => here && set((loaded = m.default as World)));
    return () => void (here = false);
  }, []);

  const over = (e: PointerEvent) => {
    const code = (e.target as Element).getAttribute("data-code");
    const r = box.current!.getBoundingClientRect();
    setAt(code && places.has(code) ? { code, x: e.clientX - r.left, y: e.clientY - r.top } : undefined);
  };
  const click = (e: MouseEvent) => places.get((e.target as Element).getAttribute("data-code") ?? "")?.onClick?.();
  const tone = (code: string) => {
    const part = places.get(code)?.part;
    return part === undefined ? "land" : `land tone${1 + Math.min(5, Math.floor(Math.sqrt(part) * 6))}`;
  };
  return (
    <div class="map" ref={box} onPointerMove={over} onPointerLeave={() => setAt(undefined)} onClick={click}>
      {world && (
        <svg viewBox={`0 0 ${world.width} ${world.height}`} role="img" aria-label={label}>
          {world.shapes.map((s, i) => <path key={s.code || i} class={tone(s.code)} d={s.d} data-code={s.code} />)}
          {world.dots.filter((d) => places.has(d.code)).map((d) => (
            <circle key={d.code} class={tone(d.code)} cx={d.at[0]} cy={d.at[1]} r={6} data-code={d.code} />
          ))}
        </svg>
      )}
      {at && (
        <div class="tip map-tip" style={{ "--x": `${at.x}px`, "--y": `${at.y}px` }}>
          {places.get(at.code)!.text}
        </div>
      )}
    </div>
  );
}
