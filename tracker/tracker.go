// Package tracker is the script that counts visits, as the service sends it. script.js is what people read; script.min.js is
// made of it and kept beside it, so that building the service takes no Node. A test in test/e2e holds the two together.
package tracker

import (
	"crypto/sha512"
	_ "embed" // for the script
	"encoding/base64"
)

//go:generate npm ci --ignore-scripts --no-audit --no-fund
//go:generate node build.mjs

// Script is the script. Nobody may change it.
//
//go:embed script.min.js
var Script []byte

// Integrity is what a tag that includes the script may say as its integrity attribute. A browser then runs this version and
// no other, so such a tag has to change with every version that changes the script.
func Integrity() string { return "sha384-" + hash() }

// ETag is the entity tag of the script.
func ETag() string { return `"` + hash() + `"` }

func hash() string {
	sum := sha512.Sum384(Script)
	return base64.StdEncoding.EncodeToString(sum[:])
}
