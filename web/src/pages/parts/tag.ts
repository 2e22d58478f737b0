// The tag that a website puts on its pages. docs/tracker.md has every option.

/** Options that are attributes without a value, in the order in which they are offered. */
export const switches = ["outbound", "downloads", "forms", "hash", "dnt", "404", "manual", "local"] as const;
export type Switch = (typeof switches)[number];

export const scriptPath = "/js/script.js";

/** tagOf writes the tag. origin is where the service is; integrity is what the script's hash has to be, if that is wanted. */
export function tagOf(origin: string, domain: string, chosen: readonly Switch[], integrity = ""): string {
  const attributes = ["defer", attribute("data-domain", domain)];
  for (const s of switches) {
    if (chosen.includes(s)) attributes.push(s === "dnt" ? attribute("data-dnt", "true") : "data-" + s);
  }
  attributes.push(attribute("src", origin + scriptPath));
  if (integrity) attributes.push(attribute("integrity", integrity), attribute("crossorigin", "anonymous"));
  return `<script ${attributes.join(" ")}></script>`;
}

/** frameOf writes the code that shows a public dashboard on another website. */
export function frameOf(origin: string, domain: string): string {
  const src = `${origin}/${encodeURIComponent(domain)}?embed=true`;
  return `<iframe ${attribute("src", src)} ${attribute("title", domain)} loading="lazy" width="100%" height="1600"></iframe>`;
}

const attribute = (name: string, value: string) =>
  `${name}="${value.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;")}"`;

/** integrityOf reads the hash of the script from its entity tag: the service uses the one as the other, with a word for how it is packed. */
export function integrityOf(etag: string | null): string {
  const hash = /^(?:W\/)?"([A-Za-z0-9+/]{64})(?:-\w+)?"$/.exec(etag ?? "");
  return hash ? "sha384-" + hash[1] : "";
}
