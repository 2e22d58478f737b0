package app

import (
	"context"
	"log/slog"
	"runtime"
	"sync"
	"time"

	"footfall/internal/httpapi"
)

// A doctor tells what keeps the service from keeping its promises. He asks the disk and the database at most once a
// second, however often he is asked.
type doctor struct {
	house *house
	log   *slog.Logger

	mu     sync.Mutex
	asked  time.Time
	ailing []string
}

const checkup = time.Second

// ready names the parts that do not do their work.
func (d *doctor) ready(ctx context.Context) []string {
	d.mu.Lock()
	defer d.mu.Unlock()
	if time.Since(d.asked) < checkup {
		return d.ailing
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer cancel()
	var ailing []string
	check := func(part string, err error) {
		if err != nil {
			d.log.Warn("service is not ready", "part", part, "error", err)
			ailing = append(ailing, part)
		}
	}
	_, err := d.house.journal.Append(ctx) // of nothing: tells whether the disk takes writes
	check("journal", err)
	check("store", d.house.engine.Status().Err)
	check("database", d.house.accounts.Ping(ctx))
	d.asked, d.ailing = time.Now(), ailing
	return ailing
}

// live tells who is on a website now, in the words of the interface.
func (h *house) live(ctx context.Context, website int64) (httpapi.Live, error) {
	found, err := h.engine.Realtime(ctx, website, httpapi.LiveWindow)
	live := httpapi.Live{Visitors: found.Visitors}
	for _, p := range found.Pages {
		live.Pages = append(live.Pages, httpapi.LivePage{Value: p.Page, Visitors: p.Visitors})
	}
	for _, c := range found.Countries {
		live.Countries = append(live.Countries, httpapi.LiveCountry{Value: c.Country, Visitors: c.Visitors})
	}
	return live, err
}

// facts are what an administrator learns of the house.
func (h *house) facts() httpapi.Facts {
	store := h.engine.Status()
	return httpapi.Facts{
		Version: version, Bytes: store.Bytes, JournalBytes: h.journal.Stats().Bytes, Events: store.Events, NoMail: h.noMail,
	}
}

// gauges are what /metrics shows of the house.
func (h *house) gauges() []httpapi.Gauge {
	store, log := h.engine.Status(), h.journal.Stats()
	var memory runtime.MemStats
	runtime.ReadMemStats(&memory)
	hits, dropped, refused := h.collector.Taken()
	return []httpapi.Gauge{
		{Name: "hits_total", Help: "Hits acknowledged, whether they count or not.", Value: float64(hits)},
		{Name: "hits_dropped_total", Help: "Hits acknowledged that do not count.", Value: float64(dropped)},
		{Name: "hits_refused_total", Help: "Hits that the journal did not take.", Value: float64(refused)},
		{Name: "drops_backlog_records", Help: "Records whose drops are not counted yet.", Value: float64(log.Next - min(log.Next, h.tally.Durable()))},
		{Name: "store_events", Help: "Events held.", Value: float64(store.Events)},
		{Name: "store_bytes", Help: "Bytes on disk.", Value: float64(store.Bytes)},
		{Name: "store_files", Help: "Files on disk.", Value: float64(store.Files)},
		{Name: "store_memory_bytes", Help: "Bytes of events that are in memory only.", Value: float64(store.Memory)},
		{Name: "store_damaged_files", Help: "Files that could not be read.", Value: float64(len(store.Damaged))},
		{Name: "store_failing", Help: "1 if events cannot be made durable now.", Value: truth(store.Err != nil)},
		{Name: "journal_bytes", Help: "Bytes of the journal.", Value: float64(log.Bytes)},
		{Name: "journal_max_bytes", Help: "Bytes at which the journal is full.", Value: float64(h.maxBytes)},
		{Name: "journal_backlog_records", Help: "Records that the store does not have yet.", Value: float64(log.Next - min(log.Next, h.engine.Position()))},
		{Name: "journal_lost_records_total", Help: "Records that were acknowledged and cannot be read any more.", Value: float64(log.Lost)},
		{Name: "journal_damaged_bytes_total", Help: "Bytes that were found to be no records.", Value: float64(log.Damaged)},
		{Name: "journal_failing", Help: "1 if the last write failed.", Value: truth(log.Err != nil)},
		{Name: "loader_unreadable_records_total", Help: "Records that were no events.", Value: float64(h.loader.Unreadable())},
		{Name: "memory_heap_bytes", Help: "Bytes of live and not yet collected objects.", Value: float64(memory.HeapAlloc)},
		{Name: "memory_system_bytes", Help: "Bytes had from the system.", Value: float64(memory.Sys)},
		{Name: "goroutines", Help: "Goroutines.", Value: float64(runtime.NumGoroutine())},
	}
}

func truth(b bool) float64 {
	if b {
		return 1
	}
	return 0
}
