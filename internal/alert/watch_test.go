package alert_test

import (
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"footfall/internal/accounts"
	"footfall/internal/alert"
)

// In these weeks the median is 100. The deviations from it are 0, 10, 10, 0, 5, 5, 0 and 300, with the median 5, of which
// 1.4826 are less than the root of 100 and a tenth of it. So the spread is 10.
var calm = []int{100, 90, 110, 100, 95, 105, 100, 400}

func TestHourIsComparedWithWhatIsUsual(t *testing.T) {
	ones := func(n, weeks int) (all []int) {
		for range weeks {
			all = append(all, n)
		}
		return all
	}
	for name, c := range map[string]struct {
		in     accounts.AlertInput
		before []int // the last week first
		is     int
		usual  int64 // 0 is that nothing is told
	}{
		"above":                                {accounts.AlertInput{Kind: new("above")}, calm, 141, 100},
		"not above":                            {accounts.AlertInput{Kind: new("above")}, calm, 140, 0},
		"above, sensitive":                     {accounts.AlertInput{Kind: new("above"), Sensitivity: new("high")}, calm, 131, 100},
		"not above, sensitive":                 {accounts.AlertInput{Kind: new("above"), Sensitivity: new("high")}, calm, 130, 0},
		"above, thick-skinned":                 {accounts.AlertInput{Kind: new("above"), Sensitivity: new("low")}, calm, 161, 100},
		"not above, thick-skinned":             {accounts.AlertInput{Kind: new("above"), Sensitivity: new("low")}, calm, 160, 0},
		"above and asked for below":            {accounts.AlertInput{Kind: new("below")}, calm, 500, 0},
		"below":                                {accounts.AlertInput{Kind: new("below")}, calm, 59, 100},
		"not below":                            {accounts.AlertInput{Kind: new("below")}, calm, 60, 0},
		"nobody":                               {accounts.AlertInput{Kind: new("below")}, calm, 0, 100},
		"nobody and asked for above":           {accounts.AlertInput{Kind: new("above")}, calm, 0, 0},
		"above on a small website":             {accounts.AlertInput{Kind: new("above")}, ones(4, 8), 19, 0}, // 4 + 4·2 is usual, and 20 the floor
		"far above on a small website":         {accounts.AlertInput{Kind: new("above")}, ones(4, 8), 20, 4},
		"above on a small website, floor of 5": {accounts.AlertInput{Kind: new("above"), Threshold: new("5")}, ones(4, 8), 13, 4},
		"nobody on a small website":            {accounts.AlertInput{Kind: new("below")}, ones(19, 8), 0, 0},
		"nobody on one large enough":           {accounts.AlertInput{Kind: new("below")}, ones(20, 8), 0, 20},
		"weeks that differ":                    {accounts.AlertInput{Kind: new("above")}, []int{50, 150, 60, 140, 70, 130, 80, 120}, 270, 0}, // deviations of 20 to 50, median 35: up to 100 + 4·51.9
		"far above weeks that differ":          {accounts.AlertInput{Kind: new("above")}, []int{50, 150, 60, 140, 70, 130, 80, 120}, 308, 100},
		"three weeks are too few":              {accounts.AlertInput{Kind: new("above")}, ones(100, 3), 900, 0},
		"four weeks are enough":                {accounts.AlertInput{Kind: new("above")}, ones(100, 4), 141, 100},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t)
			w := r.website("example.com", "UTC")
			a := r.alert(w, c.in)
			r.Set("2026-03-04 12:05") // a Wednesday
			r.usually(w, "2026-03-04 11:30", c.before...)
			r.usually(w, "2026-03-04 10:59", 300, 300) // the hours beside it do not matter
			r.usually(w, "2026-03-03 11:30", 300, 300) // nor do other weekdays
			r.visits(w, "2026-03-04 11:59", c.is)
			r.visits(w, "2026-03-04 12:01", 300)
			watch := r.watch(r.DB)
			must(t, watch.Check(t.Context()))
			var want []alert.Finding
			if c.usual > 0 {
				from := time.Date(2026, 3, 4, 11, 0, 0, 0, time.UTC)
				want = append(want, alert.Finding{Alert: a.ID, Kind: a.Kind, From: from, To: from.Add(time.Hour), Is: int64(c.is), Usual: c.usual})
			}
			if diff := cmp.Diff(want, r.found()); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestUsualIsOnTheWebsitesClock(t *testing.T) {
	berlin, err := time.LoadLocation("Europe/Berlin")
	must(t, err)
	t.Run("nine o'clock is nine o'clock in summer too", func(t *testing.T) {
		r := newRig(t)
		w := r.website("example.com", "Europe/Berlin")
		a := r.alert(w, accounts.AlertInput{Kind: new("below")})
		r.usually(w, "2026-03-30 09:30", calm...) // a Monday, the day after the clock was set forward
		r.usually(w, "2026-03-30 10:30", 500, 500, 500, 500, 500, 500, 500, 500)
		r.visits(w, "2026-03-30 07:30", 90)
		r.visits(w, "2026-03-30 08:30", 90)
		watch := r.watch(r.DB)
		r.Set("2026-03-30 08:05")
		must(t, watch.Check(t.Context()))
		if found := r.found(); len(found) != 0 {
			t.Fatalf("found %+v", found)
		}
		r.Set("2026-03-30 09:05")
		must(t, watch.Check(t.Context()))
		from := time.Date(2026, 3, 30, 10, 0, 0, 0, berlin)
		want := []alert.Finding{{Alert: a.ID, Kind: "below", From: from, To: from.Add(time.Hour), Is: 90, Usual: 500}}
		if diff := cmp.Diff(want, r.found()); diff != "" {
			t.Error(diff)
		}
	})
	t.Run("an hour that comes twice is not judged", func(t *testing.T) {
		r := newRig(t)
		w := r.website("example.com", "Europe/Berlin")
		r.alert(w, accounts.AlertInput{Kind: new("above")})
		r.usually(w, "2026-10-25 02:30", 100, 100, 100, 100, 100, 100, 100, 100)
		r.usually(w, "2026-10-25 01:30", 100, 100, 100, 100, 100, 100, 100, 100)
		for _, at := range []string{"2026-10-24 23:30", "2026-10-25 00:30", "2026-10-25 01:30"} { // 01:30, 02:30 and 02:30 again
			r.visits(w, at, 100)
		}
		watch := r.watch(r.DB)
		r.Set("2026-10-25 00:05")
		for range 5 {
			must(t, watch.Check(t.Context()))
			r.Pass(30 * time.Minute)
		}
		if found := r.found(); len(found) != 0 {
			t.Errorf("found %+v", found)
		}
	})
	for name, c := range map[string]struct {
		hour, now string // what is judged, on the website's clock, and when in UTC
		weeks     []int
		want      int
	}{
		"nor does it tell what is usual":                 {"2026-11-01 02:30", "2026-11-01 02:05", []int{200, 100, 100, 100}, 0},
		"a fifth week does":                              {"2026-11-01 02:30", "2026-11-01 02:05", []int{200, 100, 100, 100, 100}, 1},
		"an hour that did not come tells nothing either": {"2026-04-05 02:30", "2026-04-05 01:05", []int{0, 100, 100, 100}, 0},
		"and again a fifth week does":                    {"2026-04-05 02:30", "2026-04-05 01:05", []int{0, 100, 100, 100, 100}, 1},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t)
			w := r.website("example.com", "Europe/Berlin")
			r.alert(w, accounts.AlertInput{Kind: new("above")})
			r.usually(w, c.hour, c.weeks...)
			r.usually(w, c.hour[:11]+"12:00", 1, 1, 1, 1)
			judged, err := time.ParseInLocation("2006-01-02 15:04", c.hour, berlin)
			must(t, err)
			r.visits(w, judged.UTC().Format("2006-01-02 15:04"), 200)
			r.Set(c.now)
			must(t, r.watch(r.DB).Check(t.Context()))
			if found := r.found(); len(found) != c.want {
				t.Errorf("found %+v", found)
			}
		})
	}
}

func TestSilence(t *testing.T) {
	for name, c := range map[string]struct {
		load func(r *rig, w accounts.Website)
		want int
	}{
		"no hits for three hours": {func(*rig, accounts.Website) {}, 1},
		"one in the first":        {func(r *rig, w accounts.Website) { r.visits(w, "2026-03-04 09:00", 1) }, 0},
		"one in the last":         {func(r *rig, w accounts.Website) { r.visits(w, "2026-03-04 11:59", 1) }, 0},
		"one just now":            {func(r *rig, w accounts.Website) { r.visits(w, "2026-03-04 12:01", 1) }, 0},
		"one before":              {func(r *rig, w accounts.Website) { r.visits(w, "2026-03-04 08:59", 1) }, 1},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t)
			w := r.website("example.com", "UTC")
			a := r.alert(w, accounts.AlertInput{Kind: new("silent")})
			r.Set("2026-03-04 12:05")
			r.usually(w, "2026-03-04 09:00", 10, 10, 10, 10, 0, 10, 0, 10)
			r.usually(w, "2026-03-04 11:59", 20, 15, 20, 20, 0, 25, 0, 20) // with those before 30, 25, 30, 30, 0, 35, 0, 30
			c.load(r, w)
			must(t, r.watch(r.DB).Check(t.Context()))
			from := time.Date(2026, 3, 4, 9, 0, 0, 0, time.UTC)
			want := []alert.Finding{{Alert: a.ID, Kind: "silent", From: from, To: from.Add(3 * time.Hour), Usual: 30, Hours: 3}}[:c.want]
			if diff := cmp.Diff(want, append([]alert.Finding{}, r.found()...)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// Nobody looked in the hour in which it came to an end: the alert is new, or the store was behind.
func TestSilenceThatIsOverIsNotTold(t *testing.T) {
	r := newRig(t)
	w := r.website("example.com", "UTC")
	r.usually(w, "2026-03-04 09:00", 30, 30, 30, 30)
	r.alert(w, accounts.AlertInput{Kind: new("silent")})
	r.visits(w, "2026-03-04 11:30", 1)
	r.Set("2026-03-04 12:01") // the hits of the hour up to 12 may be on their way, so that the last full one is that up to 11
	must(t, r.watch(r.DB).Check(t.Context()))
	if found := r.found(); len(found) != 0 {
		t.Errorf("found %+v", found)
	}
}

// A service that was down counted nothing: that is no silence of the website.
func TestSilenceThatWasNotWatchedWholeIsNotJudged(t *testing.T) {
	r := newRig(t)
	w := r.website("example.com", "UTC")
	r.alert(w, accounts.AlertInput{Kind: new("silent")})
	for _, at := range []string{"09:30", "12:30"} {
		r.usually(w, "2026-03-04 "+at, 30, 30, 30, 30)
	}
	watch := r.watch(r.DB)
	watch.Began = time.Date(2026, 3, 4, 9, 1, 0, 0, time.UTC)
	for want, now := range []string{"12:05", "13:05"} {
		r.Set("2026-03-04 " + now)
		must(t, watch.Check(t.Context()))
		if found := r.found(); len(found) != want {
			t.Errorf("at %s found %+v", now, found)
		}
	}
}

func TestWebsitesThatAreOftenSilentAreQuiet(t *testing.T) {
	for name, counts := range map[string][]int{
		"few hits":            {19, 19, 19, 19, 19, 19, 19, 19},
		"three silent weeks":  {0, 30, 30, 0, 30, 30, 0, 30},
		"always at this time": {0, 0, 0, 0, 0, 0, 0, 0},
		"three weeks of life": {30, 30, 30},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t)
			w := r.website("example.com", "UTC")
			r.alert(w, accounts.AlertInput{Kind: new("silent")})
			r.Set("2026-03-04 12:05")
			r.usually(w, "2026-03-04 10:00", counts...)
			r.usually(w, "2026-03-04 15:00", []int{1, 1, 1, 1, 1, 1, 1, 1}[:len(counts)]...)
			must(t, r.watch(r.DB).Check(t.Context()))
			if found := r.found(); len(found) != 0 {
				t.Errorf("found %+v", found)
			}
		})
	}
}

// A website has two hits every hour, until it has none: that is told once, and again only when it was alive in between.
func TestSilenceIsToldOnce(t *testing.T) {
	r := newRig(t)
	w := r.website("example.com", "UTC")
	r.alert(w, accounts.AlertInput{Kind: new("silent"), Hours: new("2"), Threshold: new("4")})
	end := time.Date(2026, 3, 4, 9, 0, 0, 0, time.UTC)
	for at := end.Add(-8 * 7 * 24 * time.Hour); at.Before(end); at = at.Add(time.Hour) {
		r.visits(w, at.Format("2006-01-02 15:04"), 2)
	}
	r.Set("2026-03-04 09:03")
	watch := r.watch(r.DB)
	hours := func(n int) int {
		t.Helper()
		for range n {
			must(t, watch.Check(t.Context()))
			must(t, r.watch(r.DB).Check(t.Context())) // as after a restart
			r.Pass(time.Hour)
		}
		return len(r.found())
	}
	if n := hours(2); n != 0 {
		t.Fatalf("told %d times before two hours were over", n)
	}
	if n := hours(60); n != 1 {
		t.Fatalf("told %d times", n)
	}
	r.visits(w, r.Now().Format("2006-01-02 15:04"), 1)
	if n := hours(2); n != 1 {
		t.Fatalf("told %d times", n)
	}
	if n := hours(3); n != 2 {
		t.Fatalf("told %d times after another silence began", n)
	}
}

func TestAlertIsToldOnceIn12HoursOnTwoNodes(t *testing.T) {
	r := newRig(t)
	w := r.website("example.com", "UTC")
	r.alert(w, accounts.AlertInput{Kind: new("above")})
	for i := range 15 {
		at := time.Date(2026, 3, 4, 11+i, 30, 0, 0, time.UTC)
		r.usually(w, at.Format("2006-01-02 15:04"), 25, 25, 25, 25)
		r.visits(w, at.Format("2006-01-02 15:04"), 46) // more than 25 + 4·5
	}
	nodes := []*alert.Watch{r.watch(r.DB), r.watch(r.Open())}
	r.Set("2026-03-04 12:05")
	var told []string
	for range 14 {
		for range 2 { // each hour is looked at twice
			var g sync.WaitGroup
			errs := make([]error, len(nodes))
			for i, n := range nodes {
				g.Go(func() { errs[i] = n.Check(t.Context()) })
			}
			g.Wait()
			must(t, errors.Join(errs...))
		}
		for len(told) < len(r.found()) {
			told = append(told, r.Now().Format("02 15:04"))
		}
		r.Pass(time.Hour)
	}
	if got := fmt.Sprint(told); got != "[04 12:05 05 00:05]" {
		t.Errorf("told at %s", got)
	}
}

func TestHoursThatWereNotWatchedWholeAreNotJudged(t *testing.T) {
	r := newRig(t)
	w := r.website("example.com", "UTC")
	r.alert(w, accounts.AlertInput{Kind: new("below")})
	r.usually(w, "2026-03-04 11:30", calm...)
	r.usually(w, "2026-03-04 12:30", calm...)
	r.Set("2026-03-04 12:05")
	watch := r.watch(r.DB)
	watch.Began = time.Date(2026, 3, 4, 11, 1, 0, 0, time.UTC)
	must(t, watch.Check(t.Context()))
	if found := r.found(); len(found) != 0 {
		t.Errorf("found %+v", found)
	}
	r.Set("2026-03-04 13:01") // hits of the last minutes may be on their way
	must(t, watch.Check(t.Context()))
	if found := r.found(); len(found) != 0 {
		t.Errorf("found %+v", found)
	}
	r.Pass(2 * time.Minute)
	behind := true
	watch.Behind = func() bool { return behind }
	must(t, watch.Check(t.Context()))
	if found := r.found(); len(found) != 0 {
		t.Errorf("found %+v", found)
	}
	behind = false
	must(t, watch.Check(t.Context()))
	if found := r.found(); len(found) != 1 {
		t.Errorf("found %+v", found)
	}
}

func TestNothingIsToldWithoutMailAndWebhook(t *testing.T) {
	r := newRig(t)
	w := r.website("example.com", "UTC")
	a := r.alert(w, accounts.AlertInput{Kind: new("above")})
	r.usually(w, "2026-03-04 11:30", calm...)
	r.visits(w, "2026-03-04 11:30", 500)
	r.Set("2026-03-04 12:05")
	watch := r.watch(r.DB)
	watch.Mail = ""
	must(t, watch.Check(t.Context()))
	found, err := r.DB.WatchedAlert(t.Context(), a.ID)
	must(t, err)
	if len(r.found()) != 0 || !found.FiredAt.IsZero() {
		t.Errorf("alert is %+v", found)
	}
}
