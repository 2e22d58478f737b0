package store_test

import (
	"strings"
	"testing"

	"footfall/internal/event"
	"footfall/internal/store"
)

func TestMatchWildcard(t *testing.T) {
	cases := map[string]struct{ yes, no []string }{
		"":         {[]string{""}, []string{"a"}},
		"*":        {[]string{"", "a", "a/b", "日本"}, nil},
		"**":       {[]string{"", "a"}, nil},
		"/blog":    {[]string{"/blog"}, []string{"/blog/", "/Blog", "x/blog"}},
		"/blog/*":  {[]string{"/blog/", "/blog/a", "/blog/a/b"}, []string{"/blog", "/x/blog/a"}},
		"*/a":      {[]string{"/a", "/b/a"}, []string{"a", "/a/"}},
		"*blog*":   {[]string{"blog", "/blog/", "a blog b"}, []string{"/blo/g"}},
		"a*b*c":    {[]string{"abc", "a-b-c", "abbcc", "abcbc"}, []string{"acb", "ab", "abcd"}},
		"aba*aba":  {[]string{"abaaba", "aba-aba"}, []string{"aba", "ababa"}},
		"*aa":      {[]string{"aa", "aaa"}, []string{"a"}},
		"*ab*abc":  {[]string{"ababc", "ababcabc"}, []string{"abc"}},
		"a.b?[c]":  {[]string{"a.b?[c]"}, []string{"axbyc"}},
		"/ü*":      {[]string{"/über"}, []string{"/uber"}},
		"*\xbc*":   {[]string{"ü"}, nil}, // bytes, not letters
		"***a***b": {[]string{"ab", "xaxb"}, []string{"ba"}},
	}
	for pattern, c := range cases {
		for _, s := range c.yes {
			if !store.MatchWildcard(pattern, s) {
				t.Errorf("%q does not match %q", pattern, s)
			}
		}
		for _, s := range c.no {
			if store.MatchWildcard(pattern, s) {
				t.Errorf("%q matches %q", pattern, s)
			}
		}
	}
}

// tryAll decides by trying every text for every star.
func tryAll(pattern, s string) bool {
	switch {
	case pattern == "":
		return s == ""
	case pattern[0] == '*':
		return tryAll(pattern[1:], s) || s != "" && tryAll(pattern, s[1:])
	}
	return s != "" && s[0] == pattern[0] && tryAll(pattern[1:], s[1:])
}

func TestMatchWildcardAgreesWithTryingEverything(t *testing.T) {
	patterns, texts := spell("ab*", 6), spell("ab", 6)
	for _, pattern := range patterns {
		for _, s := range texts {
			if got, want := store.MatchWildcard(pattern, s), tryAll(pattern, s); got != want {
				t.Fatalf("%q matches %q: %t, want %t", pattern, s, got, want)
			}
		}
	}
}

// spell is all texts of some letters, up to a length.
func spell(letters string, most int) []string {
	all := []string{""}
	for i := 0; i < len(all); i++ {
		if len(all[i]) == most {
			break
		}
		for _, l := range letters {
			all = append(all, all[i]+string(l))
		}
	}
	return all
}

func TestMatchWildcardIsQuickOnHostilePatterns(t *testing.T) {
	pattern := strings.Repeat("a*", event.MaxText/2)
	if store.MatchWildcard(pattern+"b", strings.Repeat("a", event.MaxText)) {
		t.Error("a text without b matches a pattern that ends with it")
	}
}

func FuzzMatchWildcard(f *testing.F) {
	f.Add("a*b", "axxb")
	f.Add("*ab*abc", "ababcabc")
	f.Fuzz(func(t *testing.T, pattern, s string) {
		if len(s) > 40 || strings.Count(pattern, "*") > 4 {
			return
		}
		if got, want := store.MatchWildcard(pattern, s), tryAll(pattern, s); got != want {
			t.Errorf("%q matches %q: %t, want %t", pattern, s, got, want)
		}
	})
}

func TestFilterKeep(t *testing.T) {
	cases := map[string]struct {
		op      store.Op
		values  []string
		yes, no []string
	}{
		"is one of":         {store.Is, []string{"a", "b"}, []string{"a", "b"}, []string{"", "A", "ab"}},
		"is nothing":        {store.Is, []string{""}, []string{""}, []string{"a"}},
		"is not one of":     {store.IsNot, []string{"a", "b"}, []string{"", "A", "ab"}, []string{"a", "b"}},
		"contains one of":   {store.Contains, []string{"a", "bc"}, []string{"a", "xa", "abc", "xbcx"}, []string{"", "A", "b", "cb"}},
		"contains nothing":  {store.Contains, []string{""}, []string{"", "a"}, nil},
		"contains none of":  {store.NotContains, []string{"a", "bc"}, []string{"", "A", "b"}, []string{"a", "xbcx"}},
		"matches one of":    {store.Matches, []string{"a*", "*b"}, []string{"a", "ab", "xb"}, []string{"", "xa", "bx"}},
		"a star is no star": {store.Is, []string{"a*"}, []string{"a*"}, []string{"ab"}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			f := store.Filter{Op: c.op, Values: c.values}
			for _, v := range c.yes {
				if !f.Keep(v) {
					t.Errorf("%q is not kept", v)
				}
			}
			for _, v := range c.no {
				if f.Keep(v) {
					t.Errorf("%q is kept", v)
				}
			}
		})
	}
}
