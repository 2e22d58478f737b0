package storetest

import (
	"testing"

	"footfall/internal/store"
)

// Reprint parses a file of scripts and writes each as a script again.
func Reprint(file, text string) ([]string, error) {
	cases, err := parse(file, text)
	if err != nil {
		return nil, err
	}
	var out []string
	for _, c := range cases {
		out = append(out, c.String())
	}
	return out, nil
}

// Rules are the rules that the scripts of this package state.
func Rules(t *testing.T) []string {
	var rules []string
	for _, c := range readScripts(t) {
		rules = append(rules, c.rule)
	}
	return rules
}

// Queries are the queries that the scripts of this package ask.
func Queries(t *testing.T) []store.Query {
	var queries []store.Query
	for _, c := range readScripts(t) {
		for _, s := range c.steps {
			if a, ok := s.statement.(ask); ok {
				queries = append(queries, a.query)
			}
		}
	}
	return queries
}

// Reduced is the smallest script found in which the subject differs from the oracle on the world of a seed, "" if it
// does not differ.
func Reduced(t *testing.T, subject Subject, seed uint64) string {
	c := newWorld(seed).schedule(worldQuestions)
	found := c.difference(t, subject)
	if found == nil {
		return ""
	}
	return c.reduce(t, subject, found).String()
}

// Differs tells whether the subject differs from the oracle on a script.
func Differs(t *testing.T, subject Subject, text string) bool {
	cases, err := parse("script", text)
	if err != nil {
		t.Fatal(err)
	}
	return cases[0].difference(t, subject) != nil
}
