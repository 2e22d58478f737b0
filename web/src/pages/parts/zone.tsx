import { useMemo } from "preact/hooks";
import { Field } from "../../components/field";
import { clock } from "../../format";
import { t } from "../../texts";

interface Props {
  name?: string;
  label?: string;
  hint?: string;
  value: string;
  onValue: (zone: string) => void;
  error?: string | undefined;
}

/** ownZone is the time zone of this browser. */
export const ownZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone || "UTC";

/** ZoneField chooses a time zone, by continent. What time it is there tells whether it is the right one. */
export function ZoneField({ name = "timezone", label = t.forms.zone, hint, value, onValue, error }: Props) {
  const groups = useMemo(() => zones(value), []);
  const time = clock(value);
  const help = [hint, time && t.forms.zoneNow(time)].filter(Boolean).join(" ");
  return (
    <Field label={label} hint={help} error={error}>
      {({ id, describedBy }) => (
        <select id={id} name={name} value={value} aria-describedby={describedBy} aria-invalid={!!error} onChange={(e) => onValue(e.currentTarget.value)}>
          {groups.map(([region, list]) => (
            <optgroup key={region} label={region}>
              {list.map((z) => (
                <option key={z} value={z} selected={z === value}>
                  {z.replaceAll("_", " ").split("/").reverse().join(", ")}
                </option>
              ))}
            </optgroup>
          ))}
        </select>
      )}
    </Field>
  );
}

// The browser's zones by continent, UTC first, and the present one if the browser does not know it.
function zones(present: string): [string, string[]][] {
  const all = new Set(["UTC", ...Intl.supportedValuesOf("timeZone"), present, ownZone()]);
  const groups = new Map<string, string[]>([["UTC", []]]);
  for (const zone of [...all].sort()) {
    const region = zone === "UTC" ? "UTC" : zone.includes("/") ? zone.split("/")[0]! : t.forms.zoneElse;
    groups.set(region, [...(groups.get(region) ?? []), zone]);
  }
  return [...groups];
}
