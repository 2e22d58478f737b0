package api_test

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"os"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/oasdiff/yaml"

	"footfall/api"
)

var update = flag.Bool("update", false, "write openapi.json anew")

func TestDocumentIsOpenAPI(t *testing.T) {
	document, err := openapi3.NewLoader().LoadFromData(api.Document)
	if err != nil {
		t.Fatal(err)
	}
	if err := document.Validate(context.Background()); err != nil {
		t.Error(err)
	}
}

func TestJSONIsTheSameDocument(t *testing.T) {
	want, err := yaml.YAMLToJSON(api.Document)
	if err != nil {
		t.Fatal(err)
	}
	var indented bytes.Buffer
	if err := json.Indent(&indented, want, "", " "); err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile("openapi.json", indented.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if !bytes.Equal(api.JSON, indented.Bytes()) {
		t.Error("openapi.json is not openapi.yaml: run go test ./api -update")
	}
}
