// Package web is the pages that the service shows, as files in the binary.
package web

import "embed"

// Pages are the small pages that need no dashboard: the documentation of the interface, and the first account.
//
//go:embed pages
var Pages embed.FS
