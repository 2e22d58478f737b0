import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef, useState } from "preact/hooks";
import { Icon } from "./icon";

export interface MenuItem {
  text: string;
  hint?: string; // a key, for example
  chosen?: boolean;
  href?: string;
  onSelect?: () => void;
  group?: string; // a heading above the first of its group
}

interface Props {
  label: string; // what it is, for those who do not see it
  children: ComponentChildren; // what stands on the button
  items: MenuItem[];
  align?: "start" | "end";
  kind?: string;
}

/** Menu is a button with a list below it. Arrows lead through the list, Escape closes it. */
export function Menu({ label, children, items, align = "start", kind = "plain" }: Props) {
  const [open, setOpen] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  const id = useId();

  useEffect(() => {
    if (!open) return;
    const list = box.current!.querySelectorAll<HTMLElement>("[role^=menuitem]");
    ([...list].find((i) => i.getAttribute("aria-checked") === "true") ?? list[0])?.focus();
    const outside = (e: Event) => box.current?.contains(e.target as Node) || setOpen(false);
    document.addEventListener("pointerdown", outside);
    return () => document.removeEventListener("pointerdown", outside);
  }, [open]);

  const close = () => {
    setOpen(false);
    box.current?.querySelector("button")?.focus();
  };
  const onKeyDown = (e: KeyboardEvent) => {
    if (!open) return;
    const list = [...box.current!.querySelectorAll<HTMLElement>("[role^=menuitem]")];
    const at = list.indexOf(document.activeElement as HTMLElement);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: list.length - 1 }[e.key];
    if (to !== undefined) {
      e.preventDefault();
      list.at(to % list.length)?.focus();
    } else if (e.key === "Escape") {
      e.stopPropagation();
      close();
    } else if (e.key === "Tab") {
      setOpen(false);
    }
  };
  return (
    <div class="menu" ref={box} onKeyDown={onKeyDown}>
      <button
        type="button" class={`button ${kind}`} aria-haspopup="menu" aria-expanded={open} aria-label={label}
        aria-controls={open ? id : undefined} onClick={() => setOpen(!open)}
      >
        {children}
      </button>
      {open && (
        <div class={`menu-list ${align}`} role="menu" id={id} aria-label={label}>
          {items.map((item, i) => (
            <Item key={item.text} item={item} heading={item.group !== items[i - 1]?.group ? item.group : undefined} onDone={close} />
          ))}
        </div>
      )}
    </div>
  );
}

function Item({ item, heading, onDone }: { item: MenuItem; heading: string | undefined; onDone: () => void }) {
  const radio = item.chosen !== undefined;
  const inside = (
    <>
      <span class="menu-check">{item.chosen && <Icon name="check" />}</span>
      <span class="menu-text">{item.text}</span>
      {item.hint && <kbd aria-hidden="true">{item.hint}</kbd>}
    </>
  );
  const role = radio ? "menuitemradio" : "menuitem";
  const select = () => {
    onDone();
    item.onSelect?.();
  };
  return (
    <>
      {heading && <div class="menu-heading" role="presentation">{heading}</div>}
      {item.href ? (
        <a class="menu-item" role={role} tabIndex={-1} href={item.href} onClick={onDone}>
          {inside}
        </a>
      ) : (
        <button type="button" class="menu-item" role={role} tabIndex={-1} aria-checked={radio ? !!item.chosen : undefined} onClick={select}>
          {inside}
        </button>
      )}
    </>
  );
}
