import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import { t } from "../../texts";

interface PageProps {
  url: URL;
  head: ComponentChildren;
  sections: { id: string; title: string }[];
  children: ComponentChildren;
}

/** Sections is a long page: a list of what is on it beside it. The part that the address names is in sight. */
export function Sections({ url, head, sections, children }: PageProps) {
  const at = url.hash.slice(1);
  useEffect(() => {
    if (!at) return;
    const section = document.getElementById(at);
    section?.scrollIntoView({ block: "start" });
    section?.focus({ preventScroll: true });
  }, [at]);
  return (
    <div class="sections">
      <div class="sections-head">{head}</div>
      <nav aria-label={t.forms.sections}>
        {sections.map((s) => (
          <a key={s.id} href={`${url.pathname}#${s.id}`} aria-current={s.id === at ? "true" : undefined}>
            {s.title}
          </a>
        ))}
      </nav>
      <div class="sections-body">{children}</div>
    </div>
  );
}

interface Props {
  id: string;
  title: string;
  about?: ComponentChildren;
  head?: ComponentChildren; // beside the title
  class?: string;
  children?: ComponentChildren;
}

/** Section is one part of a long page. */
export function Section({ id, title, about, head, class: more = "", children }: Props) {
  return (
    <section class={`panel section ${more}`} id={id} tabIndex={-1} aria-labelledby={id + "-title"}>
      <header>
        <div>
          <h2 id={id + "-title"}>{title}</h2>
          {about && <p class="muted">{about}</p>}
        </div>
        {head}
      </header>
      {children}
    </section>
  );
}
