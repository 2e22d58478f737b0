import { useState } from "preact/hooks";
import { del, post, put } from "../../api/client";
import type { Account } from "../../api/types";
import { asApiError } from "../../api/use";
import { Button } from "../../components/button";
import { Dialog } from "../../components/dialog";
import { TextField } from "../../components/field";
import { Icon } from "../../components/icon";
import { Menu } from "../../components/menu";
import { explain } from "../../components/state";
import { toast } from "../../components/toast";
import { day } from "../../format";
import { t } from "../../texts";
import { Choices } from "./choices";
import { Confirm } from "./confirm";
import { Form, useSending } from "./form";
import { madeUp } from "./password";
import { Section } from "./sections";

type Open = { what: "add" } | { what: "password" | "totp" | "delete"; account: Account };

const many = 10; // from so many accounts on they can be searched

/** Accounts are all who may sign in. */
export function Accounts({ me, accounts, onChange }: { me: Account; accounts: Account[]; onChange: () => void }) {
  const [open, setOpen] = useState<Open>();
  const [search, setSearch] = useState("");
  const wanted = search.trim().toLowerCase();
  const found = accounts.filter((a) => a.email.includes(wanted) || a.name.toLowerCase().includes(wanted));
  const close = () => setOpen(undefined);
  const done = (said: string) => {
    toast(said);
    close();
    onChange();
  };
  const setRole = async (a: Account, role: Account["role"]) => {
    try {
      await put(`/accounts/${a.id}`, { role });
      done((role === "admin" ? t.accounts.isAdmin : t.accounts.isMember)(a.email));
    } catch (e) {
      toast(explain(asApiError(e)), "wrong");
    }
  };
  return (
    <Section id="accounts" title={t.accounts.title} about={t.accounts.about} head={<Button onClick={() => setOpen({ what: "add" })}><Icon name="plus" /> {t.accounts.add}</Button>}>
      {accounts.length >= many && (
        <label class="search">
          <Icon name="search" />
          <span class="unseen">{t.accounts.search}</span>
          <input type="search" value={search} placeholder={t.accounts.search} onInput={(e) => setSearch(e.currentTarget.value)} />
        </label>
      )}
      {found.length === 0 && <p class="muted">{t.accounts.none}</p>}
      <ul class="lines">
        {found.map((a) => <Line key={a.id} of={a} isMe={a.id === me.id} onRole={(r) => void setRole(a, r)} onOpen={setOpen} />)}
      </ul>
      {open?.what === "add" && <NewAccount onAdded={(email) => done(t.accounts.added(email))} onClose={close} />}
      {open?.what === "password" && <SetPassword of={open.account} onSet={() => done(t.accounts.passwordSet)} onClose={close} />}
      {open?.what === "totp" && (
        <Confirm
          title={t.accounts.endTOTPTitle(open.account.email)} about={t.accounts.endTOTPAbout} action={t.accounts.endTOTPConfirm}
          onConfirm={async () => void (await del(`/accounts/${open.account.id}/totp`))} onDone={() => done(t.accounts.endedTOTP(open.account.email))} onClose={close}
        />
      )}
      {open?.what === "delete" && (
        <Confirm
          title={t.accounts.deleteTitle(open.account.email)} about={t.accounts.deleteAbout} action={t.accounts.deleteConfirm} word={open.account.email}
          onConfirm={async () => void (await del(`/accounts/${open.account.id}`))} onDone={() => done(t.accounts.deleted(open.account.email))} onClose={close}
        />
      )}
    </Section>
  );
}

interface LineProps {
  of: Account;
  isMe: boolean;
  onRole: (r: Account["role"]) => void;
  onOpen: (o: Open) => void;
}

function Line({ of: a, isMe, onRole, onOpen }: LineProps) {
  const items = [
    a.role === "admin" ? { text: t.accounts.makeMember, onSelect: () => onRole("member") } : { text: t.accounts.makeAdmin, onSelect: () => onRole("admin") },
    { text: t.accounts.setPassword, onSelect: () => onOpen({ what: "password", account: a }) },
    ...(a.totp ? [{ text: t.accounts.endTOTP, onSelect: () => onOpen({ what: "totp", account: a }) }] : []),
    { text: t.accounts.delete, onSelect: () => onOpen({ what: "delete", account: a }) },
  ];
  return (
    <li>
      <div class="line-main">
        <span>
          <b>{a.name || a.email}</b> <span class={`badge ${a.role === "admin" ? "accent" : ""}`}>{t.accounts.roles[a.role]}</span>
          {a.totp && <> <span class="badge good">{t.accounts.totp}</span></>}
        </span>
        <span class="muted small">{[a.name && a.email, isMe && t.accounts.you, t.accounts.since(day(a.created_at.slice(0, 10)))].filter(Boolean).join(" · ")}</span>
      </div>
      {isMe ? <a class="button quiet small" href="/account">{t.shell.account}</a> : (
        <Menu label={t.forms.actions(a.email)} kind="quiet square" align="end" items={items}><Icon name="more" /></Menu>
      )}
    </li>
  );
}

function NewAccount({ onAdded, onClose }: { onAdded: (email: string) => void; onClose: () => void }) {
  const sending = useSending();
  const [email, setEmail] = useState("");
  const [name, setName] = useState("");
  const [password, setPassword] = useState("");
  const [role, setRole] = useState<Account["role"]>("member");
  const add = async () => onAdded((await post<Account>("/accounts", { email, name, password, role })).email);
  const roles = (["member", "admin"] as const).map((value) => ({ value, name: t.accounts.roles[value], hint: t.accounts.roleHints[value] }));
  return (
    <Dialog title={t.accounts.addTitle} onClose={onClose}>
      <div class="dialog-body">
        <Form
          sending={sending} onSend={add} fields={["email", "name", "password", "role"]}
          foot={<><Button onClick={onClose}>{t.shell.cancel}</Button><Button kind="primary" type="submit" busy={sending.busy}>{t.accounts.add}</Button></>}
        >
          <TextField label={t.forms.email} name="email" type="email" autocomplete="off" required autofocus value={email} onValue={setEmail} error={sending.field("email")} />
          <TextField label={t.forms.optional(t.forms.name)} name="name" autocomplete="off" value={name} onValue={setName} error={sending.field("name")} />
          <GivenPassword value={password} onValue={setPassword} error={sending.field("password")} />
          <Choices label={t.accounts.role} name="role" value={role} onValue={setRole} choices={roles} />
        </Form>
      </div>
    </Dialog>
  );
}

function SetPassword({ of: a, onSet, onClose }: { of: Account; onSet: () => void; onClose: () => void }) {
  const sending = useSending();
  const [password, setPassword] = useState("");
  return (
    <Dialog title={t.accounts.passwordTitle(a.email)} onClose={onClose}>
      <div class="dialog-body">
        <Form
          sending={sending} onSend={async () => void (await put(`/accounts/${a.id}/password`, { password }))} onDone={onSet} fields={["password"]}
          foot={<><Button onClick={onClose}>{t.shell.cancel}</Button><Button kind="primary" type="submit" busy={sending.busy}>{t.shell.save}</Button></>}
        >
          <p class="muted">{t.accounts.passwordAbout}</p>
          <GivenPassword value={password} onValue={setPassword} error={sending.field("password")} />
        </Form>
      </div>
    </Dialog>
  );
}

// A password for somebody else is seen while it is typed: it has to be told to them.
function GivenPassword({ value, onValue, error }: { value: string; onValue: (v: string) => void; error: string | undefined }) {
  return (
    <div class="with-button">
      <TextField label={t.forms.password} name="password" autocomplete="off" spellcheck={false} required minLength={8} value={value} onValue={onValue} hint={t.accounts.passwordHint} error={error} />
      <Button onClick={() => onValue(madeUp())}>{t.forms.generate}</Button>
    </div>
  );
}
