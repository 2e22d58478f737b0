import { useState } from "preact/hooks";
import { del, get, post } from "../../api/client";
import type { Key } from "../../api/types";
import { useAsk } from "../../api/use";
import { Button } from "../../components/button";
import { Snippet } from "../../components/copy";
import { Dialog } from "../../components/dialog";
import { TextField } from "../../components/field";
import { Icon } from "../../components/icon";
import { toast } from "../../components/toast";
import { ago, day, plural } from "../../format";
import { t } from "../../texts";
import { Choices } from "./choices";
import { Confirm } from "./confirm";
import { Form, useSending } from "./form";
import { Found } from "./gate";
import { Section } from "./sections";

const hasEnded = (k: Key) => k.revoked_at !== null || (k.expires_at !== null && Date.parse(k.expires_at) <= Date.now());
const nameOf = (k: Key) => k.name || t.apiKeys.unnamed;

/** Keys are the API keys of the account. */
export function Keys() {
  const asked = useAsk("keys", (signal) => get<Key[]>("/keys", { signal }));
  const [creating, create] = useState(false);
  const [ending, end] = useState<Key>();
  const [all, showAll] = useState(false);
  const revoked = () => {
    toast(t.apiKeys.revokeDone);
    end(undefined);
    asked.retry();
  };
  const about = <>{t.apiKeys.about} <a href="/docs">{t.apiKeys.documentation}</a></>;
  return (
    <Section id="keys" title={t.apiKeys.title} about={about} head={<Button onClick={() => create(true)}><Icon name="plus" /> {t.apiKeys.create}</Button>}>
      <Found asked={asked}>
        {(keys) => {
          const ended = keys.filter(hasEnded);
          const shown = all ? keys : keys.filter((k) => !hasEnded(k));
          return (
            <>
              {shown.length === 0 ? <p class="muted">{t.apiKeys.none}</p> : <ul class="lines">{shown.map((k) => <Line key={k.id} of={k} onRevoke={() => end(k)} />)}</ul>}
              {ended.length > 0 && !all && <button type="button" class="link small list-more" onClick={() => showAll(true)}>{plural(ended.length, t.apiKeys.ended)}</button>}
            </>
          );
        }}
      </Found>
      {creating && <NewKey onMade={asked.retry} onClose={() => create(false)} />}
      {ending && (
        <Confirm
          title={t.apiKeys.revokeTitle(nameOf(ending))} about={t.apiKeys.revokeAbout} action={t.apiKeys.revoke}
          onConfirm={async () => void (await del(`/keys/${ending.id}`))} onDone={revoked} onClose={() => end(undefined)}
        />
      )}
    </Section>
  );
}

function Line({ of: k, onRevoke }: { of: Key; onRevoke: () => void }) {
  const ended = hasEnded(k);
  const facts = [
    t.apiKeys.created(day(k.created_at.slice(0, 10))),
    k.used_at ? t.apiKeys.used(ago(k.used_at)) : t.apiKeys.unused,
    k.revoked_at ? t.apiKeys.revoked(day(k.revoked_at.slice(0, 10))) : k.expires_at ? (ended ? t.apiKeys.expired : t.apiKeys.until)(day(k.expires_at.slice(0, 10))) : "",
  ];
  return (
    <li class={ended ? "ended" : ""}>
      <div class="line-main">
        <span><b>{nameOf(k)}</b> <code class="muted">{k.prefix}…</code> <span class="badge">{t.apiKeys.scopes[k.scope]}</span></span>
        <span class="muted small">{facts.filter(Boolean).join(" · ")}</span>
      </div>
      {!ended && <Button kind="quiet" class="small" aria-label={`${t.apiKeys.revoke}: ${nameOf(k)}`} onClick={onRevoke}>{t.apiKeys.revoke}</Button>}
    </li>
  );
}

function NewKey({ onMade, onClose }: { onMade: () => void; onClose: () => void }) {
  const sending = useSending();
  const [name, setName] = useState("");
  const [scope, setScope] = useState<Key["scope"]>("read");
  const [expires, setExpires] = useState("");
  const [secret, setSecret] = useState("");
  const make = async () => {
    const made = await post<Key & { key: string }>("/keys", { name, scope, ...(expires && { expires_at: expires }) });
    setSecret(made.key);
    onMade();
  };
  if (secret) {
    return (
      <Dialog title={t.apiKeys.madeTitle} onClose={onClose}>
        <div class="dialog-body form">
          <p>{t.apiKeys.madeAbout}</p>
          <Snippet text={secret} label={t.apiKeys.title} />
          <div class="form-foot"><Button kind="primary" onClick={onClose}>{t.apiKeys.done}</Button></div>
        </div>
      </Dialog>
    );
  }
  const scopes = (["read", "manage"] as const).map((value) => ({ value, name: t.apiKeys.scopes[value], hint: t.apiKeys.scopeHints[value] }));
  return (
    <Dialog title={t.apiKeys.createTitle} onClose={onClose}>
      <div class="dialog-body">
        <Form sending={sending} onSend={make} fields={["name", "expires_at"]} foot={<><Button onClick={onClose}>{t.shell.cancel}</Button><Button kind="primary" type="submit" busy={sending.busy}>{t.apiKeys.create}</Button></>}>
          <TextField label={t.apiKeys.name} name="name" value={name} onValue={setName} required autofocus autocomplete="off" hint={t.apiKeys.nameHint} error={sending.field("name")} />
          <Choices label={t.apiKeys.scope} name="scope" value={scope} onValue={setScope} choices={scopes} />
          <TextField label={t.apiKeys.expires} name="expires_at" type="date" value={expires} onValue={setExpires} hint={t.apiKeys.expiresHint} error={sending.field("expires_at")} />
        </Form>
      </div>
    </Dialog>
  );
}
