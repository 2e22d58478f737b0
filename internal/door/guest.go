package door

import (
	"errors"
	"fmt"
	"io"
	"math"
	"net"
	"os"
	"runtime/debug"
	"sync/atomic"
	"time"
)

// A guest is a connection that is at the door.
type guest struct {
	conn    *net.TCPConn
	door    *Door
	came    []byte // what was read and not answered
	request request
	answer  answer
	met     bool // a hit of it was answered

	step  atomic.Uint64 // grows with all that it does; tells what it does now
	seen  uint64        // at the porter's last round
	still int           // rounds since it did something
}

// What a guest does, in the order in which it does it; so a step modulo their number tells.
const (
	begins  = iota // says the first thing, or is slow to end what it says
	says           // says the next thing, or nothing
	waits          // for its hit to be taken
	listens        // to the answer
	doings
)

// patience is how many rounds a guest may keep still.
func patience(step uint64) int {
	return [doings]int{begins: newRounds, says: nextRounds, waits: math.MaxInt, listens: sendRounds}[step%doings]
}

// does notes what the guest does now.
func (g *guest) does(what uint64) {
	step := g.step.Load()
	g.step.Store(step + doings - step%doings + what)
}

// hurry ends what keeps the guest: it is read no further, and not waited for. Its hit is answered all the same.
func (g *guest) hurry() {
	past := time.Unix(1, 0)
	g.conn.SetReadDeadline(past)
	if g.step.Load()%doings == listens {
		g.conn.SetWriteDeadline(past)
	}
}

const (
	usual = 4 << 10 // room for most hits
	most  = 80 << 10
)

func newGuest(c *net.TCPConn, d *Door) *guest {
	g := &guest{conn: c, door: d, came: make([]byte, 0, usual)}
	g.request.init(d, c)
	return g
}

// stay answers hits until the guest leaves, or says something else.
func (g *guest) stay() {
	defer g.door.leave(g)
	defer g.request.end()
	defer func() {
		if p := recover(); p != nil {
			g.door.log.Error("hit failed", "error", fmt.Errorf("panic: %v\n%s", p, debug.Stack()))
			g.conn.Close()
		}
	}()
	for {
		size, kind := g.request.read(g.came)
		switch kind {
		case whole:
			if !g.serve(size) {
				g.conn.Close()
				return
			}
		case part:
			if err := g.hear(); err != nil {
				g.giveUp(err)
				return
			}
		case other:
			g.handOn()
			return
		}
	}
}

// hear reads more of what the guest says.
func (g *guest) hear() error {
	what := uint64(begins)
	if len(g.came) == 0 && g.met {
		what = says
	}
	if len(g.came) == 0 || g.step.Load()%doings != what { // one byte after the other is not something new each time
		g.does(what)
	}
	if len(g.came) == cap(g.came) {
		g.came = append(make([]byte, 0, min(4*cap(g.came), most)), g.came...)
	}
	n, err := g.conn.Read(g.came[len(g.came):cap(g.came)])
	g.came = g.came[:len(g.came)+n]
	if n > 0 {
		return nil
	}
	if err == nil {
		return io.ErrNoProgress
	}
	return err
}

// serve hands a hit to its handler and answers. It tells whether the guest may stay.
func (g *guest) serve(size int) bool {
	g.does(waits)
	g.met = true
	g.answer.begin()
	g.door.hits.Handler.ServeHTTP(&g.answer, &g.request.http)
	last := g.isShut()
	g.does(listens)
	_, err := g.conn.Write(g.answer.bytes(last))
	g.forget(size)
	return err == nil && !last
}

// forget lets go of what is answered, and of a buffer that was needed once.
func (g *guest) forget(size int) {
	rest := g.came[size:]
	if cap(g.came) > 4*usual && len(rest) <= usual {
		g.came = append(make([]byte, 0, usual), rest...)
		return
	}
	g.came = g.came[:copy(g.came, rest)]
}

func (g *guest) isShut() bool {
	select {
	case <-g.door.closed:
		return true
	default:
		return false
	}
}

// giveUp ends with a guest who went away or kept still. Who is slow with a request is left to net/http, which has its own time for that.
func (g *guest) giveUp(why error) {
	slow := errors.Is(why, os.ErrDeadlineExceeded) && !g.met
	if (slow || len(g.came) > 0) && !g.isShut() {
		g.handOn()
		return
	}
	g.conn.Close()
}

// handOn gives the guest to net/http. The porter must not hurry it there.
func (g *guest) handOn() {
	g.door.leave(g)
	g.conn.SetDeadline(time.Time{})
	g.door.handOn(&handed{TCPConn: g.conn, came: g.came})
}

// handed is a connection of which some was read.
type handed struct {
	*net.TCPConn
	came []byte
}

// Read gives what was read first.
func (h *handed) Read(b []byte) (int, error) {
	if len(h.came) == 0 {
		return h.TCPConn.Read(b)
	}
	n := copy(b, h.came)
	if h.came = h.came[n:]; len(h.came) == 0 {
		h.came = nil
	}
	return n, nil
}

// WriteTo is io.Copy's shorter way, which must not pass by what was read.
func (h *handed) WriteTo(w io.Writer) (int64, error) {
	return io.Copy(w, struct{ io.Reader }{h})
}
