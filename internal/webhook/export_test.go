package webhook

import (
	"context"
	"net"
)

// TakeForPublic lets a sender take one address for public, so that a test can be redirected from it.
func TakeForPublic(s *Sender, address string) { s.public = address }

// DialInstead gives a sender connections that a test made.
func DialInstead(s *Sender, conn func() net.Conn) {
	s.dial = func(context.Context, string, string) (net.Conn, error) { return conn(), nil }
}

// IsOneOf is what is asked of addresses that are public.
var IsOneOf = isOneOf
