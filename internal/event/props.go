package event

import (
	"bytes"
	"encoding/json"
)

// JoinProps writes the properties of a custom event as one text: a JSON object with its keys in order, so that equal
// properties are equal texts. No properties are the empty text.
func JoinProps(props map[string]string) string {
	if len(props) == 0 {
		return ""
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(props); err != nil {
		panic(err) // a map of strings always encodes
	}
	return string(bytes.TrimSpace(b.Bytes()))
}

// SplitProps is the reverse of JoinProps. A text that JoinProps did not write has no properties.
func SplitProps(s string) map[string]string {
	if s == "" {
		return nil
	}
	var props map[string]string
	if json.Unmarshal([]byte(s), &props) != nil {
		return nil
	}
	return props
}
