import { useState } from "preact/hooks";
import { Field } from "../../components/field";
import { t } from "../../texts";

interface Props {
  label?: string;
  name?: string;
  hint?: string | undefined;
  error?: string | undefined;
  value: string;
  onValue: (value: string) => void;
  fresh?: boolean; // one that is being made up, not one that is known
  required?: boolean;
  autofocus?: boolean;
  minLength?: number;
  autocomplete?: string;
}

/** PasswordField is a password that can be looked at while it is typed. */
export function PasswordField({ label = t.forms.password, name = "password", hint, error, value, onValue, fresh, required = true, autofocus, minLength, autocomplete }: Props) {
  const [seen, see] = useState(false);
  return (
    <Field label={label} hint={hint} error={error}>
      {({ id, describedBy }) => (
        <div class="password">
          <input
            {...({ type: seen ? "text" : "password" } as object)} id={id} name={name} value={value} required={required} minLength={minLength} spellcheck={false} autocapitalize="none"
            autocomplete={autocomplete ?? (fresh ? "new-password" : "current-password")} autofocus={autofocus} ref={autofocus ? focusOnce : undefined}
            aria-describedby={describedBy} aria-invalid={!!error} onInput={(e) => onValue(e.currentTarget.value)}
          />
          <button type="button" class="button quiet small" aria-pressed={seen} aria-label={`${seen ? t.forms.hide : t.forms.show}: ${label}`} onClick={() => see(!seen)}>
            {seen ? t.forms.hide : t.forms.show}
          </button>
        </div>
      )}
    </Field>
  );
}

/** focusOnce gives an input the focus when it is drawn first. */
export function focusOnce(el: HTMLElement | null): void {
  if (!el || el.dataset.seen) return;
  el.dataset.seen = "1";
  el.focus();
}

/** madeUp is a password that nobody guesses and everybody can read out: 80 bits without letters that look alike. */
export function madeUp(): string {
  const letters = "abcdefghjkmnpqrstuvwxyz123456789"; // 32 of them, so that none is more likely
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const text = Array.from(bytes, (b) => letters[b % 32]).join("");
  return text.match(/.{4}/g)!.join("-");
}
