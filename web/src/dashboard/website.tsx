import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { get, json } from "../api/client";
import type { Annotation, Dashboard, Page, Question, Website } from "../api/types";
import { useAsk } from "../api/use";
import { Button } from "../components/button";
import { Icon } from "../components/icon";
import { Menu } from "../components/menu";
import { Shell } from "../components/shell";
import { bucketsOf, countDays, daysOf, step, today as todayIn, type Bucket, type PeriodName } from "../period";
import { go } from "../router";
import { useAccount } from "../session";
import { t } from "../texts";
import { graphMetrics, searchOf, toggled, withFilter, type View } from "../view";
import { useAnswers, type Base } from "./answers";
import { DroppedPanel } from "./dropped";
import { Chips, FilterDialog } from "./filters";
import { HoursPanel } from "./hours";
import { KeysDialog, useKeys } from "./keys";
import { ListDialog } from "./list";
import { LiveButton } from "./live";
import { NotesDialog } from "./notes";
import { Overview } from "./overview";
import { BreakdownPanel } from "./panel";
import { breakdownOf, dimensionOf, panels, rowsShown, tabOf } from "./panels";
import { ComparePicker, CustomDialog, PeriodPicker, compares, periodKeys } from "./period";
import { daysOfBucket, fromFirst } from "./points";

const noNotes: Annotation[] = [];

type Open = "custom" | "filter" | "keys" | "notes";

/** WebsiteView is the dashboard: what it asks, and how the answers are arranged. */
export function WebsiteView({ website, view }: { website: Dashboard; view: View }) {
  const [open, setOpen] = useState<Open>();
  const today = todayIn(website.timezone);
  const days = daysOf(view.period, today);
  const set = (change: Partial<View>, replace = false) => go(location.pathname + searchOf({ ...view, ...change }), { replace });
  const base = baseOf(website.id, view);
  const { bucket, buckets } = bucketFor(view, days);

  const questions = useMemo(() => questionsOf(view, bucket), [bucket, view.prop, JSON.stringify(view.tabs)]);
  const answers = useAnswers(base, questions, refreshAfter(days, today));
  const graph = answers.graph!;
  const main = graph.found;
  const editable = website.access === "owner" || website.access === "editor";
  const notes = useAsk(`notes ${website.id}`, (signal) => get<Annotation[]>(`/websites/${website.id}/annotations`, { signal }));
  const rows = main?.table.dimension === bucket ? (view.period === "all" ? fromFirst(main.table.rows) : main.table.rows) : [];
  // All time begins with the first visit, which only the answer tells.
  const spread = days ?? (main && !graph.stale && rows[0] ? { from: daysOfBucket(rows[0].value!, bucket).from, to: main.period.to } : undefined);
  const { near, mark } = useNear();

  // A list that was opened here is closed by the way back, so that the way back from here does not open it again.
  const opened = useRef(false);
  const pick = (dimension: string, value: string) => {
    opened.current = false;
    if (dimension === "prop") set({ tabs: { ...view.tabs, events: "property" }, prop: value, list: undefined });
    else set({ filters: toggled(view.filters, dimension, value), list: undefined });
  };
  const openList = (dimension: string) => {
    opened.current = true;
    set({ list: { dimension, search: "", order: "", up: false, page: 1 } });
  };
  const closeList = () => {
    if (opened.current) history.back();
    else set({ list: undefined }, true);
    opened.current = false;
  };
  useShortcuts(view, today, set, setOpen);
  return (
    <Shell title={website.domain} bare={view.embed} head={<SiteHead website={website} />} tools={editable && <SettingsLink domain={website.domain} />}>
      <div class="bar-top">
        <div class="filters">
          <Button kind="quiet" onClick={() => setOpen("filter")}>
            <Icon name="filter" /> {t.filters.add}
          </Button>
          <Chips filters={view.filters} onChange={(filters) => set({ filters })} />
        </div>
        <div class="when">
          {view.period !== "all" && <ComparePicker compare={view.compare} onChange={(compare) => set({ compare })} />}
          <PeriodPicker period={view.period} today={today} onChange={(period) => set({ period, bucket: undefined })} onCustom={() => setOpen("custom")} />
        </div>
      </div>

      {main?.partial && <p class="partial" role="status"><Icon name="warning" /> {t.partial}</p>}
      <Overview
        website={website} view={view} today={today} bucket={bucket} buckets={buckets} asked={graph} rows={rows} notes={notes.data ?? noNotes}
        editable={editable} set={set} onNotes={() => setOpen("notes")}
      />

      <div class="panels">
        {panels.map((p) => (
          <BreakdownPanel
            key={p.id} panel={p} tab={tabOf(p, view.tabs)} prop={view.prop} asked={answers[p.id]} filters={view.filters}
            onTab={(tab) => set({ tabs: tabsWith(view.tabs, p.id, tab, p.tabs[0]!) }, true)} onNames={() => set({ prop: "" })}
            onPick={pick} onAll={openList}
          />
        ))}
        <HoursPanel base={base} days={spread ? countDays(spread) : 0} near={near} />
        {website.access !== "public" && website.access !== "shared" && <DroppedPanel website={website.id} days={spread} near={near} />}
      </div>
      <footer class="page-foot" ref={mark}>
        {t.metrics.visitors.help}{" "}
        {website.places_by && <a href={website.places_by.url} target="_blank" rel="noopener noreferrer">{website.places_by.text}</a>}
      </footer>

      {view.list && (
        <ListDialog
          key={view.list.dimension} domain={website.domain} base={base} list={view.list} filters={view.filters} onPick={pick}
          onChange={(list) => set({ list }, true)} onClose={closeList}
        />
      )}
      {open === "custom" && <CustomDialog period={view.period} today={today} onChange={(period) => set({ period, bucket: undefined })} onClose={() => setOpen(undefined)} />}
      {open === "filter" && (
        <FilterDialog base={base} onAdd={(d, op, v) => set({ filters: withFilter(view.filters, d, op, v) })} onClose={() => setOpen(undefined)} />
      )}
      {open === "keys" && <KeysDialog onClose={() => setOpen(undefined)} />}
      {open === "notes" && <NotesDialog website={website.id} today={today} notes={notes.data ?? []} onChanged={notes.retry} onClose={() => setOpen(undefined)} />}
    </Shell>
  );
}

function baseOf(website: number, view: View): Base {
  return {
    website_id: website,
    period: view.period,
    ...(view.compare !== "none" && view.period !== "all" && { compare: view.compare === "year" ? "previous_year" as const : "previous_period" as const }),
    ...(view.filters.length > 0 && { filters: view.filters }),
  };
}

function bucketFor(view: View, days: ReturnType<typeof daysOf>): { bucket: Bucket; buckets: Bucket[] } {
  const { all, usual } = bucketsOf(days);
  return { bucket: view.bucket && all.includes(view.bucket) ? view.bucket : usual, buckets: all };
}

/** All that the page asks, by name. */
function questionsOf(view: View, bucket: string): Record<string, Question> {
  const all: Record<string, Question> = { graph: { dimension: bucket, metrics: [...graphMetrics] } };
  for (const p of panels) {
    const tab = tabOf(p, view.tabs);
    const dimension = dimensionOf(tab, view.prop);
    const { count } = breakdownOf(dimension);
    all[p.id] = { dimension, metrics: p.id === "events" ? [count, "revenue"] : [count], limit: tab === "map" ? 250 : rowsShown };
  }
  return all;
}

function tabsWith(tabs: Record<string, string>, id: string, tab: string, first: string): Record<string, string> {
  const { [id]: _, ...rest } = tabs;
  return tab === first ? rest : { ...rest, [id]: tab };
}

/** A period that today is in changes as one looks at it; seconds. */
function refreshAfter(days: ReturnType<typeof daysOf>, today: string): number {
  if (days && days.to < today) return 0;
  return days && countDays(days) <= 2 ? 60 : 300;
}

function SettingsLink({ domain }: { domain: string }) {
  return (
    <a class="button quiet square" href={`/${domain}/settings`} aria-label={t.shell.settings} title={t.shell.settings}>
      <Icon name="gear" />
    </a>
  );
}

function SiteHead({ website }: { website: Dashboard }) {
  const account = useAccount();
  const others = useAsk(account ? "websites" : null, (signal) =>
    json<Page<Website>>("GET", "/websites", { query: { per_page: 25, sort_by: "domain", sort: "asc" }, signal }));
  const sites = others.data?.data ?? [];
  return (
    <>
      <h1 class="site">
        {sites.length > 1 ? (
          <Menu
            label={`${t.shell.websites}: ${website.domain}`} kind="quiet site-name"
            items={[
              ...sites.map((s) => ({ text: s.domain, chosen: s.domain === website.domain, href: "/" + s.domain, group: t.shell.websites })),
              { text: t.shell.websites + " …", href: "/", group: " " },
            ]}
          >
            {website.domain} <Icon name="down" />
          </Menu>
        ) : (
          <span class="site-name">{website.domain}</span>
        )}
      </h1>
      <LiveButton website={website.id} />
    </>
  );
}

/** useNear tells whether the end of the page has come near, so that what is there is worth asking for. */
function useNear() {
  const mark = useRef<HTMLElement>(null);
  const [near, set] = useState(false);
  useEffect(() => {
    const seen = new IntersectionObserver((e) => e.some((x) => x.isIntersecting) && set(true), { rootMargin: "900px" });
    seen.observe(mark.current!);
    return () => seen.disconnect();
  }, []);
  return { near, mark };
}

function useShortcuts(view: View, today: string, set: (c: Partial<View>) => void, setOpen: (o: Open) => void): void {
  const by = (direction: -1 | 1) => {
    const period = step(view.period, direction, today);
    if (period) set({ period, bucket: undefined });
  };
  const periods = Object.entries(periodKeys).map(([period, key]) => [
    key.toLowerCase(),
    () => (period === "custom" ? setOpen("custom") : set({ period: period as PeriodName, bucket: undefined })),
  ]);
  useKeys({
    ...Object.fromEntries(periods),
    ArrowLeft: () => by(-1),
    ArrowRight: () => by(1),
    x: () => set({ compare: compares[(compares.indexOf(view.compare) + 1) % compares.length]! }),
    f: () => setOpen("filter"),
    "/": () => setOpen("filter"),
    Escape: () => view.filters.length > 0 && set({ filters: [] }),
    "?": () => setOpen("keys"),
  });
  useEffect(() => {
    const show = () => setOpen("keys");
    addEventListener("showkeys", show);
    return () => removeEventListener("showkeys", show);
  }, []);
}
