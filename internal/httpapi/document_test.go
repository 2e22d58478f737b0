package httpapi_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"

	"footfall/internal/httpapi"
	"footfall/internal/stats"
)

// pages are routes for browsers. They are no part of the interface, and not in the document.
var pages = []string{"/js/script.js", "/js/{file}", "/unsubscribe/{token}", "/docs", "/setup", "/pages/{file}", "/{$}", "/sign-in", "/account", "/installation", "/{domain}", "/{domain}/{section}", "/assets/{file}"}

func TestDocumentHasEveryRouteAndNoOther(t *testing.T) {
	var inTable, inDocument []string
	for _, r := range httpapi.Routes() {
		if !slices.Contains(pages, r.Pattern) {
			inTable = append(inTable, r.Method+" "+r.Pattern)
		}
	}
	for path, item := range document().Paths.Map() {
		for method := range item.Operations() {
			inDocument = append(inDocument, method+" "+path)
		}
	}
	for _, r := range inTable {
		if !slices.Contains(inDocument, r) {
			t.Errorf("%s answers, and is not in the document", r)
		}
	}
	for _, r := range inDocument {
		if !slices.Contains(inTable, r) {
			t.Errorf("%s is in the document, and does not answer", r)
		}
	}
}

func TestDocumentSaysWhoMayAsk(t *testing.T) {
	for _, r := range httpapi.Routes() {
		item := document().Paths.Find(r.Pattern)
		if item == nil {
			continue
		}
		o := item.GetOperation(r.Method)
		open := o.Security != nil && len(*o.Security) == 0
		if open != (r.Who == httpapi.Anyone) {
			t.Errorf("%s %s is for %s, but the document says otherwise", r.Method, r.Pattern, r.Who)
		}
		shared := o.Security != nil && slices.ContainsFunc(*o.Security, func(s openapi3.SecurityRequirement) bool { return s["share"] != nil })
		public := o.Security != nil && slices.ContainsFunc(*o.Security, func(s openapi3.SecurityRequirement) bool { return len(s) == 0 })
		if shared != (r.Who == httpapi.Viewer) || public != shared {
			t.Errorf("%s %s is for %s, but the document says otherwise", r.Method, r.Pattern, r.Who)
		}
		limited := o.Responses.Value("429") != nil
		if limited != (r.Class != httpapi.Free) {
			t.Errorf("%s %s is limited as %s, but the document says otherwise", r.Method, r.Pattern, r.Class)
		}
		if r.Who != httpapi.Anyone && o.Responses.Value("401") == nil {
			t.Errorf("%s %s lacks the answer 401 in the document", r.Method, r.Pattern)
		}
		if (r.Who == httpapi.Manager || r.Who == httpapi.Admin || r.Who == httpapi.Overseer) && o.Responses.Value("403") == nil {
			t.Errorf("%s %s lacks the answer 403 in the document", r.Method, r.Pattern)
		}
		if strings.Contains(r.Pattern, "{") && o.Responses.Value("404") == nil {
			t.Errorf("%s %s lacks the answer 404 in the document", r.Method, r.Pattern)
		}
		for _, status := range []string{"400", "413", "415"} {
			if o.RequestBody != nil && o.Responses.Value(status) == nil {
				t.Errorf("%s %s takes a body and lacks the answer %s in the document", r.Method, r.Pattern, status)
			}
		}
	}
}

func TestDocumentNamesEveryStatisticMetricAndDimension(t *testing.T) {
	var names []string
	for _, s := range stats.Statistics {
		names = append(names, s.Name)
	}
	p := document().Paths.Find("/api/v1/stats/{id}").Get.Parameters.GetByInAndName("query", "name")
	if got := texts(p.Schema.Value.Enum); !slices.Equal(got, names) {
		t.Errorf("statistics in the document are %v, want %v", got, names)
	}
	var metrics []string
	for _, m := range stats.Metrics {
		metrics = append(metrics, m.Name())
	}
	if got := texts(document().Components.Schemas["Metric"].Value.Enum); !slices.Equal(got, metrics) {
		t.Errorf("metrics in the document are %v, want %v", got, metrics)
	}
	help := document().Components.Schemas["Question"].Value.Properties["dimension"].Value.Description
	for _, d := range stats.Dimensions {
		if !strings.Contains(help, " "+d.Name+",") {
			t.Errorf("the document does not name the dimension %s", d.Name)
		}
	}
}

func texts(values []any) []string {
	var all []string
	for _, v := range values {
		all = append(all, v.(string))
	}
	return all
}

// Every example of a body is sent to the service, and must be taken.
func TestExamplesOfTheDocumentRun(t *testing.T) {
	onEachDatabase(t, func(t *testing.T, newService starter) {
		s := newService(t, nil)
		key := s.account("anna@example.com")
		s.account("ben@example.com")
		s.want(201, s.ask(key, "POST", "/api/v1/websites", "domain=first.example"))
		for _, path := range slices.Sorted(maps.Keys(document().Paths.Map())) {
			item := document().Paths.Map()[path]
			for _, method := range slices.Sorted(maps.Keys(item.Operations())) {
				o := item.Operations()[method]
				if o.RequestBody == nil {
					continue
				}
				for kind, media := range o.RequestBody.Value.Content {
					for name, example := range examplesOf(media) {
						t.Run(o.OperationID+" "+kind+" "+name, func(t *testing.T) {
							target := strings.NewReplacer("{id}", "1", "{account}", "2", "{annotation}", "1", "{alert}", "1").Replace(path)
							if strings.HasPrefix(path, "/api/v1/accounts/") {
								target = strings.Replace(path, "{id}", "2", 1)
							}
							var body any = example
							if kind == "application/x-www-form-urlencoded" {
								body = form(example.(map[string]any))
							}
							if r := s.ask(key, method, target, body); r.status >= 300 {
								t.Errorf("%s %s with %v is %s", method, target, body, r.text())
							}
						})
					}
				}
			}
		}
	})
}

func examplesOf(media *openapi3.MediaType) map[string]any {
	all := make(map[string]any)
	if media.Example != nil {
		all["example"] = media.Example
	}
	for name, e := range media.Examples {
		all[name] = e.Value.Value
	}
	return all
}
