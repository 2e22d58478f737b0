package httpapi_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"footfall/internal/accounts"
	"footfall/internal/httpapi"
	"footfall/internal/store/segments"
)

// BenchmarkRequests asks over loopback, as many at once as there are processors, and beside it a bare handler that
// answers with a body of the same size: the ratio of the two is what the service costs.
func BenchmarkRequests(b *testing.B) {
	db, err := accounts.Open(b.Context(), "", accounts.Options{Dir: b.TempDir()})
	if err != nil {
		b.Fatal(err)
	}
	defer db.Close()
	engine, err := segments.Open(b.TempDir(), segments.Options{})
	if err != nil {
		b.Fatal(err)
	}
	defer engine.Close()
	if _, err := db.AddAccount(b.Context(), accounts.Shell(), accounts.AccountInput{Email: new("anna@example.com"), Password: new("long enough")}); err != nil {
		b.Fatal(err)
	}
	anna, err := db.ActAs(b.Context(), "anna@example.com")
	if err != nil {
		b.Fatal(err)
	}
	_, key, err := db.CreateKey(b.Context(), anna, accounts.KeyInput{})
	if err != nil {
		b.Fatal(err)
	}
	for i := range 25 {
		if _, err := db.CreateWebsite(b.Context(), anna, accounts.WebsiteInput{Domain: new(fmt.Sprintf("site%d.example", i))}); err != nil {
			b.Fatal(err)
		}
	}
	api := httpapi.New(httpapi.Options{Accounts: db, Store: engine, Limits: httpapi.Limits{Address: 60_000_000, Key: 60_000_000}})
	for name, path := range map[string]string{
		"show": "/api/v1/websites/1", "list": "/api/v1/websites", "statistic": "/api/v1/stats/1?name=page&from=2026-03-01&to=2026-03-31",
	} {
		server := httptest.NewServer(api.Handler())
		b.Run(name, func(b *testing.B) { askMany(b, server.URL+path, key) })
		body := askOnce(b, server.URL+path, key)
		server.Close()
		bare := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			w.Write(body)
		}))
		b.Run(name+"/bare", func(b *testing.B) { askMany(b, bare.URL+path, key) })
		bare.Close()
	}
}

func askMany(b *testing.B, url, key string) {
	b.ReportAllocs()
	b.SetParallelism(8)
	b.RunParallel(func(p *testing.PB) {
		for p.Next() {
			askOnce(b, url, key)
		}
	})
}

var benchClient = &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64}}

func askOnce(b *testing.B, url, key string) []byte {
	r, err := http.NewRequest("GET", url, nil)
	if err != nil {
		b.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+key)
	answer, err := benchClient.Do(r)
	if err != nil {
		b.Fatal(err)
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil || answer.StatusCode != 200 {
		b.Fatalf("%d %s %v", answer.StatusCode, body, err)
	}
	return body
}
