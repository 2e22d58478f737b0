import { useState } from "preact/hooks";
import type { Live } from "../../api/types";
import { entityTag, get } from "../../api/client";
import { useAsk } from "../../api/use";
import { ButtonLink } from "../../components/button";
import { Snippet } from "../../components/copy";
import { CheckField } from "../../components/field";
import { Icon } from "../../components/icon";
import { plural } from "../../format";
import { t } from "../../texts";
import { integrityOf, scriptPath, switches, tagOf, type Switch } from "./tag";

/** TagView is the snippet of a website, with what it can do besides. */
export function TagView({ domain }: { domain: string }) {
  const [chosen, choose] = useState<Switch[]>([]);
  const [pinned, pin] = useState(false);
  const integrity = useIntegrity();
  const tag = tagOf(location.origin, domain, chosen, pinned ? integrity : "");
  const turn = (s: Switch, on: boolean) => choose(on ? [...chosen, s] : chosen.filter((c) => c !== s));
  return (
    <>
      <Snippet text={tag} label={t.snippet.label} />
      <details class="options">
        <summary>{t.snippet.options}</summary>
        <p class="muted small">{t.snippet.optionsAbout}</p>
        <div class="options-grid">
          {switches.map((s) => (
            <CheckField key={s} name={s} label={t.snippet[s]} hint={t.snippet[`${s}Hint`]} checked={chosen.includes(s)} onChecked={(on) => turn(s, on)} />
          ))}
          {integrity && <CheckField name="integrity" label={t.snippet.integrity} hint={t.snippet.integrityHint} checked={pinned} onChecked={pin} />}
        </div>
      </details>
    </>
  );
}

// The service tells the hash with the script. One that does not is no reason to show less.
function useIntegrity(): string {
  const asked = useAsk("integrity", async (signal) => integrityOf(await entityTag(scriptPath, signal)));
  return asked.data ?? "";
}

/** FirstHit waits until the first visitor is there. It notices by itself. */
export function FirstHit({ id, domain }: { id: number; domain: string }) {
  const [arrived, arrive] = useState(0);
  const live = useAsk(`live ${id}`, (signal) => get<Live>(`/websites/${id}/realtime`, { signal }), arrived ? 0 : 2);
  const visitors = Math.max(arrived, live.data?.visitors ?? 0);
  if (visitors > arrived && !arrived) arrive(visitors);
  return (
    <>
      <div class={`first-hit ${visitors ? "arrived" : ""}`} role="status">
        {visitors ? <span class="tick"><Icon name="check" /></span> : <i class="pulse" aria-hidden="true" />}
        <div>
          <p class="first-hit-title">{visitors ? t.snippet.arrived : t.snippet.waiting}</p>
          <p class="muted small">{visitors ? t.snippet.arrivedAbout(plural(visitors, t.snippet.now)) : t.snippet.waitingAbout}</p>
        </div>
        {visitors > 0 && <ButtonLink kind="primary" href={`/${domain}`}>{t.snippet.open}</ButtonLink>}
      </div>
      <p class="small later">{!visitors && <a href={`/${domain}`}>{t.setup.later}</a>}</p>
    </>
  );
}

/** NowLine tells whether hits come in at the moment. */
export function NowLine({ id }: { id: number }) {
  const live = useAsk(`now ${id}`, (signal) => get<Live>(`/websites/${id}/realtime`, { signal }), 10);
  const visitors = live.data?.visitors ?? 0;
  return (
    <p class={`now-line small ${visitors ? "" : "muted"}`} role="status">
      <i class={visitors ? "pulse" : "pulse off"} aria-hidden="true" />
      {live.data && (visitors ? plural(visitors, t.snippet.now) : t.snippet.quiet)}
    </p>
  );
}
