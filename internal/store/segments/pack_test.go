package segments

import (
	"bytes"
	"testing"
)

func TestPackedPagesComeBackWhateverTheirSize(t *testing.T) {
	for n := range 600 {
		for _, size := range []int{n, 997 * n} {
			page := bytes.Repeat([]byte("/a/page"), size/7+1)[:size]
			got, err := unpack(packAnyway(page), size, nil)
			if err != nil || !bytes.Equal(got, page) {
				t.Fatalf("%d bytes: %v", size, err)
			}
			if _, err := unpack(packAnyway(page), size+1, nil); err == nil {
				t.Fatalf("%d bytes pass for %d", size, size+1)
			}
		}
	}
}
