package accounts

import (
	"errors"
	"net"
	"os"
	"testing"
	"testing/synctest"
	"time"
)

func TestAServerThatSaysNothingIsGivenUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		here, there := net.Pipe()
		defer there.Close()
		c := &impatient{Conn: here}
		defer c.Close()
		read := func() (time.Duration, error) {
			began := time.Now()
			_, err := c.Read(make([]byte, 1))
			return time.Since(began), err
		}
		if took, err := read(); !errors.Is(err, os.ErrDeadlineExceeded) || took != answerWithin {
			t.Errorf("given up after %v: %v", took, err)
		}
		go func() { time.Sleep(answerWithin - time.Second); there.Write([]byte("x")) }()
		if took, err := read(); err != nil || took != answerWithin-time.Second {
			t.Errorf("a slow answer after %v: %v", took, err)
		}
		c.SetDeadline(time.Now().Add(-time.Second)) // as the driver does when nobody waits for the answer any more
		if took, err := read(); !errors.Is(err, os.ErrDeadlineExceeded) || took != 0 {
			t.Errorf("after the driver gave up, %v: %v", took, err)
		}
		c.SetDeadline(time.Time{})
		time.AfterFunc(time.Second, func() { c.SetReadDeadline(time.Now()) })
		if took, err := read(); !errors.Is(err, os.ErrDeadlineExceeded) || took != time.Second {
			t.Errorf("when the driver gives up meanwhile, %v: %v", took, err)
		}
	})
}
