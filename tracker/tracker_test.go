package tracker_test

import (
	"bytes"
	"compress/gzip"
	"crypto/sha512"
	"encoding/base64"
	"os"
	"testing"

	"footfall/tracker"
)

// maxCompressed is what a page is asked to load for being counted, with everything on.
const maxCompressed = 1536

func TestScriptStaysSmall(t *testing.T) {
	var b bytes.Buffer
	z, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		t.Fatal(err)
	}
	z.Write(tracker.Script)
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	if b.Len() > maxCompressed {
		t.Errorf("the script has %d bytes when compressed, and may have %d", b.Len(), maxCompressed)
	}
}

func TestIntegrityIsThatOfTheFile(t *testing.T) {
	file, err := os.ReadFile("script.min.js")
	if err != nil {
		t.Fatal(err)
	}
	sum := sha512.Sum384(file)
	want := base64.StdEncoding.EncodeToString(sum[:])
	if got := tracker.Integrity(); got != "sha384-"+want {
		t.Errorf("integrity is %s, want that of script.min.js", got)
	}
	if got := tracker.ETag(); got != `"`+want+`"` {
		t.Errorf("entity tag is %s, want that of script.min.js", got)
	}
}

// A page may load the script under a policy that allows no evaluated code and no inline styles or scripts.
func TestScriptHasNothingThatAStrictPolicyForbids(t *testing.T) {
	for _, word := range []string{"eval(", "Function(", "innerHTML", "document.write", ".style", "createElement", "cookie", "sessionStorage", "indexedDB"} {
		if bytes.Contains(tracker.Script, []byte(word)) {
			t.Errorf("the script has %s in it", word)
		}
	}
}
