import { useState } from "preact/hooks";
import { post } from "../../api/client";
import type { Website } from "../../api/types";
import { Button } from "../../components/button";
import { TextField } from "../../components/field";
import { t } from "../../texts";
import { Form, useSending } from "./form";
import { ownZone, ZoneField } from "./zone";

/** NewWebsite is the form that adds a website. */
export function NewWebsite({ onAdded, foot }: { onAdded: (w: Website) => void; foot?: preact.ComponentChildren }) {
  const sending = useSending();
  const [domain, setDomain] = useState("");
  const [timezone, setTimezone] = useState(ownZone());
  const add = async () => onAdded(await post<Website>("/websites", { domain, timezone }));
  return (
    <Form sending={sending} onSend={add} fields={["domain", "timezone"]} foot={<>{foot}<Button kind="primary" type="submit" busy={sending.busy}>{t.add.submit}</Button></>}>
      <TextField label={t.add.domain} name="domain" value={domain} onValue={setDomain} required autofocus placeholder="example.com" spellcheck={false} autocomplete="off" hint={t.add.domainHint} error={sending.field("domain")} />
      <ZoneField value={timezone} onValue={setTimezone} hint={t.add.zoneHint} error={sending.field("timezone")} />
    </Form>
  );
}
