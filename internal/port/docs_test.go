package port_test

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"footfall/internal/port"
)

func TestDocsHaveTheColumnsAndFormats(t *testing.T) {
	text, err := os.ReadFile("../../docs/import-export.md")
	if err != nil {
		t.Fatal(err)
	}
	before, after, _ := strings.Cut(string(text), "## Import\n")
	var columns []string
	for _, m := range regexp.MustCompile("(?m)^\\| `([a-z_]+)` \\|").FindAllStringSubmatch(before, -1) {
		columns = append(columns, m[1])
	}
	if d := cmp.Diff(port.Columns, columns); d != "" {
		t.Errorf("columns (-code +docs):\n%s", d)
	}
	for _, f := range port.Formats {
		if !regexp.MustCompile("(?m)^\\|.*`" + string(f) + "`.*\\|").MatchString(after) {
			t.Errorf("no row for the format %s", f)
		}
	}
}
