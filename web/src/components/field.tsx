import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";

interface Common {
  label: string;
  name: string;
  hint?: ComponentChildren;
  error?: string | undefined; // what is wrong with it, in a sentence
}

interface Parts {
  id: string;
  describedBy: string | undefined;
}

/** Field puts a label above a control, and what helps or is wrong below it. */
export function Field({ label, hint, error, children }: Omit<Common, "name"> & { children: (p: Parts) => ComponentChildren }) {
  const id = useId();
  const describedBy = [error && id + "e", hint && id + "h"].filter(Boolean).join(" ") || undefined;
  return (
    <div class={`field ${error ? "wrong" : ""}`}>
      <label for={id}>{label}</label>
      {children({ id, describedBy })}
      {error && <p class="error" id={id + "e"} role="alert">{error}</p>}
      {hint && <p class="hint" id={id + "h"}>{hint}</p>}
    </div>
  );
}

interface TextProps extends Common {
  value: string;
  onValue: (value: string) => void;
  type?: "text" | "email" | "password" | "date" | "search" | "number";
  rows?: number; // more than one line
  required?: boolean;
  autocomplete?: string;
  autofocus?: boolean;
  placeholder?: string;
  min?: string;
  max?: string;
  minLength?: number;
  list?: string;
  inputMode?: "text" | "numeric";
  spellcheck?: boolean;
  disabled?: boolean;
}

export function TextField({ label, hint, error, onValue, rows, autofocus, ...rest }: TextProps) {
  const changed = (e: { currentTarget: HTMLInputElement | HTMLTextAreaElement }) => onValue(e.currentTarget.value);
  const focus = autofocus ? (el: HTMLElement) => el.focus() : undefined;
  return (
    <Field label={label} hint={hint} error={error}>
      {({ id, describedBy }) =>
        rows ? (
          <textarea {...(rest as object)} id={id} rows={rows} aria-describedby={describedBy} aria-invalid={!!error} onInput={changed} />
        ) : (
          <input {...(rest as object)} id={id} ref={firstTime(focus)} autofocus={autofocus} aria-describedby={describedBy} aria-invalid={!!error} onInput={changed} />
        )
      }
    </Field>
  );
}

// A page is drawn after the browser looked for what to focus, a dialog before: so both ways are gone. The first time only, so
// that drawing again does not move the focus.
function firstTime(f: ((el: HTMLElement) => void) | undefined) {
  return f && ((el: HTMLElement | null) => {
    if (el && !el.dataset.seen) {
      el.dataset.seen = "1";
      f(el);
    }
  });
}

interface SelectProps extends Common {
  value: string;
  onValue: (value: string) => void;
  options: { value: string; text: string }[];
  disabled?: boolean;
}

export function SelectField({ label, hint, error, onValue, options, value, name, disabled }: SelectProps) {
  return (
    <Field label={label} hint={hint} error={error}>
      {({ id, describedBy }) => (
        <select id={id} name={name} value={value} disabled={disabled} aria-describedby={describedBy} onChange={(e) => onValue(e.currentTarget.value)}>
          {options.map((o) => (
            <option key={o.value} value={o.value} selected={o.value === value}>
              {o.text}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

interface CheckProps extends Common {
  checked: boolean;
  onChecked: (checked: boolean) => void;
  disabled?: boolean;
}

export function CheckField({ label, hint, error, checked, onChecked, name, disabled }: CheckProps) {
  const id = useId();
  return (
    <div class={`field check ${error ? "wrong" : ""}`}>
      <input type="checkbox" id={id} name={name} checked={checked} disabled={disabled} aria-describedby={hint ? id + "h" : undefined} onChange={(e) => onChecked(e.currentTarget.checked)} />
      <label for={id}>{label}</label>
      {error && <p class="error" role="alert">{error}</p>}
      {hint && <p class="hint" id={id + "h"}>{hint}</p>}
    </div>
  );
}
