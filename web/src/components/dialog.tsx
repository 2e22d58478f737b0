import type { ComponentChildren } from "preact";
import { useId, useLayoutEffect, useRef } from "preact/hooks";
import { t } from "../texts";
import { Icon } from "./icon";

interface Props {
  title: string;
  onClose: () => void;
  wide?: boolean;
  head?: ComponentChildren; // beside the title
  children: ComponentChildren;
}

/** Dialog is open as long as it is drawn. The browser keeps the focus in it and gives it back. */
export function Dialog({ title, onClose, wide, head, children }: Props) {
  const ref = useRef<HTMLDialogElement>(null);
  const id = useId();
  // Before the browser paints, while the focus is still where it was.
  useLayoutEffect(() => {
    const back = document.activeElement;
    ref.current?.showModal();
    return () => {
      ref.current?.close();
      if (back instanceof HTMLElement && back.isConnected) back.focus();
    };
  }, []);
  return (
    <dialog
      ref={ref}
      class={`dialog ${wide ? "wide" : ""}`}
      aria-labelledby={id}
      onCancel={(e) => (e.preventDefault(), onClose())}
      onMouseDown={(e) => e.target === e.currentTarget && onClose()}
    >
      <div class="dialog-box">
        <header>
          <h2 id={id}>{title}</h2>
          {head}
          <button type="button" class="button quiet square" aria-label={t.shell.close} onClick={onClose}>
            <Icon name="close" />
          </button>
        </header>
        {children}
      </div>
    </dialog>
  );
}
