import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { Button } from "../../components/button";
import { Dialog } from "../../components/dialog";
import { TextField } from "../../components/field";
import { t } from "../../texts";
import { Form, useSending } from "./form";

interface Props {
  title: string;
  about: ComponentChildren;
  action: string;
  word?: string; // to be typed first
  onConfirm: () => Promise<void>;
  onDone: () => void;
  onClose: () => void;
}

/** Confirm asks before something is gone. */
export function Confirm({ title, about, action, word, onConfirm, onDone, onClose }: Props) {
  const sending = useSending();
  const [typed, type] = useState("");
  const sure = !word || typed.trim().toLowerCase() === word.toLowerCase();
  const foot = (
    <>
      <Button onClick={onClose}>{t.shell.cancel}</Button>
      <Button kind="danger" type="submit" class="strong" busy={sending.busy} disabled={!sure}>{action}</Button>
    </>
  );
  return (
    <Dialog title={title} onClose={onClose}>
      <div class="dialog-body">
        <Form sending={sending} onSend={async () => { if (sure) await onConfirm(); }} onDone={onDone} foot={foot}>
          <p>{about}</p>
          {word && <TextField label={t.forms.confirmType(word)} name="confirm" value={typed} onValue={type} autocomplete="off" spellcheck={false} autofocus />}
        </Form>
      </div>
    </Dialog>
  );
}
