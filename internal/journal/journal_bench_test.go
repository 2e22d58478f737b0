package journal_test

import (
	"io"
	"runtime"
	"sync/atomic"
	"testing"

	"footfall/internal/journal"
)

// BenchmarkAppend64 is 64 goroutines that each append a record of 150 bytes and wait until it is on disk.
func BenchmarkAppend64(b *testing.B) {
	j, err := journal.Open(b.TempDir(), journal.Options{MaxBytes: 64 << 30})
	if err != nil {
		b.Fatal(err)
	}
	defer j.Close()
	record := make([]byte, 150)
	var failed atomic.Pointer[error]
	b.SetParallelism(64 / runtime.GOMAXPROCS(0))
	b.ReportAllocs()
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			if _, err := j.Append(b.Context(), record); err != nil {
				failed.Store(&err)
				return
			}
		}
	})
	if err := failed.Load(); err != nil {
		b.Fatal(*err)
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "appends/s")
}

// BenchmarkAppend1 is one goroutine: the time of a write and an fsync.
func BenchmarkAppend1(b *testing.B) {
	j, err := journal.Open(b.TempDir(), journal.Options{})
	if err != nil {
		b.Fatal(err)
	}
	defer j.Close()
	record := make([]byte, 150)
	for b.Loop() {
		if _, err := j.Append(b.Context(), record); err != nil {
			b.Fatal(err)
		}
	}
}

// filled is a journal with n records of 150 bytes, and its directory.
func filled(b *testing.B, n int) (*journal.Journal, string) {
	dir := b.TempDir()
	j, err := journal.Open(dir, journal.Options{})
	if err != nil {
		b.Fatal(err)
	}
	records := make([][]byte, 10_000)
	for i := range records {
		records[i] = make([]byte, 150)
	}
	for range n / len(records) {
		if _, err := j.Append(b.Context(), records...); err != nil {
			b.Fatal(err)
		}
	}
	return j, dir
}

func BenchmarkRead(b *testing.B) {
	const records = 1_000_000
	j, _ := filled(b, records)
	defer j.Close()
	for b.Loop() {
		n := 0
		r := j.Reader(0)
		for {
			_, data, err := r.TryNext()
			if err == io.EOF {
				break
			}
			if err != nil || len(data) != 150 {
				b.Fatal(len(data), err)
			}
			n++
		}
		if n != records {
			b.Fatal(n)
		}
	}
	b.ReportMetric(float64(records*b.N)/b.Elapsed().Seconds(), "records/s")
}

func BenchmarkOpen(b *testing.B) {
	const records = 1_000_000
	j, dir := filled(b, records)
	j.Close()
	for b.Loop() {
		j, err := journal.Open(dir, journal.Options{})
		if err != nil || j.Repair().Records != records {
			b.Fatal(err, j.Repair())
		}
		j.Close()
	}
	b.ReportMetric(float64(records*b.N)/b.Elapsed().Seconds(), "records/s")
}
