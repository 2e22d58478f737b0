import { useRef, useState } from "preact/hooks";
import { t } from "../texts";
import { Button } from "./button";
import { Icon } from "./icon";

/** Snippet is text to be copied: code, a key, an address. */
export function Snippet({ text, label }: { text: string; label: string }) {
  const [copied, setCopied] = useState(false);
  const code = useRef<HTMLElement>(null);
  const copy = async () => {
    await copyText(text, code.current!);
    setCopied(true);
    setTimeout(() => setCopied(false), 2000);
  };
  return (
    <div class="snippet">
      <pre tabIndex={0} aria-label={label}>
        <code ref={code}>{text}</code>
      </pre>
      <Button onClick={copy}>
        <Icon name={copied ? "check" : "copy"} />
        <span aria-live="polite">{copied ? t.shell.copied : t.shell.copy}</span>
      </Button>
    </div>
  );
}

// Without HTTPS there is no clipboard; then it is copied as if by hand, and stays selected if even that does not work.
async function copyText(text: string, shown: Element): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    getSelection()?.selectAllChildren(shown);
    document.execCommand("copy");
  }
}
