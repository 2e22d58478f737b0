// All websites at a glance. The address holds search, order and page, by the names of the interface.
import { useEffect, useRef, useState } from "preact/hooks";
import { json, post } from "../api/client";
import type { Overview, Page, Website } from "../api/types";
import { type Asked, useAsk } from "../api/use";
import { Button, ButtonLink } from "../components/button";
import { Change } from "../components/change";
import { Dialog } from "../components/dialog";
import { Icon } from "../components/icon";
import { Menu } from "../components/menu";
import { Shell } from "../components/shell";
import { Spark } from "../components/spark";
import { Failed } from "../components/state";
import { count, plural, short } from "../format";
import { go } from "../router";
import { t } from "../texts";
import { SignedIn, useEnded } from "./parts/gate";
import { NewWebsite } from "./parts/newwebsite";
import { Installing } from "./parts/installing";
import { listOf, orders, searchOf, sizes, type List } from "./parts/websitelist";

const days = 30;

export default function WebsitesPage({ url }: { url: URL }) {
  return (
    <Shell title={t.websites.title} at="websites">
      <SignedIn>{() => <Websites list={listOf(url.searchParams)} />}</SignedIn>
    </Shell>
  );
}

function Websites({ list }: { list: List }) {
  const set = (change: Partial<List>, replace = false) => go("/" + searchOf({ ...list, page: 1, ...change }), { replace });
  const { search, sort_by, sort, per_page, page } = list;
  const query = { search, sort_by, sort, per_page, page };
  const asked = useAsk(JSON.stringify(query), (signal) => json<Page<Website>>("GET", "/websites", { query, signal }));
  useEnded(asked);
  const found = asked.data;
  const ids = found?.data.map((w) => w.id) ?? [];
  const numbers = useAsk(ids.length > 0 ? JSON.stringify(ids) : null, (signal) => post<Overview[]>("/overview", { ids, days }, { signal }), 60);
  const blank = found && found.meta.total === 0 && !search;
  return (
    <>
      <div class="page-head">
        <h1>{t.websites.title}</h1>
        {found && !blank && <span class="muted" role="status">{plural(found.meta.total, t.websites.total)}</span>}
        <span class="push" />
        {!blank && <Button kind="primary" onClick={() => set({ ...list, add: true })}><Icon name="plus" /> {t.websites.add}</Button>}
      </div>
      {!blank && <Tools list={list} onChange={set} />}
      {asked.error && !asked.loading ? (
        <div class="panel"><Failed error={asked.error} onRetry={asked.retry} /></div>
      ) : blank ? (
        <FirstWebsite onAdd={() => set({ ...list, add: true })} />
      ) : !found ? (
        <Waiting rows={8} />
      ) : found.data.length === 0 ? (
        <Nothing list={list} onChange={set} />
      ) : (
        <>
          <Table websites={found.data} numbers={numbers} stale={asked.loading} />
          <Paging meta={found.meta} list={list} onChange={set} />
        </>
      )}
      {list.add && <AddDialog onClose={() => (set({ ...list, add: false }, true), asked.retry())} />}
    </>
  );
}

type OnChange = (change: Partial<List>, replace?: boolean) => void;

function Tools({ list, onChange }: { list: List; onChange: OnChange }) {
  const order = `${list.sort_by} ${list.sort}` as keyof typeof t.websites.orders;
  const items = orders.map((o) => {
    const [sort_by, sort] = o.split(" ") as [List["sort_by"], List["sort"]];
    return { text: t.websites.orders[o], chosen: o === order, onSelect: () => onChange({ sort_by, sort }) };
  });
  return (
    <div class="page-tools">
      <Search value={list.search} onValue={(search) => onChange({ search }, true)} />
      <Menu label={`${t.websites.sort}: ${t.websites.orders[order]}`} kind="quiet" align="end" items={items}>
        {t.websites.orders[order]} <Icon name="down" />
      </Menu>
    </div>
  );
}

// What is typed is asked for after a pause. The key / leads here.
function Search({ value, onValue }: { value: string; onValue: (v: string) => void }) {
  const [typed, type] = useState(value);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (document.activeElement !== input.current) type(value);
  }, [value]);
  useEffect(() => {
    if (typed.trim() === value) return;
    const timer = setTimeout(() => onValue(typed.trim()), 200);
    return () => clearTimeout(timer);
  }, [typed]);
  useEffect(() => {
    const pressed = (e: KeyboardEvent) => {
      if (e.key !== "/" || e.ctrlKey || e.metaKey || e.altKey || (e.target as Element).closest("input, textarea, select, dialog")) return;
      e.preventDefault();
      input.current?.focus();
    };
    addEventListener("keydown", pressed);
    return () => removeEventListener("keydown", pressed);
  }, []);
  return (
    <label class="search">
      <Icon name="search" />
      <span class="unseen">{t.websites.search}</span>
      <input ref={input} type="search" value={typed} placeholder={t.websites.search} spellcheck={false} autocomplete="off" onInput={(e) => type(e.currentTarget.value)} />
    </label>
  );
}

function Table({ websites, numbers, stale }: { websites: Website[]; numbers: Asked<Overview[]>; stale: boolean }) {
  const byID = new Map(numbers.data?.map((n) => [n.id, n]));
  return (
    <div class="panel">
      {numbers.error && !numbers.loading && (
        <p class="table-note" role="alert">
          {t.websites.failed} <button type="button" class="link" onClick={numbers.retry}>{t.errors.retry}</button>
        </p>
      )}
      <table class={`sites ${stale ? "stale" : "settled"}`}>
        <thead>
          <tr>
            <th scope="col">{t.websites.website}</th>
            <th scope="col" class="sites-graph">{t.websites.graph}</th>
            <th scope="col" class="number">{t.websites.today}</th>
            <th scope="col" class="number">{t.websites.month}</th>
          </tr>
        </thead>
        <tbody>
          {websites.map((w) => <Line key={w.id} website={w} numbers={byID.get(w.id)} />)}
        </tbody>
      </table>
    </div>
  );
}

function Line({ website: w, numbers: n }: { website: Website; numbers: Overview | undefined }) {
  const kind = t.websites.privacy[w.privacy];
  const change = n && changeOf(n);
  return (
    <tr>
      <th scope="row">
        <a href={`/${w.domain}`}>{w.domain}</a>
        {kind && <span class="badge">{kind}</span>}
      </th>
      <td class="sites-graph">
        {n && <Spark points={n.series} width={240} height={36} label={t.websites.series(w.domain, count(Math.min(...n.series)), count(Math.max(...n.series)))} />}
      </td>
      <td class="number" data-name={t.websites.today}>
        {n && <b>{short(n.today)}</b>}
        {n && <span class="sub">{t.websites.yesterday(short(n.yesterday))}</span>}
      </td>
      <td class="number" data-name={t.websites.month}>
        {n && <b>{short(n.visitors)}</b>}
        {n && <span class="sub" title={t.websites.before(count(n.previous))}>{change !== undefined && <Change change={change} />}</span>}
      </td>
    </tr>
  );
}

const changeOf = (n: Overview) => (n.previous > 0 ? (100 * (n.visitors - n.previous)) / n.previous : n.visitors > 0 ? null : undefined);

function Paging({ meta, list, onChange }: { meta: Page<Website>["meta"]; list: List; onChange: OnChange }) {
  if (meta.total <= sizes[0]) return null;
  return (
    <div class="paging">
      <label>
        <span class="muted small">{t.websites.perPage}</span>
        <select value={list.per_page} onChange={(e) => onChange({ per_page: Number(e.currentTarget.value) as List["per_page"] })}>
          {sizes.map((n) => <option key={n} value={n} selected={n === list.per_page}>{n}</option>)}
        </select>
      </label>
      <nav class="pages" aria-label={t.websites.pages}>
        <span class="muted small" aria-live="polite">{t.list.rows(count(meta.from ?? 0), count(meta.to ?? 0), count(meta.total))}</span>
        <Button kind="quiet" class="square" aria-label={t.list.earlier} disabled={list.page <= 1} onClick={() => onChange({ page: list.page - 1 })}><Icon name="left" /></Button>
        <Button kind="quiet" class="square" aria-label={t.list.later} disabled={list.page >= meta.last_page} onClick={() => onChange({ page: list.page + 1 })}><Icon name="right" /></Button>
      </nav>
    </div>
  );
}

function FirstWebsite({ onAdd }: { onAdd: () => void }) {
  return (
    <div class="panel blank">
      <svg viewBox="0 0 160 72" width="160" height="72" aria-hidden="true">
        <path class="area" d="M2 64 22 54 42 58 62 40 82 46 102 28 122 34 142 14 158 18V72H2Z" />
        <path class="line" d="M2 64 22 54 42 58 62 40 82 46 102 28 122 34 142 14 158 18" />
      </svg>
      <h2>{t.websites.emptyTitle}</h2>
      <p class="muted">{t.websites.emptyText}</p>
      <Button kind="primary" onClick={onAdd}><Icon name="plus" /> {t.websites.add}</Button>
    </div>
  );
}

function Nothing({ list, onChange }: { list: List; onChange: OnChange }) {
  const past = list.page > 1;
  return (
    <div class="panel blank">
      <h2>{past ? t.websites.pastTitle : t.websites.noneTitle}</h2>
      <p class="muted">{past ? t.websites.pastText : t.websites.noneText(list.search)}</p>
      {past ? <Button onClick={() => onChange({ page: 1 })}>{t.websites.first}</Button> : <ButtonLink href="/">{t.websites.clear}</ButtonLink>}
    </div>
  );
}

// As high as what comes, so that nothing moves.
function Waiting({ rows }: { rows: number }) {
  return (
    <div class="panel" role="status">
      <span class="unseen">{t.shell.loading}</span>
      <div class="bones" style={{ "--rows": String(rows) }} />
    </div>
  );
}

function AddDialog({ onClose }: { onClose: () => void }) {
  const [added, setAdded] = useState<Website>();
  return (
    <Dialog title={added ? t.add.added(added.domain) : t.add.title} onClose={onClose}>
      <div class="dialog-body">{added ? <Installing website={added} /> : <NewWebsite onAdded={setAdded} />}</div>
    </Dialog>
  );
}
