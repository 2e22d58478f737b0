package place

import (
	"context"
	"log/slog"
	"time"
)

// An embedded has the packed database as text, if the build has one. Then tools/places has written packed_data.go, with
// a method that hides the one of absent:
//
//	func (embedded) text() string { return packedData }
//
// So the package compiles with and without the data. It is a text and not an embed.FS because reading that would copy
// it to the heap.
type embedded struct{ absent }

type absent struct{}

func (absent) text() string { return "" }

// releaseEvery is how often memory is given back that lookups have brought in.
const releaseEvery = time.Minute

// run gives memory back. The pages are those of the binary: the system keeps them as long as it has room, and the next
// lookup that needs one has it in about a microsecond.
func (p *packed) run(ctx context.Context, _ *slog.Logger) {
	tick := time.NewTicker(releaseEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			release(embedded{}.text())
		}
	}
}
