package httpapi_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"net/url"
	"os"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
)

// junk is what people send who mean no good, or do not know better.
var junk = []string{
	"", " ", "0", "1", "2", "-1", "10", "9999999999999999999", "1e9", "true", "null", "NaN", "'", `"`, "' OR 1=1 --", "%", "_", "*", "\\", "../../etc/passwd",
	"<script>alert(1)</script>", "\x00", "\xff\xfe", "\u202egnp.exe", "😀", strings.Repeat("a", 5000), "2026-03-01", "2026-02-30", "0000-00-00", "page", "visitors",
	"anna@example.com", "example.com", "xn--", "::1", "192.0.2.0/24", "UTC", "Europe/Berlin", "desc", "domain", "value", "{}", "[]", `{"and":[]}`,
	`{"dimension":"page","op":"is","values":["/"]}`, `{"dimension":"day","op":"is","values":["/"]}`, "all", "previous_year",
}

// Requests are generated from the document, right ones and wrong ones. None may fail, and every answer must be as the
// document says (service.do sees to that). FOOTFALL_TEST_LONG sends more.
func TestGeneratedRequestsAreAnsweredAsTheDocumentSays(t *testing.T) {
	requests := 2000
	if os.Getenv("FOOTFALL_TEST_LONG") != "" {
		requests = 100_000
	}
	s := newService(t, nil)
	key := s.account("anna@example.com")
	cheap := func(o *openapi3.Operation) bool { // a password costs a hash each time, and an account must stay to ask
		return !slices.Contains([]string{"signIn", "changePassword", "setPassword", "addAccount", "updateMe", "updateAccount", "deleteAccount", "setup", "metrics", "beginTOTP", "endTOTP"}, o.OperationID)
	}
	type operation struct {
		method, path string
		item         *openapi3.PathItem
		*openapi3.Operation
	}
	var operations []operation
	for _, at := range slices.Sorted(maps.Keys(document().Paths.Map())) {
		item := document().Paths.Map()[at]
		for _, method := range slices.Sorted(maps.Keys(item.Operations())) {
			if o := item.Operations()[method]; cheap(o) {
				operations = append(operations, operation{method, at, item, o})
			}
		}
	}
	seed := uint64(20260401)
	g := &generator{rand.New(rand.NewPCG(seed, 0))}
	statuses := make(map[int]int)
	website := ""
	for n := range requests {
		if n%50 == 0 { // the one before may be deleted by now
			made := s.want(201, s.ask(key, "POST", "/api/v1/websites", map[string]any{"domain": fmt.Sprintf("site%d.example", n)}))
			website = path.Base(made.header.Get("Location"))
		}
		o := operations[g.IntN(len(operations))]
		r := request{method: o.method, path: o.path, key: key}
		query := make(url.Values)
		for _, p := range slices.Concat(o.item.Parameters, o.Parameters) {
			value := fmt.Sprint(g.value(p.Value.Schema.Value, 0))
			switch {
			case p.Value.In == "path" && p.Value.Name == "id" && strings.HasPrefix(o.path, "/api/v1/websites/") && g.IntN(2) == 0:
				r.path = strings.ReplaceAll(r.path, "{id}", website) // what an unknown id hides is asked too
			case p.Value.In == "path":
				r.path = strings.ReplaceAll(r.path, "{"+p.Value.Name+"}", url.PathEscape(value))
			case p.Value.Required && g.IntN(20) > 0 || g.IntN(3) == 0:
				query.Set(p.Value.Name, value)
			}
		}
		if strings.Contains(r.path, "//") || strings.HasSuffix(r.path, "/") || strings.Contains(r.path, "/.") {
			continue // an id that makes it another path
		}
		if o.RequestBody != nil {
			content := o.RequestBody.Value.Content
			kind := slices.Sorted(maps.Keys(content))[g.IntN(len(content))]
			body := g.value(content[kind].Schema.Value, 0)
			if fields, ok := body.(map[string]any); ok && kind != "application/json" {
				body = form(fields)
			}
			r.body = body
		}
		if len(query) > 0 {
			r.path += "?" + query.Encode()
		}
		got := s.do(r)
		if statuses[got.status]++; got.status == 401 { // it has revoked its own key
			key = s.key("anna@example.com", "manage")
		}
	}
	t.Logf("seed %d: %v", seed, statuses)
	if statuses[200] < requests/10 || statuses[422] < requests/20 {
		t.Errorf("the requests are too much alike: %v", statuses)
	}
}

type generator struct{ *rand.Rand }

// value is one that a schema allows, mostly.
func (g *generator) value(s *openapi3.Schema, depth int) any {
	switch n := g.IntN(12); {
	case n == 0:
		return junk[g.IntN(len(junk))]
	case len(s.AllOf) > 0:
		all := make(map[string]any)
		for _, part := range s.AllOf {
			if fields, ok := g.value(part.Value, depth).(map[string]any); ok {
				maps.Copy(all, fields)
			}
		}
		return all
	case len(s.OneOf) > 0:
		return g.value(s.OneOf[g.IntN(len(s.OneOf))].Value, depth+1)
	case len(s.Enum) > 0:
		return s.Enum[g.IntN(len(s.Enum))]
	case s.Type.Is("object"):
		fields := make(map[string]any)
		for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
			p := s.Properties[name]
			if name != "password" && (slices.Contains(s.Required, name) || g.IntN(3) == 0) {
				fields[name] = g.value(p.Value, depth+1)
			}
		}
		return fields
	case s.Type.Is("array"):
		list := []any{}
		for range g.IntN(4) {
			if depth < 6 {
				list = append(list, g.value(s.Items.Value, depth+1))
			}
		}
		return list
	case s.Type.Is("integer"):
		return g.IntN(5)
	case s.Type.Is("boolean"):
		return g.IntN(2) == 0
	case s.Format == "date":
		return fmt.Sprintf("2026-%02d-%02d", 1+g.IntN(12), 1+g.IntN(28))
	}
	return junk[g.IntN(len(junk))]
}
