// Package api is the document that describes the HTTP interface, in OpenAPI 3.1. It is written by hand; a test holds it to
// the routes and to real answers.
package api

import _ "embed"

// Document is the text of openapi.yaml.
//
//go:embed openapi.yaml
var Document []byte

// JSON is the same document for browsers, which read no YAML. A test makes it, and holds it to the other.
//
//go:embed openapi.json
var JSON []byte
