package accounts_test

import (
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"footfall/internal/accounts"
	"footfall/internal/fault"
)

func addDelivery(t *testing.T, db *accounts.DB, series, name string) {
	t.Helper()
	must(t, db.AddDelivery(t.Context(), accounts.Delivery{Kind: "test", Name: name, Series: series, Payload: "{}", MessageID: name + "@example.com"}))
}

// take takes the next delivery, which has to be this one; "" is none.
func take(t *testing.T, db *accounts.DB, node, want string) accounts.Delivery {
	t.Helper()
	d, ok, err := db.TakeDelivery(t.Context(), "test", node)
	must(t, err)
	if ok != (want != "") || d.Name != want {
		t.Fatalf("%s took %q (%v), want %q", node, d.Name, ok, want)
	}
	return d
}

func TestDeliveryBelongsToOneNodeUntilItsLeaseEnds(t *testing.T) {
	onEachEngine(t, func(t *testing.T, home *home) {
		db := home.open(t)
		addDelivery(t, db, "", "a")
		addDelivery(t, db, "", "a") // a name is there once
		first := take(t, db, "one", "a")
		equal(t, "state", first.State, accounts.Sending)
		equal(t, "attempts", first.Attempts, 1)
		take(t, db, "two", "")
		home.pass(accounts.DeliveryLease - time.Second)
		take(t, db, "two", "")
		must(t, db.HandOver(t.Context(), first)) // which begins the lease anew
		home.pass(accounts.DeliveryLease - time.Second)
		take(t, db, "two", "")
		home.pass(2 * time.Second)
		second := take(t, db, "two", "a")
		equal(t, "message id", second.MessageID, first.MessageID)
		equal(t, "attempts", second.Attempts, 2)
		// Who has lost it can do nothing with it any more.
		wantFault(t, db.HandOver(t.Context(), first), fault.Conflict)
		wantFault(t, db.EndDelivery(t.Context(), first, accounts.Sent, ""), fault.Conflict)
		wantFault(t, db.PutBack(t.Context(), first, home.clock(), ""), fault.Conflict)
		must(t, db.EndDelivery(t.Context(), second, accounts.Sent, ""))
		wantFault(t, db.EndDelivery(t.Context(), second, accounts.Sent, ""), fault.Conflict)
		home.pass(time.Hour)
		take(t, db, "one", "")
		addDelivery(t, db, "", "a") // not even when it was sent
		take(t, db, "one", "")
	})
}

func TestDeliveryWaitsAsLongAsItIsTold(t *testing.T) {
	onEachEngine(t, func(t *testing.T, home *home) {
		db := home.open(t)
		addDelivery(t, db, "", "a")
		d := take(t, db, "one", "a")
		why := "451 4.3.0 busy\r\n" + strings.Repeat("ä", 1000) + "\x00"
		must(t, db.PutBack(t.Context(), d, home.clock().Add(time.Hour), why))
		addDelivery(t, db, "", "b")
		b := take(t, db, "one", "b")
		must(t, db.EndDelivery(t.Context(), b, accounts.Failed, "550"))
		take(t, db, "one", "")
		home.pass(time.Hour)
		d = take(t, db, "one", "a")
		if !strings.HasPrefix(d.LastError, "451 4.3.0 busy  ä") || len([]rune(d.LastError)) != 500 {
			t.Errorf("last error is %q", d.LastError)
		}
		list, err := db.Deliveries(t.Context(), "test", 10)
		must(t, err)
		equal(t, "deliveries", []accounts.DeliveryState{list[0].State, list[1].State}, []accounts.DeliveryState{accounts.Failed, accounts.Sending})
	})
}

func TestNodeThatBeginsTakesUpWhatItHad(t *testing.T) {
	onEachEngine(t, func(t *testing.T, home *home) {
		db := home.open(t)
		addDelivery(t, db, "", "a")
		addDelivery(t, db, "", "b")
		must(t, db.HandOver(t.Context(), take(t, db, "one", "a")))
		take(t, db, "two", "b")
		must(t, db.ReclaimDeliveries(t.Context(), "one"))
		d := take(t, db, "one", "a")
		equal(t, "attempts", d.Attempts, 2)
		take(t, db, "one", "")
	})
}

func TestNewDeliveryTakesThePlaceOfThoseThatWait(t *testing.T) {
	onEachEngine(t, func(t *testing.T, home *home) {
		db := home.open(t)
		addDelivery(t, db, "s", "first")
		addDelivery(t, db, "other", "another")
		addDelivery(t, db, "s", "second")
		take(t, db, "one", "another")
		d := take(t, db, "one", "second")
		addDelivery(t, db, "s", "third") // the second is on its way
		must(t, db.EndDelivery(t.Context(), d, accounts.Sent, ""))
		take(t, db, "one", "third")
		take(t, db, "one", "")
	})
}

func TestDeliveriesGoWithTheirWebsiteAndAccount(t *testing.T) {
	onEachEngine(t, func(t *testing.T, home *home) {
		db := home.open(t)
		addAccount(t, db, "root@example.com")
		anna, ben := addAccount(t, db, "anna@example.com"), addAccount(t, db, "ben@example.com")
		w := createWebsite(t, db, anna, "example.com")
		add := func(d accounts.Delivery) {
			d.Kind = "test"
			must(t, db.AddDelivery(t.Context(), d))
		}
		add(accounts.Delivery{Name: "to ben on it", Website: w.ID, Account: ben.Account()})
		add(accounts.Delivery{Name: "to anna on nothing", Account: anna.Account()})
		add(accounts.Delivery{Name: "to ben on nothing", Account: ben.Account()})
		must(t, db.DeleteWebsite(t.Context(), anna, w.ID))
		take(t, db, "one", "to anna on nothing")
		must(t, db.DeleteAccount(t.Context(), ben, ben.Account()))
		take(t, db, "one", "")
	})
}

func TestOldDeliveriesAreForgotten(t *testing.T) {
	onEachEngine(t, func(t *testing.T, home *home) {
		db := home.open(t)
		addDelivery(t, db, "", "sent")
		must(t, db.EndDelivery(t.Context(), take(t, db, "one", "sent"), accounts.Sent, ""))
		addDelivery(t, db, "", "waiting")
		home.pass(91 * 24 * time.Hour)
		must(t, db.TidyDeliveries(t.Context()))
		list, err := db.Deliveries(t.Context(), "test", 10)
		must(t, err)
		if len(list) != 1 || list[0].Name != "waiting" {
			t.Errorf("deliveries are %+v", list)
		}
	})
}

func TestManyNodesTakeEachDeliveryOnce(t *testing.T) {
	onEachEngine(t, func(t *testing.T, home *home) {
		dbs := []*accounts.DB{home.open(t), home.open(t), home.open(t)}
		const n = 60
		for i := range n {
			addDelivery(t, dbs[0], "", string(rune('A'+i)))
		}
		var taken atomic.Int64
		for _, err := range together(6, func(i int) error {
			db := dbs[i%len(dbs)]
			for {
				d, ok, err := db.TakeDelivery(t.Context(), "test", string(rune('a'+i)))
				if err != nil || !ok {
					return err
				}
				taken.Add(1)
				if err := db.HandOver(t.Context(), d); err != nil {
					return err
				}
				if err := db.EndDelivery(t.Context(), d, accounts.Sent, ""); err != nil {
					return err
				}
			}
		}) {
			must(t, err)
		}
		equal(t, "deliveries taken", taken.Load(), int64(n))
	})
}
