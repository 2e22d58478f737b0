import { useEffect, useState } from "preact/hooks";

// Short messages at the edge of the screen. They are read out, and go away by themselves.

interface Message {
  id: number;
  text: string;
  kind: "done" | "wrong";
}

let messages: Message[] = [];
let last = 0;
let draw: ((m: Message[]) => void) | undefined;

export function toast(text: string, kind: Message["kind"] = "done"): void {
  const id = ++last;
  messages = [...messages.slice(-2), { id, text, kind }];
  draw?.(messages);
  setTimeout(() => {
    messages = messages.filter((m) => m.id !== id);
    draw?.(messages);
  }, kind === "done" ? 4000 : 8000);
}

export function Toasts() {
  const [shown, show] = useState(messages);
  useEffect(() => {
    draw = show;
    return () => (draw = undefined);
  }, []);
  return (
    <div class="toasts" role="status" aria-live="polite">
      {shown.map((m) => (
        <div key={m.id} class={`toast ${m.kind}`}>
          {m.text}
        </div>
      ))}
    </div>
  );
}
