package accounts

import (
	"context"
	"net"
	"sync"
	"time"
)

// answerWithin is how long PostgreSQL may say nothing to a question. No question here takes long; a server that is stopped, or a
// network that swallows what is sent, would keep whoever asks for ever.
const answerWithin = 5 * time.Second

// dialImpatiently opens connections that end when the server says nothing for a while.
func dialImpatiently(ctx context.Context, network, address string) (net.Conn, error) {
	var d net.Dialer
	c, err := d.DialContext(ctx, network, address)
	if err != nil {
		return nil, err
	}
	return &impatient{Conn: c}, nil
}

// An impatient connection has a deadline for each read, unless its user has set one.
type impatient struct {
	net.Conn
	mu  sync.Mutex
	set bool // a deadline, by the user
}

func (c *impatient) Read(b []byte) (int, error) {
	if err := c.limit(); err != nil {
		return 0, err
	}
	return c.Conn.Read(b)
}

func (c *impatient) limit() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.set {
		return nil
	}
	return c.Conn.SetReadDeadline(time.Now().Add(answerWithin))
}

func (c *impatient) SetDeadline(t time.Time) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.set = !t.IsZero()
	return c.Conn.SetDeadline(t)
}

func (c *impatient) SetReadDeadline(t time.Time) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.set = !t.IsZero()
	return c.Conn.SetReadDeadline(t)
}
