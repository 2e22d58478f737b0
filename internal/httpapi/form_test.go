package httpapi_test

import (
	"fmt"
	"net/url"
)

// form is fields as a form.
func form(fields map[string]any) string {
	values := make(url.Values)
	for name, value := range fields {
		values.Set(name, fmt.Sprint(value))
	}
	return values.Encode()
}
