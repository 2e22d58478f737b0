import { useId } from "preact/hooks";
import type { ComponentChildren } from "preact";
import type { Filter, Row } from "../api/types";
import { Bars, type Bar } from "../components/bars";
import { Button } from "../components/button";
import { Icon } from "../components/icon";
import { WorldMap, type Place } from "../components/map";
import { Menu } from "../components/menu";
import { Empty, Failed, Loading } from "../components/state";
import { Tabs } from "../components/tabs";
import { nameOf, percent, share } from "../format";
import { t } from "../texts";
import type { Found, Panel as Asked } from "./answers";
import { numberOf, write, writeShort } from "./metric";
import { breakdownOf, dimensionName, dimensionOf, isChosen, rowsShown, tabName, type Panel } from "./panels";

interface Props {
  panel: Panel;
  tab: string;
  prop: string;
  asked: Asked | undefined;
  filters: Filter[];
  onTab: (tab: string) => void;
  onNames: () => void;
  onPick: (dimension: string, value: string) => void;
  onAll: (dimension: string) => void;
}

/** BreakdownPanel is a card with tabs, each a breakdown. */
export function BreakdownPanel({ panel, tab, prop, asked, filters, onTab, onNames, onPick, onAll }: Props) {
  const id = useId();
  const dimension = dimensionOf(tab, prop);
  const found = asked?.found;
  const fits = found?.table.dimension === dimension; // else it is what the last tab showed
  return (
    <section class="panel breakdown" aria-labelledby={id + "h"}>
      <header class="panel-head">
        <h2 id={id + "h"}>{t.panels[panel.id]}</h2>
        <PanelTabs panel={panel} tab={tab} onTab={onTab} controls={id} />
      </header>
      <div class="panel-body" id={id} role="tabpanel" aria-label={tabName(tab)}>
        {tab === "property" && prop && <PropHead prop={prop} onNames={onNames} />}
        {asked?.error ? (
          <Failed error={asked.error} onRetry={asked.retry} />
        ) : !found || !fits ? (
          <Loading />
        ) : (
          <div class={asked.stale ? "stale" : "settled"}>
            <Breakdown tab={tab} dimension={dimension} found={found} filters={filters} onPick={onPick} />
          </div>
        )}
      </div>
      <footer class="panel-foot">
        {fits && found && found.table.rows.length > 0 && !asked?.error && (
          <Button kind="quiet" class="small" aria-label={t.panels.details(tabName(tab))} onClick={() => onAll(dimension)}>
            <Icon name="expand" /> {t.panels.all}
          </Button>
        )}
      </footer>
    </section>
  );
}

function PanelTabs({ panel, tab, onTab, controls }: Pick<Props, "panel" | "tab" | "onTab"> & { controls: string }) {
  const beside = panel.tabs.slice(0, panel.shown);
  const more = panel.tabs.slice(panel.shown);
  return (
    <div class="panel-tabs">
      <Tabs label={t.panels[panel.id]} tabs={beside.map((d) => ({ id: d, text: tabName(d) }))} chosen={tab} onChoose={onTab} controls={controls} />
      {more.length > 0 && (
        <Menu
          label={t.panels.more} kind={`quiet small more ${more.includes(tab) ? "chosen" : ""}`} align="end"
          items={more.map((d) => ({ text: dimensionName(d), chosen: d === tab, onSelect: () => onTab(d) }))}
        >
          {more.includes(tab) ? tabName(tab) : t.panels.more} <Icon name="down" />
        </Menu>
      )}
    </div>
  );
}

function Breakdown({ tab, dimension, found, filters, onPick }: { tab: string; dimension: string; found: Found } & Pick<Props, "filters" | "onPick">) {
  const { rows } = found.table;
  if (rows.length === 0) return <Empty>{emptyText(dimension)}</Empty>;
  const bars = barsOf(found, dimension, filters, onPick);
  if (tab === "map") return <MapOf label={t.dimensions.country} rows={rows} bars={bars} />;
  const metric = breakdownOf(dimension).count;
  return (
    <Bars
      label={dimensionName(dimension)} hint={dimension === "prop" ? t.panels.propHint : t.panels.filterHint}
      rows={bars.slice(0, dimension.startsWith("prop:") ? rowsShown - 1 : rowsShown)}
      columns={[dimensionName(dimension), t.metrics[metric].name, t.metrics.revenue.name]}
    />
  );
}

function emptyText(dimension: string): string {
  if (dimension === "event") return t.panels.emptyEvents;
  if (dimension === "prop") return t.panels.emptyProps;
  if (dimension === "campaign" || dimension.startsWith("utm_")) return t.panels.emptyCampaigns;
  return t.panels.empty;
}

/** The rows of a breakdown as bars: as long as their count against the greatest, with their share of the whole. */
export function barsOf(found: Found, dimension: string, filters: Filter[], onPick: Props["onPick"]): Bar[] {
  const metric = breakdownOf(dimension).count;
  const whole = numberOf(found.totals, metric) ?? 0;
  const most = Math.max(1, ...found.table.rows.map((r) => numberOf(r, metric) ?? 0));
  const valued = found.table.rows.some((r) => Object.keys(r.revenue ?? {}).length > 0);
  return found.table.rows.map((r) => {
    const n = numberOf(r, metric) ?? 0;
    const value = r.value ?? "";
    return {
      key: value,
      text: nameOf(dimension, value, r.code),
      count: writeShort(r, metric),
      share: percent(share(n, whole)),
      part: n / most,
      ...(valued && { extra: write(r, "revenue") }),
      chosen: isChosen(filters, dimension, value),
      onClick: () => onPick(dimension, value),
    };
  });
}

/** MapOf is countries on the map, and the first of them by name. */
export function MapOf({ label, rows, bars }: { label: string; rows: Pick<Row, "code">[]; bars: Bar[] }) {
  const places = new Map<string, Place>();
  rows.forEach((r, i) => {
    const bar = bars[i]!;
    if (r.code) places.set(r.code, { text: `${bar.text}: ${bar.count} · ${bar.share}`, part: bar.part, onClick: bar.onClick });
  });
  return (
    <>
      <WorldMap label={label} places={places} />
      <ol class="map-top">
        {bars.slice(0, 4).map((b) => (
          <li key={b.key}>
            <MapName bar={b} />
          </li>
        ))}
      </ol>
    </>
  );
}

function MapName({ bar }: { bar: Bar }) {
  const parts = <><span>{bar.text}</span> <b>{bar.share}</b></>;
  return bar.onClick ? <button type="button" onClick={bar.onClick}>{parts}</button> : parts;
}

/** PropHead tells which property's values are shown, and leads back to the names of all. */
function PropHead({ prop, onNames }: { prop: string; onNames: () => void }) {
  return (
    <p class="prop-head">
      <Button kind="quiet" class="small" onClick={onNames}>
        <Icon name="left" /> {t.panels.allProps}
      </Button>
      <b title={prop}>{prop}</b>
    </p>
  );
}

/** Card is a panel without tabs. */
export function Card({ title, about, class: more = "", children }: { title: string; about?: string; class?: string; children: ComponentChildren }) {
  const id = useId();
  return (
    <section class={`panel ${more}`} aria-labelledby={id}>
      <header class="panel-head">
        <h2 id={id}>{title}</h2>
        {about && <p class="small muted">{about}</p>}
      </header>
      {children}
    </section>
  );
}
