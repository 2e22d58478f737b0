package httpapi

import (
	"mime"
	"net/http"
	"strconv"
	"strings"

	"footfall/internal/stats"
)

const csvType = "text/csv"

// wantsCSV tells whether the answer is to be a file: whether CSV is named, and weighs more than JSON or stands before it.
func wantsCSV(r *http.Request) bool {
	best, csv := 0.0, false
	for part := range strings.SplitSeq(strings.Join(r.Header.Values("Accept"), ","), ",") {
		kind, params, err := mime.ParseMediaType(part)
		if err != nil || kind != csvType && kind != "application/json" {
			continue
		}
		weight := 1.0
		if q, ok := params["q"]; ok {
			if weight, err = strconv.ParseFloat(q, 64); err != nil {
				continue
			}
		}
		if weight > best {
			best, csv = weight, kind == csvType
		}
	}
	return csv
}

// writeCSV answers with a file. Its name is made of what is ours, and of letters and digits of what is not.
func writeCSV(w http.ResponseWriter, domain, what string, p stats.Period, content []byte) error {
	name := strings.Join([]string{"footfall", fileName(domain), fileName(what), p.From.String(), (p.To - 1).String()}, "-") + ".csv"
	h := w.Header()
	h.Set("Content-Type", csvType+"; charset=utf-8")
	h.Set("Content-Disposition", `attachment; filename="`+name+`"`)
	h.Set("Content-Length", strconv.Itoa(len(content)))
	w.WriteHeader(http.StatusOK)
	w.Write(content) // if it fails there is nobody to tell
	return nil
}

// fileName is a text as part of the name of a file: short, and without anything that a system or a browser might take for
// something else.
func fileName(s string) string {
	const most = 80
	if s == "" {
		return "total"
	}
	return strings.Map(func(r rune) rune {
		switch {
		case 'a' <= r && r <= 'z', 'A' <= r && r <= 'Z', '0' <= r && r <= '9', r == '_', r == '.':
			return r
		}
		return '-'
	}, s[:min(most, len(s))])
}
