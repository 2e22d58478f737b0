// Package web is the pages that the service shows, as files in the binary.
package web

import "embed"

// Pages are the small pages that need no dashboard: the documentation of the interface.
//
//go:embed pages
var Pages embed.FS

// Dist is the dashboard as make build makes it: index.html, and in assets what that loads, each file also as .gz and .br.
// A tree that was not built has only a README there.
//
//go:embed dist
var Dist embed.FS
