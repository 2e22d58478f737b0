import { useEffect, useState } from "preact/hooks";
import { post } from "../api/client";
import type { Answer, Dashboard } from "../api/types";
import { useAsk } from "../api/use";
import { ButtonLink } from "../components/button";
import { Empty, Loading } from "../components/state";
import { t } from "../texts";

/** FirstVisit stands in place of the graph: nothing in this period, or nothing yet at all. Then it waits for the first visit. */
export function FirstVisit({ website, editable, onFirst }: { website: Dashboard; editable: boolean; onFirst: () => void }) {
  const [seen, see] = useState(false);
  const ever = useAsk(`ever ${website.id}`, (signal) =>
    post<Answer>("/query", { website_id: website.id, period: "all", questions: [{ metrics: ["pageviews", "events"] }] }, { signal }), seen ? 0 : 5);
  const some = ever.data && ((ever.data.totals.pageviews ?? 0) > 0 || (ever.data.totals.events ?? 0) > 0);
  useEffect(() => {
    if (!some) return;
    see(true);
    onFirst();
  }, [some]);
  if (!ever.data) return <Loading />;
  if (some) return <Empty>{t.panels.empty}</Empty>;
  return (
    <div class="state first">
      <h2><i class="pulse" aria-hidden="true" /> {t.first.title}</h2>
      <p>{t.first.text}</p>
      {editable && <ButtonLink kind="primary" href={`/${website.domain}/settings`}>{t.first.settings}</ButtonLink>}
    </div>
  );
}
