// Package door is the way in for hits: it answers them itself, and leaves every other request to net/http.
//
// A hit is the smallest of requests, and there are more of them than of all others together; net/http spends more time on one than
// all that we do with it. So the door reads each connection first. As long as plain hits come, it hands them to their handler
// and writes the answers. With the first request that is anything else the connection goes to net/http, with all that was
// read and not answered, and stays there.
//
// The one thing to know: the door reads nothing in a way of its own. What it takes for a plain hit net/http reads as the same request,
// and a fuzz test holds it to that. Of whatever is unusual, large, slow or wrong, it has no opinion: that is not a plain hit.
package door

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"time"
)

// How long connections may keep still, in rounds of the porter.
const (
	round      = time.Second
	newRounds  = 2   // until a hit is there whole; then net/http waits for the rest, as long as it does
	nextRounds = 120 // until the next one begins
	sendRounds = 60  // until an answer is taken
)

// A Door is a net.Listener for an http.Server, which gets the connections that are not for hits alone.
type Door struct {
	listener net.Listener
	hits     Hits
	log      *slog.Logger
	context  context.Context // of all hits; done when the door is cut
	cut      context.CancelFunc

	once   sync.Once
	others chan net.Conn // for net/http
	errs   chan error    // of the listener
	closed chan struct{}

	mu     sync.Mutex
	guests map[*guest]struct{}
	shut   bool
	empty  chan struct{} // closed when it is shut and the last guest has left
}

// Hits are the requests that the door answers: POST to a path, taken by a handler that does not keep the request.
type Hits struct {
	Path    string
	Handler http.Handler
}

// New makes a door. Nothing is accepted before somebody calls Accept.
func New(l net.Listener, hits Hits, log *slog.Logger) *Door {
	d := &Door{
		listener: l, hits: hits, log: log, others: make(chan net.Conn), errs: make(chan error), closed: make(chan struct{}),
		guests: make(map[*guest]struct{}), empty: make(chan struct{}),
	}
	d.context, d.cut = context.WithCancel(context.Background())
	return d
}

// Accept waits for a connection that has something else to say than hits.
func (d *Door) Accept() (net.Conn, error) {
	d.once.Do(func() {
		go d.welcome()
		go d.patrol()
	})
	select {
	case c := <-d.others:
		return c, nil
	case err := <-d.errs:
		return nil, err
	case <-d.closed:
		return nil, net.ErrClosed
	}
}

// Addr is where it listens.
func (d *Door) Addr() net.Addr { return d.listener.Addr() }

// Close lets nobody in any more, and sends those away who say nothing. Hits that are there are answered: Wait waits for that.
func (d *Door) Close() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.shut {
		return net.ErrClosed
	}
	d.shut = true
	close(d.closed)
	for g := range d.guests {
		g.hurry()
	}
	if len(d.guests) == 0 {
		close(d.empty)
	}
	return d.listener.Close()
}

// Wait waits until all hits are answered, after Close. When ctx is done it cuts those that are not.
func (d *Door) Wait(ctx context.Context) error {
	defer d.cut()
	select {
	case <-d.empty:
		return nil
	case <-ctx.Done():
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	for g := range d.guests {
		g.conn.Close()
	}
	return ctx.Err()
}

// welcome lets connections in. What keeps it from that net/http hears of, and waits a while before it asks again.
func (d *Door) welcome() {
	for {
		c, err := d.listener.Accept()
		if err == nil {
			d.admit(c)
			continue
		}
		select {
		case d.errs <- err:
		case <-d.closed:
			return
		}
		if errors.Is(err, net.ErrClosed) {
			return
		}
	}
}

// admit lets a connection in, unless it is one that cannot be handed on as it came.
func (d *Door) admit(c net.Conn) {
	tcp, ok := c.(*net.TCPConn)
	if !ok {
		d.handOn(c)
		return
	}
	g := newGuest(tcp, d)
	d.mu.Lock()
	shut := d.shut
	if !shut {
		d.guests[g] = struct{}{}
	}
	d.mu.Unlock()
	if shut {
		c.Close()
		return
	}
	go g.stay()
}

// leave notes that a guest is gone: away, or with net/http.
func (d *Door) leave(g *guest) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if _, here := d.guests[g]; !here {
		return
	}
	delete(d.guests, g)
	if d.shut && len(d.guests) == 0 {
		close(d.empty)
	}
}

// handOn gives a connection to net/http.
func (d *Door) handOn(c net.Conn) {
	select {
	case d.others <- c:
	case <-d.closed:
		c.Close()
	}
}

// patrol looks after guests who keep still. It is what deadlines are for, and costs a hit nothing.
func (d *Door) patrol() {
	ticker := time.NewTicker(round)
	defer ticker.Stop()
	for {
		select {
		case <-ticker.C:
			d.look()
		case <-d.closed:
			return
		}
	}
}

// look hurries the guests who have kept still for too long. The porter calls it once a round.
func (d *Door) look() {
	d.mu.Lock()
	defer d.mu.Unlock()
	for g := range d.guests {
		if step := g.step.Load(); step != g.seen {
			g.seen, g.still = step, 0
		} else {
			g.still++
		}
		if g.still >= patience(g.seen) {
			g.hurry()
		}
	}
}
