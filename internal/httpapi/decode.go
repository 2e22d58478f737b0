package httpapi

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net/http"
	"net/url"
	"strconv"

	"footfall/internal/accounts"
	"footfall/internal/fault"
)

// What a body may be.
const (
	maxBodyBytes = 256 << 10 // exclusion lists are the longest that people send
	maxJSONDepth = 16
)

// fields are the names and values of a form, a JSON object or a query string. Names that nobody asks for are ignored; what
// is wrong with those that somebody asked for, err tells.
type fields struct {
	values map[string][]string
	nested map[string]bool // values of JSON that are no text, number or truth
	wrong  fault.Fields
}

// text is the value of a field; nil if it was not sent.
func (f *fields) text(name string) *string {
	switch values := f.values[name]; {
	case f.nested[name]:
		f.wrong.Add(name, "must be a text or a number")
	case len(values) > 1:
		f.wrong.Add(name, "must be sent once")
	case len(values) == 1:
		return &values[0]
	}
	return nil
}

// textOr is the value of a field; "" if it was not sent.
func (f *fields) textOr(name string) string {
	if s := f.text(name); s != nil {
		return *s
	}
	return ""
}

// err tells what is wrong with the fields that were asked for.
func (f *fields) err() error { return f.wrong.Err() }

// readQuery reads the query string.
func readQuery(r *http.Request) (*fields, error) {
	values, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil {
		return nil, fault.New(fault.Unreadable, "the query string is not encoded as one").Because(err)
	}
	return &fields{values: values}, nil
}

// readFields reads a body: a form, or a JSON object with the same names. No body is one without fields.
func readFields(w http.ResponseWriter, r *http.Request) (*fields, error) {
	kind, body, err := readBody(w, r)
	if err != nil || len(body) == 0 {
		return &fields{}, err
	}
	switch kind {
	case "application/x-www-form-urlencoded":
		values, err := url.ParseQuery(string(body))
		if err != nil {
			return nil, fault.New(fault.Unreadable, "the body is not an encoded form").Because(err)
		}
		return &fields{values: values}, nil
	case "application/json":
		return fieldsOfJSON(body)
	}
	return nil, fault.New(fault.UnsupportedType, "send the body as application/x-www-form-urlencoded or as application/json")
}

// readJSON reads a body that is a JSON object into a value.
func readJSON(w http.ResponseWriter, r *http.Request, value any) error {
	kind, body, err := readBody(w, r)
	if err != nil {
		return err
	}
	if kind != "application/json" {
		return fault.New(fault.UnsupportedType, "send the body as application/json")
	}
	if err := checkJSON(body); err != nil {
		return err
	}
	if err := json.Unmarshal(body, value); err != nil {
		var kind *json.UnmarshalTypeError
		if errors.As(err, &kind) && kind.Field != "" {
			var f fault.Fields
			f.Add(kind.Field, "must not be a %s", kind.Value)
			return f.As(fault.Invalid).Because(err)
		}
		return fault.New(fault.Unreadable, "the body is not the JSON that this path takes").Because(err)
	}
	return nil
}

// readBody reads a body whole, with its type.
func readBody(w http.ResponseWriter, r *http.Request) (kind string, body []byte, err error) {
	if r.Header.Get("Content-Encoding") != "" {
		return "", nil, fault.New(fault.UnsupportedType, "send the body as it is, not compressed")
	}
	body, err = io.ReadAll(http.MaxBytesReader(w, r.Body, maxBodyBytes))
	var tooLarge *http.MaxBytesError
	switch {
	case errors.As(err, &tooLarge):
		return "", nil, fault.New(fault.TooLarge, "the body is larger than %d bytes", maxBodyBytes)
	case err != nil:
		return "", nil, fault.New(fault.Unreadable, "the body ended too early").Because(err)
	}
	kind, _, err = mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil {
		kind = "" // none that we take
	}
	return kind, body, nil
}

// fieldsOfJSON are the members of an object. Truth counts as 1 and 0, and null as not sent.
func fieldsOfJSON(body []byte) (*fields, error) {
	if err := checkJSON(body); err != nil {
		return nil, err
	}
	var members map[string]json.RawMessage
	if err := json.Unmarshal(body, &members); err != nil || members == nil {
		return nil, fault.New(fault.Unreadable, "the body must be a JSON object").Because(err)
	}
	f := &fields{values: make(map[string][]string), nested: make(map[string]bool)}
	for name, raw := range members {
		switch raw[0] {
		case '"':
			var s string
			if err := json.Unmarshal(raw, &s); err != nil {
				return nil, fault.New(fault.Unreadable, "the body is not JSON").Because(err)
			}
			f.values[name] = []string{s}
		case '{', '[':
			f.nested[name] = true
		case 't':
			f.values[name] = []string{"1"}
		case 'f':
			f.values[name] = []string{"0"}
		case 'n':
		default:
			f.values[name] = []string{string(raw)}
		}
	}
	return f, nil
}

// checkJSON tells what is wrong with JSON that a decoder would let pass: a name that stands twice in an object, depth that
// nobody needs, and something after the end.
func checkJSON(body []byte) error {
	d := json.NewDecoder(bytes.NewReader(body))
	d.UseNumber() // one that is too large is for whoever reads the field
	if err := checkJSONValue(d, 0); err != nil {
		return err
	}
	if _, err := d.Token(); err != io.EOF {
		return fault.New(fault.Unreadable, "there is something after the JSON in the body")
	}
	return nil
}

func checkJSONValue(d *json.Decoder, depth int) error {
	token, err := d.Token()
	if err != nil {
		return fault.New(fault.Unreadable, "the body is not JSON").Because(err)
	}
	open, ok := token.(json.Delim)
	if !ok {
		return nil
	}
	if depth++; depth > maxJSONDepth {
		return fault.New(fault.Unreadable, "the JSON in the body is nested deeper than %d", maxJSONDepth)
	}
	names := make(map[string]bool)
	for d.More() {
		if open == '{' {
			name, err := d.Token()
			if err != nil {
				return fault.New(fault.Unreadable, "the body is not JSON").Because(err)
			}
			s, _ := name.(string)
			if names[s] {
				return fault.New(fault.Unreadable, "a name stands twice in an object of the JSON in the body")
			}
			names[s] = true
		}
		if err := checkJSONValue(d, depth); err != nil {
			return err
		}
	}
	if _, err := d.Token(); err != nil {
		return fault.New(fault.Unreadable, "the body is not JSON").Because(err)
	}
	return nil
}

// websiteID is the website in the path. What cannot be the id of one is answered like one that does not exist.
func websiteID(r *http.Request) (int64, error) {
	sent := r.PathValue("id")
	id, ok := parseID(sent)
	if !ok {
		return 0, accounts.NoWebsite(sent)
	}
	return id, nil
}

// pathID is the id of something else in the path.
func pathID(r *http.Request, name, what string) (int64, error) {
	id, ok := parseID(r.PathValue(name))
	if !ok {
		return 0, fault.New(fault.NotFound, "no %s with this id", what)
	}
	return id, nil
}

// parseID reads an id as we write it: without a sign and leading zeros.
func parseID(s string) (int64, bool) {
	id, err := strconv.ParseInt(s, 10, 64)
	return id, err == nil && id > 0 && strconv.FormatInt(id, 10) == s
}
