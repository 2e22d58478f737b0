package report_test

import (
	"bytes"
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"footfall/internal/accounts"
	"footfall/internal/mail/mailtest"
)

func TestReportIsSentOnceToEachWhoWantsIt(t *testing.T) {
	r := newRig(t, "", mailtest.Options{})
	anna, ben := r.Account("anna@example.com", "en"), r.Account("ben@example.com", "de")
	r.Account("carl@example.com", "en")
	w := r.website(anna, "example.com", "UTC")
	for _, email := range []string{"ben@example.com", "carl@example.com"} {
		_, err := r.DB.ShareWebsite(t.Context(), anna, w.ID, accounts.ShareInput{Email: email})
		must(t, err)
	}
	_, err := r.DB.Subscribe(t.Context(), ben, w.ID, accounts.SubscriptionInput{Reports: new("1")})
	must(t, err)
	n := r.node("one", r.DB)
	r.Set("2026-03-09 06:00")
	n.work(t)
	n.work(t)
	var to []string
	for _, m := range r.mails() {
		to = append(to, m.To)
	}
	slices.Sort(to)
	if !slices.Equal(to, []string{"anna@example.com", "ben@example.com"}) {
		t.Errorf("recipients are %v", to)
	}
	if n := r.mail.Connections(); n != 1 {
		t.Errorf("%d connections for one batch", n)
	}
}

func TestReportThatNobodyWantsAnyMoreIsDropped(t *testing.T) {
	cases := map[string]func(t *testing.T, r *rig, w accounts.Website, anna, ben accounts.Caller){
		"unsubscribed": func(t *testing.T, r *rig, w accounts.Website, anna, ben accounts.Caller) {
			must(t, r.DB.Unsubscribe(t.Context(), w.ID, ben.Account()))
		},
		"not shared any more": func(t *testing.T, r *rig, w accounts.Website, anna, ben accounts.Caller) {
			must(t, r.DB.UnshareWebsite(t.Context(), anna, w.ID, ben.Account()))
		},
		"switched off": func(t *testing.T, r *rig, w accounts.Website, anna, ben accounts.Caller) {
			_, err := r.DB.UpdateWebsite(t.Context(), anna, w.ID, accounts.WebsiteInput{Email: new("0")})
			must(t, err)
		},
	}
	for name, change := range cases {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, "", mailtest.Options{})
			anna, ben := r.Account("anna@example.com", "en"), r.Account("ben@example.com", "en")
			w := r.website(anna, "example.com", "UTC")
			_, err := r.DB.ShareWebsite(t.Context(), anna, w.ID, accounts.ShareInput{Email: "ben@example.com"})
			must(t, err)
			_, err = r.DB.Subscribe(t.Context(), ben, w.ID, accounts.SubscriptionInput{Reports: new("1")})
			must(t, err)
			n := r.node("one", r.DB)
			r.Set("2026-03-09 06:00")
			must(t, n.Plan(t.Context()))
			change(t, r, w, anna, ben)
			must(t, n.Send(t.Context()))
			for _, m := range r.mails() {
				if m.To == "ben@example.com" {
					t.Error("it was sent")
				}
			}
			if got := strings.Join(names(t, r.DB), "\n"); !strings.Contains(got, "week/1/2/2026-03-02 dropped") {
				t.Errorf("outbox is %s", got)
			}
		})
	}
}

func TestServerThatIsAwayForADayGetsTheReportOnce(t *testing.T) {
	r := newRig(t, "", mailtest.Options{})
	anna := r.Account("anna@example.com", "en")
	r.website(anna, "example.com", "UTC")
	r.website(anna, "example.org", "UTC")
	n := r.node("one", r.DB)
	r.mail.Stop()
	r.Set("2026-03-09 06:00")
	failed := 0
	for range 4 * 25 { // a day and an hour
		must(t, n.Plan(t.Context()))
		if err := n.Send(t.Context()); err != nil {
			failed++
		}
		r.Pass(15 * time.Minute)
	}
	if failed < 20 || failed > 80 {
		t.Errorf("%d attempts in a day", failed)
	}
	r.mail = mailtest.StartAt(t, mailtest.Options{}, r.mail.Port)
	for range 8 { // two hours
		n.work(t)
		r.Pass(15 * time.Minute)
	}
	if got := ids(t, r.mails()); len(got) != 2 {
		t.Errorf("%d mails, want 2", len(got))
	}
}

func TestReportIsGivenUpAfterDays(t *testing.T) {
	r := newRig(t, "", mailtest.Options{Recipient: func(string) error { return mailtest.Later }})
	anna := r.Account("anna@example.com", "en")
	r.website(anna, "example.com", "UTC")
	n := r.node("one", r.DB)
	r.Set("2026-03-09 06:00")
	for range 6 * 12 {
		must(t, n.Plan(t.Context()))
		n.Send(t.Context()) // how it fails, the outbox knows
		r.Pass(2 * time.Hour)
	}
	list, err := r.DB.Deliveries(t.Context(), "report", 10)
	must(t, err)
	if len(list) != 1 || list[0].State != accounts.Failed || !strings.Contains(list[0].LastError, "451") {
		t.Errorf("outbox is %+v", list)
	}
}

func TestReportsThatAreToComeLaterHoldUpNoOther(t *testing.T) {
	r := newRig(t, "", mailtest.Options{Recipient: func(to string) error {
		if to == "grey@example.com" {
			return mailtest.Later
		}
		return nil
	}})
	grey, anna := r.Account("grey@example.com", "en"), r.Account("anna@example.com", "en")
	for i := range 3 {
		r.website(grey, fmt.Sprintf("grey%d.example", i), "UTC")
	}
	r.website(anna, "example.com", "UTC")
	r.Set("2026-03-09 06:00")
	r.node("one", r.DB).work(t)
	if got := r.mails(); len(got) != 1 || got[0].To != "anna@example.com" || r.mail.Connections() != 1 {
		t.Errorf("mails are %v over %d connections", got, r.mail.Connections())
	}
}

func TestRefusedReportIsNotTriedAgain(t *testing.T) {
	var asked int
	r := newRig(t, "", mailtest.Options{Recipient: func(to string) error {
		if to == "gone@example.com" {
			asked++
			return mailtest.Never
		}
		return nil
	}})
	r.website(r.Account("gone@example.com", "en"), "example.com", "UTC")
	r.website(r.Account("anna@example.com", "en"), "example.org", "UTC")
	n := r.node("one", r.DB)
	r.Set("2026-03-09 06:00")
	for range 5 {
		n.work(t)
		r.Pass(6 * time.Hour)
	}
	if asked != 1 || len(r.mails()) != 1 {
		t.Errorf("the server was asked %d times", asked)
	}
}

// Between the end of a message and the reply nobody can know. The same message comes again.
func TestLostReplyMakesTheSameMessageComeAgain(t *testing.T) {
	var got []mailtest.Mail
	r := newRig(t, "", mailtest.Options{Received: func(m mailtest.Mail) error {
		if got = append(got, m); len(got) == 1 {
			return mailtest.Later // in the place of a reply that was lost
		}
		return nil
	}})
	w := r.website(r.Account("anna@example.com", "en"), "example.com", "UTC")
	r.load(visits(w.ID, "2026-03-03", 5, nil)...)
	n := r.node("one", r.DB)
	r.Set("2026-03-09 06:00")
	must(t, n.Plan(t.Context()))
	must(t, n.Send(t.Context()))
	r.Pass(time.Hour)
	must(t, n.Send(t.Context()))
	if len(got) != 2 || !bytes.Equal(got[0].Data, got[1].Data) {
		t.Errorf("%d messages, not the same", len(got))
	}
}

// The database is busy right after the server has the report. It is not sent again, whenever the database comes to know it.
func TestReportIsNotSentAgainBecauseTheDatabaseIsBusy(t *testing.T) {
	var lock *sql.Conn
	var r *rig
	r = newRig(t, "", mailtest.Options{Received: func(mailtest.Mail) error {
		raw, err := sql.Open("sqlite", r.URL)
		if err == nil {
			lock, err = raw.Conn(context.Background())
		}
		if err == nil {
			_, err = lock.ExecContext(context.Background(), `BEGIN IMMEDIATE`)
		}
		return err
	}})
	r.website(r.Account("anna@example.com", "en"), "example.com", "UTC")
	n := r.node("one", r.DB)
	r.Set("2026-03-09 06:00")
	must(t, n.Plan(t.Context()))
	if err := n.Send(t.Context()); err == nil {
		t.Error("the database was not busy")
	}
	_, err := lock.ExecContext(t.Context(), `ROLLBACK`)
	must(t, err)
	r.Pass(time.Hour)
	must(t, n.Send(t.Context()))
	if got := names(t, r.DB); len(r.mails()) != 1 || !slices.Equal(got, []string{"week/1/1/2026-03-02 sent"}) {
		t.Errorf("outbox is %v", got)
	}
}

func TestNodeThatLostItsLeaseSendsNothing(t *testing.T) {
	onEachDatabase(t, func(t *testing.T, database string) {
		var r *rig
		var other *node
		first := true
		r = newRig(t, database, mailtest.Options{Recipient: func(string) error {
			if first { // the first node stands still, right before it sends
				first = false
				r.Pass(accounts.DeliveryLease + time.Second)
				return other.Send(context.Background())
			}
			return nil
		}})
		r.website(r.Account("anna@example.com", "en"), "example.com", "UTC")
		n := r.node("one", r.DB)
		other = r.node("two", r.Open())
		r.Set("2026-03-09 06:00")
		n.work(t)
		n.work(t)
		if got := ids(t, r.mails()); len(got) != 1 {
			t.Errorf("%d mails, want 1", len(got))
		}
	})
}

func TestTwoNodesSendEachReportOnce(t *testing.T) {
	onEachDatabase(t, func(t *testing.T, database string) {
		r := newRig(t, database, mailtest.Options{})
		const websites = 25
		anna := r.Account("anna@example.com", "en")
		for i := range websites {
			r.website(anna, fmt.Sprintf("w%d.example", i), []string{"UTC", "Europe/Berlin", "Asia/Tokyo"}[i%3])
		}
		nodes := []*node{r.node("one", r.DB), r.node("two", r.Open())}
		r.Set("2026-06-01 12:00") // a first, and a Monday
		var wg sync.WaitGroup
		for _, n := range nodes {
			wg.Go(func() {
				for range 3 {
					if err := n.Plan(t.Context()); err != nil {
						t.Error(err)
					}
					if err := n.Send(t.Context()); err != nil {
						t.Error(err)
					}
				}
			})
		}
		wg.Wait()
		if got := ids(t, r.mails()); len(got) != 2*websites {
			t.Errorf("%d mails, want %d", len(got), 2*websites)
		}
	})
}

func TestReportOutOfABackupHasTheSameID(t *testing.T) {
	var sent []string
	database := t.TempDir() + "/footfall.db"
	var path string
	for _, again := range []bool{false, true} {
		r := newRig(t, database, mailtest.Options{})
		if again {
			r.URL = path
			r.DB = r.Open()
		} else {
			r.website(r.Account("anna@example.com", "en"), "example.com", "UTC")
			_, err := r.DB.SigningKey(t.Context(), "report")
			must(t, err)
			path = t.TempDir() + "/copy.db"
			must(t, r.DB.CopyTo(t.Context(), path))
		}
		r.Set("2026-03-09 06:00")
		r.node("one", r.DB).work(t)
		sent = append(sent, ids(t, r.mails())...)
	}
	if len(sent) != 2 || sent[0] != sent[1] {
		t.Errorf("ids are %v", sent)
	}
}
