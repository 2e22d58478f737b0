import { useState } from "preact/hooks";
import type { Website } from "../../api/types";
import { Button } from "../../components/button";
import { CheckField, TextField } from "../../components/field";
import { t } from "../../texts";
import { Form, useSending } from "./form";
import type { Save } from "./visibility";
import { ZoneField } from "./zone";

/** CountingForm says what counts on a website. */
export function CountingForm({ website, onSave }: { website: Website; onSave: Save }) {
  const sending = useSending();
  const kept = { exclude_bots: website.exclude_bots, exclude_params: website.exclude_params, exclude_ips: website.exclude_ips, respect_signals: website.respect_signals, timezone: website.timezone };
  const [form, setForm] = useState(kept);
  const save = async () => {
    const { exclude_params, exclude_ips } = await onSave(form); // as the service keeps them
    set({ exclude_params, exclude_ips });
  };
  const set = (change: Partial<typeof form>) => setForm({ ...form, ...change });
  const changed = (Object.keys(kept) as (keyof typeof kept)[]).some((k) => form[k] !== kept[k]);
  return (
    <Form sending={sending} onSend={save} fields={Object.keys(kept)} foot={<Button kind="primary" type="submit" busy={sending.busy} disabled={!changed}>{t.shell.save}</Button>}>
      <CheckField label={t.settings.excludeBots} name="exclude_bots" hint={t.settings.excludeBotsHint} error={sending.field("exclude_bots")} checked={form.exclude_bots === 1} onChecked={(on) => set({ exclude_bots: on ? 1 : 0 })} />
      <CheckField label={t.settings.respectSignals} name="respect_signals" hint={t.settings.respectSignalsHint} error={sending.field("respect_signals")} checked={form.respect_signals === 1} onChecked={(on) => set({ respect_signals: on ? 1 : 0 })} />
      <div class="two">
        <TextField label={t.settings.excludeParams} name="exclude_params" rows={3} spellcheck={false} placeholder={"session\nref_*"} hint={t.settings.excludeParamsHint} error={sending.field("exclude_params")} value={form.exclude_params} onValue={(v) => set({ exclude_params: v })} />
        <TextField label={t.settings.excludeIPs} name="exclude_ips" rows={3} spellcheck={false} placeholder={"192.0.2.7\n2001:db8::/32"} hint={t.settings.excludeIPsHint} error={sending.field("exclude_ips")} value={form.exclude_ips} onValue={(v) => set({ exclude_ips: v })} />
      </div>
      <div class="two">
        <ZoneField value={form.timezone} onValue={(timezone) => set({ timezone })} hint={t.settings.zoneHint} error={sending.field("timezone")} />
      </div>
    </Form>
  );
}
