import type { ButtonHTMLAttributes, ComponentChildren } from "preact";

type Kind = "plain" | "primary" | "quiet" | "danger";

interface Props extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, "type" | "disabled"> {
  kind?: Kind;
  busy?: boolean; // what it does is under way: it cannot be pressed again
  children?: ComponentChildren;
  type?: "button" | "submit";
  disabled?: boolean;
}

export function Button({ kind = "plain", busy, type = "button", disabled, class: more, children, ...rest }: Props) {
  return (
    <button {...rest} type={type} class={`button ${kind} ${more ?? ""}`} disabled={disabled || busy} aria-busy={busy || undefined}>
      {children}
    </button>
  );
}

/** A link that looks like a button. */
export function ButtonLink({ kind = "plain", href, children }: { kind?: Kind; href: string; children: ComponentChildren }) {
  return (
    <a class={`button ${kind}`} href={href}>
      {children}
    </a>
  );
}
