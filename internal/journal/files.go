package journal

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Files are the paths of the segments in a directory, in the order in which they were begun. It is for who copies a journal,
// also one that another process has open: a segment only grows, and one that is removed was read by the store. A directory
// that does not exist has none.
func Files(dir string) ([]string, error) {
	entries, err := os.ReadDir(dir) // sorted by name, which begins with the first number
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("list the journal: %w", err)
	}
	var all []string
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), suffix) && e.Type().IsRegular() {
			all = append(all, filepath.Join(dir, e.Name()))
		}
	}
	return all, nil
}
