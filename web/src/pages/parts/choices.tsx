import { useId } from "preact/hooks";

interface Props<T extends string> {
  label: string;
  name: string;
  value: T;
  onValue: (value: T) => void;
  choices: { value: T; name: string; hint: string }[];
}

/** Choices are few, and each is explained: one of them is chosen. */
export function Choices<T extends string>({ label, name, value, onValue, choices }: Props<T>) {
  const id = useId();
  return (
    <fieldset class="choices">
      <legend>{label}</legend>
      {choices.map((c) => (
        <label key={c.value} class="choice">
          <input type="radio" name={name + id} value={c.value} checked={c.value === value} aria-describedby={id + c.value} onChange={() => onValue(c.value)} />
          <span class="choice-name">{c.name}</span>
          <span class="choice-hint" id={id + c.value}>{c.hint}</span>
        </label>
      ))}
    </fieldset>
  );
}
