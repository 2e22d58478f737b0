import type { Website } from "../../api/types";
import { t } from "../../texts";
import { FirstHit, TagView } from "./tagview";

/** Installing shows what to put on a new website, and waits for its first visitor. */
export function Installing({ website }: { website: Pick<Website, "id" | "domain"> }) {
  return (
    <div class="installing">
      <p class="muted">{t.snippet.about}</p>
      <TagView domain={website.domain} />
      <FirstHit id={website.id} domain={website.domain} />
    </div>
  );
}
