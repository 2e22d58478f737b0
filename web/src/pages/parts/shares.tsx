import { useState } from "preact/hooks";
import { del, get, post } from "../../api/client";
import type { Share } from "../../api/types";
import { useAsk } from "../../api/use";
import { Button } from "../../components/button";
import { SelectField, TextField } from "../../components/field";
import { toast } from "../../components/toast";
import { t } from "../../texts";
import { Confirm } from "./confirm";
import { Form, useSending } from "./form";
import { Found } from "./gate";
import { Section } from "./sections";

/** Shares are the accounts that a website is shared with. */
export function Shares({ id }: { id: number }) {
  const asked = useAsk(`shares ${id}`, (signal) => get<Share[]>(`/websites/${id}/shares`, { signal }));
  const [leaving, leave] = useState<Share>();
  const removed = () => {
    toast(t.shares.removed(leaving!.email));
    leave(undefined);
    asked.retry();
  };
  return (
    <Section id="shares" title={t.shares.title} about={t.shares.about}>
      <Found asked={asked}>
        {(shares) =>
          shares.length === 0 ? (
            <p class="muted">{t.shares.none}</p>
          ) : (
            <ul class="lines">
              {shares.map((s) => (
                <li key={s.id}>
                  <div class="line-main">
                    <b>{s.name || s.email}</b>
                    <span class="muted small">{[s.name && s.email, `${t.shares.access} ${t.shares[s.access]}`].filter(Boolean).join(" · ")}</span>
                  </div>
                  <Button kind="quiet" class="small" aria-label={`${t.shares.remove}: ${s.email}`} onClick={() => leave(s)}>{t.shares.remove}</Button>
                </li>
              ))}
            </ul>
          )
        }
      </Found>
      <NewShare id={id} onShared={asked.retry} />
      {leaving && (
        <Confirm
          title={t.shares.removeTitle(leaving.email)} about={t.shares.removeAbout} action={t.shares.remove}
          onConfirm={async () => void (await del(`/websites/${id}/shares/${leaving.id}`))} onDone={removed} onClose={() => leave(undefined)}
        />
      )}
    </Section>
  );
}

function NewShare({ id, onShared }: { id: number; onShared: () => void }) {
  const sending = useSending();
  const [email, setEmail] = useState("");
  const [access, setAccess] = useState<Share["access"]>("viewer");
  const share = async () => {
    await post<Share>(`/websites/${id}/shares`, { email, access });
    toast(t.shares.added(email));
    setEmail("");
    onShared();
  };
  return (
    <Form sending={sending} onSend={share} fields={["email", "access"]} class="in-row" foot={<Button type="submit" busy={sending.busy}>{t.shares.add}</Button>}>
      <TextField label={t.forms.email} name="email" type="email" autocomplete="off" required value={email} onValue={setEmail} error={sending.field("email")} hint={t.shares.noAccount} />
      <SelectField label={t.shares.access} name="access" value={access} onValue={(v) => setAccess(v as Share["access"])} options={[{ value: "viewer", text: t.shares.viewer }, { value: "editor", text: t.shares.editor }]} />
    </Form>
  );
}
