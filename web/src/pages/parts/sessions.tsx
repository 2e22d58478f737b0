import { del, get } from "../../api/client";
import type { Session } from "../../api/types";
import { useAsk } from "../../api/use";
import { Button } from "../../components/button";
import { explain } from "../../components/state";
import { toast } from "../../components/toast";
import { ago, day } from "../../format";
import { signOut } from "../../session";
import { t } from "../../texts";
import { useSending } from "./form";
import { Found } from "./gate";
import { Section } from "./sections";

/** SessionList is the browsers that are signed in. */
export function SessionList() {
  const asked = useAsk("sessions", (signal) => get<Session[]>("/sessions", { signal }));
  const sending = useSending();
  const end = async (sessions: Session[]) => {
    const done = await sending.send(async () => {
      for (const s of sessions) await del(`/sessions/${s.id}`);
    });
    if (done) toast(t.sessions.ended);
    asked.retry();
  };
  const others = asked.data?.filter((s) => !s.current) ?? [];
  const head = others.length > 1 && <Button busy={sending.busy} onClick={() => void end(others)}>{t.sessions.endOthers}</Button>;
  return (
    <Section id="sessions" title={t.sessions.title} about={t.sessions.about} head={head}>
      {sending.error && <p class="form-error" role="alert">{explain(sending.error)}</p>}
      <Found asked={asked}>
        {(sessions) => (
          <ul class="lines">
            {sessions.map((s) => (
              <li key={s.id}>
                <div class="line-main">
                  <span><b>{s.label || t.sessions.unnamed}</b> {s.current && <span class="badge good">{t.sessions.current}</span>}</span>
                  <span class="muted small">{t.sessions.seen(ago(s.seen_at))} · {t.sessions.since(day(s.created_at.slice(0, 10)))}</span>
                </div>
                <Button kind="quiet" class="small" disabled={sending.busy} aria-label={t.sessions.endOf(s.label || t.sessions.unnamed)} onClick={() => void (s.current ? signOut() : end([s]))}>
                  {t.sessions.end}
                </Button>
              </li>
            ))}
          </ul>
        )}
      </Found>
    </Section>
  );
}
