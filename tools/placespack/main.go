// placespack packs databases of places for the binary; tools/places calls it.
//
//	placespack VERSION OUTPUT FILE.mmdb …
package main

import (
	"bytes"
	"fmt"
	"os"

	"footfall/internal/collect/place"
)

func main() {
	if len(os.Args) < 4 {
		fmt.Fprintln(os.Stderr, "usage: placespack VERSION OUTPUT FILE.mmdb …")
		os.Exit(2)
	}
	if err := pack(os.Args[1], os.Args[2], os.Args[3:]); err != nil {
		fmt.Fprintln(os.Stderr, "placespack:", err)
		os.Exit(1)
	}
}

// pack writes the output under its name only when it is whole.
func pack(version, output string, files []string) error {
	var packed bytes.Buffer
	if err := place.Pack(&packed, version, files...); err != nil {
		return err
	}
	if err := os.WriteFile(output+".new", packed.Bytes(), 0o644); err != nil {
		return err
	}
	return os.Rename(output+".new", output)
}
