// Package report_test sends reports with the real binary, through a real SMTP server, and kills it on the way.
package report_test

import (
	"fmt"
	"math/rand/v2"
	"net"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"footfall/internal/accounts"
	"footfall/internal/mail/mailtest"
	"footfall/test/system/program"
)

func TestMain(m *testing.M) { program.Main(m) }

const websites = 15 // with a report on a week and on a month each

// prepare makes accounts and websites in a data directory, with reports that are due: nobody planned them for 40 days.
func prepare(t *testing.T, dir string) {
	t.Helper()
	ago := time.Now().AddDate(0, 0, -40)
	db, err := accounts.Open(t.Context(), filepath.Join(dir, "footfall.db"), accounts.Options{Now: func() time.Time { return ago }})
	must(t, err)
	_, err = db.AddAccount(t.Context(), accounts.Shell(), accounts.AccountInput{Email: new("anna@example.com"), Password: new("long enough")})
	must(t, err)
	anna, err := db.ActAs(t.Context(), "anna@example.com")
	must(t, err)
	for i := range websites {
		_, err := db.CreateWebsite(t.Context(), anna, accounts.WebsiteInput{Domain: new(fmt.Sprintf("w%d.example", i)), Email: new("1")})
		must(t, err)
	}
	_, err = db.ReportedWebsites(t.Context())
	must(t, err)
	must(t, db.Close())
}

func serve(t *testing.T, dir string, port int) *program.Service {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	address := listener.Addr().String()
	must(t, listener.Close())
	return program.Serve(t, dir, "--listen", address, "--base-url", "http://"+address, "--mail-host", "127.0.0.1", "--mail-port", strconv.Itoa(port),
		"--mail-security", "none", "--mail-from", "stats@example.com")
}

// A moment is one at which the service is killed.
type moment string

const (
	named    moment = "when it has named the recipient"
	received moment = "when the server has the message, and has not said so"
	replied  moment = "about when the server has said so"
)

// An assassin kills the service at a moment of sending. Nothing is sent while he is not ready.
type assassin struct {
	mu      sync.Mutex
	changed sync.Cond // life or ready
	life    int       // of the service
	ready   bool
	victim  *program.Service // nil if it may live, or does not any more
	struck  int              // the life that he ended last
	last    string           // message that the server has got
	at      moment
	inDoubt map[string]bool // messages that were in between when the service was killed
	mails   []mailtest.Mail // that the server has, whether it could say so or not
}

// lieInWait begins another life.
func (a *assassin) lieInWait() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.life++
	a.victim, a.ready = nil, false
	a.changed.Broadcast()
}

// aim lets the service send, until the moment. nil lets it live.
func (a *assassin) aim(victim *program.Service, at moment) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.victim, a.at, a.ready = victim, at, true
	a.changed.Broadcast()
}

// wait returns when he is ready, and tells in which life that is. A connection of a life before is cut.
func (a *assassin) wait() (life int, err error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for life = a.life; !a.ready && a.life == life; {
		a.changed.Wait()
	}
	if a.life != life {
		return 0, mailtest.Later
	}
	return life, nil
}

// strike kills the service if this is the moment. The last message that the server has got may come again, except when the
// next one has a recipient already: then the service knew of the reply.
func (a *assassin) strike(t *testing.T, life int, at moment) (killed bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.victim == nil || a.at != at || a.life != life {
		return false
	}
	a.victim.Signal(t, syscall.SIGKILL)
	a.victim, a.struck = nil, life
	if at != named {
		a.inDoubt[a.last] = true
	}
	return true
}

// receive notes a message that the server has got. After the stroke it was on its way, and may come again too.
func (a *assassin) receive(m mailtest.Mail, id string) (life int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.mails = append(a.mails, m)
	a.last = id
	if a.struck == a.life {
		a.inDoubt[id] = true
	}
	return a.life
}

func TestReportsAreSentOnceThoughTheServiceIsKilled(t *testing.T) {
	const kills = 20
	a := &assassin{inDoubt: make(map[string]bool)}
	a.changed.L = &a.mu
	server := mailtest.Start(t, mailtest.Options{
		Recipient: func(string) error {
			life, err := a.wait()
			if err == nil {
				a.strike(t, life, named)
			}
			return err
		},
		Received: func(m mailtest.Mail) error {
			life := a.receive(m, idOf(t, m))
			if !a.strike(t, life, received) {
				pause := time.Duration(rand.IntN(8)) * time.Millisecond
				time.AfterFunc(pause, func() { a.strike(t, life, replied) })
			}
			return nil
		},
	})
	t.Cleanup(a.lieInWait) // lets go of connections, also if the test ends early
	dir := t.TempDir()
	prepare(t, dir)
	for i := range kills {
		a.lieInWait()
		s := serve(t, dir, server.Port)
		a.aim(s, []moment{named, received, replied}[i%3])
		s.Wait(t, 30*time.Second)
	}
	a.lieInWait()
	s := serve(t, dir, server.Port)
	a.aim(nil, "")
	distinct := func() (all map[string]mailtest.Mail, doubled int) {
		a.mu.Lock()
		defer a.mu.Unlock()
		all = make(map[string]mailtest.Mail)
		for _, m := range a.mails {
			id := idOf(t, m)
			if before, ok := all[id]; ok {
				doubled++
				if !a.inDoubt[id] {
					t.Errorf("%s came twice, and was not in between when the service was killed", id)
				}
				if b, m := mailtest.Parse(t, before.Data), mailtest.Parse(t, m.Data); b.Subject != m.Subject || b.Header.Get("Date") != m.Header.Get("Date") {
					t.Errorf("%s came twice, and is not the same", id)
				}
			}
			all[id] = m
		}
		return all, doubled
	}
	for start := time.Now(); time.Since(start) < time.Minute; time.Sleep(50 * time.Millisecond) {
		if all, _ := distinct(); len(all) == 2*websites {
			break
		}
	}
	time.Sleep(500 * time.Millisecond) // for one too many
	s.Signal(t, syscall.SIGTERM)
	if status := s.Wait(t, 15*time.Second); status != 0 {
		t.Errorf("it ended with %d: %s", status, s.Log())
	}
	all, doubled := distinct()
	subjects := make(map[string]int)
	for _, m := range all {
		subjects[mailtest.Parse(t, m.Data).Subject]++
	}
	for subject, n := range subjects {
		if n != 1 {
			t.Errorf("%q came %d times with different ids", subject, n)
		}
	}
	if len(all) != 2*websites {
		t.Errorf("%d reports, want %d", len(all), 2*websites)
	}
	if most := kills - kills/3; doubled > most { // each kill that is not the first moment
		t.Errorf("%d came again", doubled)
	}
	t.Logf("%d kills: %d reports, of which %d came again with the same Message-ID", kills, len(all), doubled)
}

func idOf(t *testing.T, m mailtest.Mail) string {
	return mailtest.Parse(t, m.Data).Header.Get("Message-Id")
}

func TestReportIsPreviewedBesideTheService(t *testing.T) {
	dir := t.TempDir()
	prepare(t, dir)
	program.Serve(t, dir) // a preview needs no other service to be stopped
	page := program.Must(t, dir, "", "report", "preview", "w3.example", "--period", "month", "--base-url", "https://stats.example.com")
	if !strings.Contains(page, "Monthly report") || !strings.Contains(page, "https://stats.example.com/w3.example?from=") {
		t.Errorf("preview is %s", page)
	}
	file := filepath.Join(t.TempDir(), "report.html")
	program.Must(t, dir, "", "report", "preview", "3", "--out", file, "--locale", "de")
	if left, err := filepath.Glob(filepath.Join(dir, "*.tmp")); err != nil || len(left) > 0 {
		t.Errorf("previews leave %v behind: %v", left, err)
	}
	if status, out := program.Run(t, dir, "", "report", "preview", "absent.example"); status != 1 || !strings.Contains(out, "No website") {
		t.Errorf("preview of nothing is %d: %s", status, out)
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
