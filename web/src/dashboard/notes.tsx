import { useState } from "preact/hooks";
import { del, post } from "../api/client";
import type { Annotation } from "../api/types";
import { asApiError } from "../api/use";
import { Button } from "../components/button";
import { Dialog } from "../components/dialog";
import { TextField } from "../components/field";
import { Icon } from "../components/icon";
import { explain } from "../components/state";
import type { ApiError } from "../api/client";
import { day as dayText } from "../format";
import { t } from "../texts";

interface Props {
  website: number;
  today: string;
  notes: Annotation[];
  onChanged: () => void;
  onClose: () => void;
}

/** NotesDialog is the notes on the graph of a period: what is there, and room for one more. */
export function NotesDialog({ website, today, notes, onChanged, onClose }: Props) {
  const [day, setDay] = useState(today);
  const [text, setText] = useState("");
  const [error, setError] = useState<ApiError>();
  const [busy, setBusy] = useState(false);
  const change = async (what: () => Promise<unknown>) => {
    setBusy(true);
    setError(undefined);
    try {
      await what();
      onChanged();
      setText("");
    } catch (e) {
      setError(asApiError(e));
    }
    setBusy(false);
  };
  const add = (e: Event) => {
    e.preventDefault();
    void change(() => post(`/websites/${website}/annotations`, { day, text: text.trim() }));
  };
  return (
    <Dialog title={t.graph.notes} onClose={onClose}>
      <form class="dialog-body form" onSubmit={add}>
        {notes.length > 0 && (
          <ul class="notes">
            {notes.map((n) => (
              <li key={n.id}>
                <span class="muted">{dayText(n.day)}</span>
                <span>{n.text}</span>
                <Button kind="quiet" class="square small" aria-label={t.graph.removeNote(n.text)} onClick={() => change(() => del(`/websites/${website}/annotations/${n.id}`))}>
                  <Icon name="close" />
                </Button>
              </li>
            ))}
          </ul>
        )}
        <TextField label={t.graph.noteDay} name="day" type="date" value={day} max={today} required onValue={setDay} error={error?.field("day")} />
        <TextField label={t.graph.noteText} name="text" value={text} required autofocus onValue={setText} error={error && (error.field("text") ?? explain(error))} />
        <div class="form-foot">
          <Button onClick={onClose}>{t.shell.close}</Button>
          <Button kind="primary" type="submit" busy={busy} disabled={!text.trim()}>{t.graph.annotate}</Button>
        </div>
      </form>
    </Dialog>
  );
}
