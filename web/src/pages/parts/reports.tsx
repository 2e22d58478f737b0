import { get } from "../../api/client";
import type { Account, Installation, Website } from "../../api/types";
import { useAsk } from "../../api/use";
import { CheckField } from "../../components/field";
import { explain } from "../../components/state";
import { t } from "../../texts";
import { useSending } from "./form";
import type { Save } from "./visibility";

/** ReportsForm says whether reports are sent. It is one switch, which counts at once. */
export function ReportsForm({ website, onSave, account }: { website: Website; onSave: Save; account: Account }) {
  const sending = useSending();
  const noMail = useNoMail(account);
  const turn = (on: boolean) => void sending.send(async () => void (await onSave({ email: on ? 1 : 0 })));
  const preview = (period: string, text: string) => (
    <a href={`/api/v1/websites/${website.id}/report?period=${period}`} target="_blank" rel="noopener">
      {text}
    </a>
  );
  return (
    <>
      <CheckField
        label={t.settings.email} name="email" hint={noMail ? `${t.settings.emailHint} ${t.settings.emailOff}` : t.settings.emailHint} checked={website.email === 1} onChecked={turn} disabled={sending.busy}
        error={sending.field("email") ?? (sending.error && explain(sending.error))}
      />
      <p>
        {t.settings.preview} {preview("week", t.settings.lastWeek)} · {preview("month", t.settings.lastMonth)}
      </p>
    </>
  );
}

// Only an administrator can know, and do something about it.
function useNoMail(account: Account): boolean {
  const asked = useAsk(account.role === "admin" ? "mail" : null, (signal) => get<Installation>("/installation", { signal }));
  return asked.data !== undefined && !asked.data.mail.configured;
}
