// The breakdowns of a dashboard. A new one is a row here and a text in each language.
import type { Filter, Metric } from "../api/types";
import { t } from "../texts";

export interface Panel {
  id: "sources" | "pages" | "places" | "devices" | "events";
  tabs: string[]; // dimensions, and "map" and "property"; the first is shown at first
  shown: number; // how many tabs stand side by side; the rest is in a menu
}

export const panels: Panel[] = [
  { id: "sources", tabs: ["source", "channel", "referrer", "campaign", "utm_source", "utm_medium", "utm_term", "utm_content"], shown: 4 },
  { id: "pages", tabs: ["page", "landing_page", "exit_page", "hostname"], shown: 4 },
  { id: "places", tabs: ["map", "country", "region", "city", "continent", "language"], shown: 4 },
  { id: "devices", tabs: ["browser", "os", "device", "resolution", "browser_version", "os_version"], shown: 4 },
  { id: "events", tabs: ["event", "property"], shown: 2 },
];

/** rowsShown is how many rows a panel has; the full list has the rest. */
export const rowsShown = 9;

interface Breakdown {
  count: Metric; // what the bars are of
  columns: Metric[]; // of the full list
}

const usual: Breakdown = { count: "visitors", columns: ["visitors", "visits", "pageviews", "bounce_rate", "visit_duration"] };
const ofEvents: Breakdown = { count: "events", columns: ["events", "visitors", "revenue"] };
const breakdowns: Record<string, Breakdown> = {
  page: { count: "pageviews", columns: ["pageviews", "visitors", "engaged_time", "scroll_depth", "bounce_rate"] },
  landing_page: { count: "visits", columns: ["visits", "visitors", "engaged_time", "scroll_depth", "bounce_rate"] },
  exit_page: { count: "visits", columns: ["visits", "visitors", "engaged_time", "scroll_depth", "bounce_rate"] },
  hostname: { count: "pageviews", columns: ["pageviews", "visitors", "visits", "bounce_rate", "visit_duration"] },
  event: ofEvents,
  prop: { count: "events", columns: ["events", "revenue"] },
};

export const breakdownOf = (dimension: string): Breakdown => (dimension.startsWith("prop:") ? ofEvents : (breakdowns[dimension] ?? usual));

/** The tab of a panel: the one that was chosen, if there is such a one. */
export const tabOf = (p: Panel, tabs: Record<string, string>): string => p.tabs.find((tab) => tab === tabs[p.id]) ?? p.tabs[0]!;

/** The dimension that a tab shows: of properties their names, or the values of the one that was chosen. */
export function dimensionOf(tab: string, prop: string): string {
  if (tab === "map") return "country";
  if (tab === "property") return prop ? "prop:" + prop : "prop";
  return tab;
}

export const dimensionName = (d: string): string =>
  d.startsWith("prop:") ? t.property(d.slice(5)) : (t.dimensions[d as keyof typeof t.dimensions] ?? d);

export const tabName = (tab: string): string => t.panels.tabs[tab as keyof typeof t.panels.tabs] ?? tab;

/** Whether the page is filtered by a row; undefined if rows are not filtered by. */
export const isChosen = (filters: Filter[], dimension: string, value: string): boolean | undefined =>
  dimension === "prop" ? undefined : filters.some((f) => f.dimension === dimension && f.op === "is" && f.values.includes(value));

/** All dimensions that can be filtered by, as they stand in the panels. */
export const filterDimensions: string[] = panels.flatMap((p) => p.tabs.filter((tab) => tab !== "map" && tab !== "property"));
