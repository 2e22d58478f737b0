package place_test

import (
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"footfall/internal/collect/place"
)

// resident is how much of the memory that is of files we hold, in MB.
func resident(t *testing.T) int {
	t.Helper()
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		t.Fatal(err)
	}
	found := regexp.MustCompile(`RssFile:\s+(\d+) kB`).FindSubmatch(status)
	if found == nil && os.Getenv("CI") != "" {
		t.Fatal("this system does not tell what memory is of files")
	}
	if found == nil {
		t.Skip("this system does not tell what memory is of files")
	}
	kB, err := strconv.Atoi(string(found[1]))
	if err != nil {
		t.Fatal(err)
	}
	return kB / 1000
}

func TestEmbeddedDatabaseIsNotInMemoryUntilItIsAsked(t *testing.T) {
	embedded(t)
	openPacked(t, place.EmbeddedText()) // reads all of it
	size, read := len(place.EmbeddedText())/1000_000, resident(t)
	a := embedded(t) // so does this, and gives it back
	if left := resident(t); read-left < size-2 {
		t.Errorf("of %d MB %d MB were read, and %d MB are left", size, read, left)
	}
	if got := find(a, "8.8.8.8").Country; got != "United States" {
		t.Errorf("after that 8.8.8.8 is %q", got)
	}
}

func TestOnlyMemoryOfAFileIsGivenBack(t *testing.T) {
	text := strings.Repeat("all of it must stay ", 100_000)
	place.Release(text)
	if strings.Count(text, "all of it must stay ") != 100_000 {
		t.Error("memory that is of no file was given back, and lost")
	}
	place.Release("")
	place.Release("short")
}
