import { useState } from "preact/hooks";
import type { Website } from "../../api/types";
import { Button } from "../../components/button";
import { Snippet } from "../../components/copy";
import { t } from "../../texts";
import { Choices } from "./choices";
import { Form, useSending } from "./form";
import { PasswordField } from "./password";
import { frameOf } from "./tag";

export type Save = (change: Partial<Website> & { password?: string }) => Promise<Website>;

const order = ["1", "2", "0"] as const; // from few to many

/** VisibilityForm says who may see the dashboard of a website. */
export function VisibilityForm({ website, onSave }: { website: Website; onSave: Save }) {
  const sending = useSending();
  const [chosen, choose] = useState(String(website.privacy) as (typeof order)[number]);
  const [password, setPassword] = useState("");
  const privacy = Number(chosen) as Website["privacy"];
  const save = async () => {
    await onSave({ privacy, ...(privacy === 2 && password && { password }) });
    setPassword("");
  };
  const changed = privacy !== website.privacy || (privacy === 2 && password !== "");
  const address = `${location.origin}/${website.domain}`;
  return (
    <Form sending={sending} onSend={save} fields={["privacy", "password"]} foot={<Button kind="primary" type="submit" busy={sending.busy} disabled={!changed}>{t.shell.save}</Button>}>
      <Choices label={t.settings.visibility} name="privacy" value={chosen} onValue={choose} choices={order.map((value) => ({ value, ...t.settings.privacy[Number(value)]! }))} />
      {privacy === 2 && (
        <PasswordField
          label={t.settings.password} value={password} onValue={setPassword} fresh required={false} error={sending.field("password") && (password ? sending.field("password") : t.settings.passwordMissing)}
          hint={website.privacy === 2 ? t.settings.passwordKeep : t.settings.passwordNew}
        />
      )}
      {privacy !== 1 && privacy === website.privacy && (
        <div class="labelled">
          <span>{t.settings.address}</span>
          <Snippet text={address} label={t.settings.address} />
        </div>
      )}
      {privacy === 0 && website.privacy === 0 && (
        <div class="labelled">
          <span>{t.settings.embed}</span>
          <Snippet text={frameOf(location.origin, website.domain)} label={t.settings.embed} />
        </div>
      )}
    </Form>
  );
}
