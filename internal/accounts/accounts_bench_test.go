package accounts

import (
	"fmt"
	"testing"
)

// What every request with a key costs before its own work, and the two requests that are asked of it most.
func BenchmarkRequest(b *testing.B) {
	db := openFile(b)
	anna := newCaller(b, db)
	_, key, err := db.CreateKey(b.Context(), anna, KeyInput{})
	if err != nil {
		b.Fatal(err)
	}
	var id int64
	for i := range 50 {
		w, err := db.CreateWebsite(b.Context(), anna, WebsiteInput{Domain: new(fmt.Sprintf("%d.example", i))})
		if err != nil {
			b.Fatal(err)
		}
		id = w.ID
	}
	for name, request := range map[string]func() error{
		"key":  func() error { _, err := db.CallerByKey(b.Context(), key); return err },
		"show": func() error { _, err := db.Website(b.Context(), anna, id); return err },
		"list": func() error { _, err := db.Websites(b.Context(), anna, ListParams{}); return err },
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if err := request(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
