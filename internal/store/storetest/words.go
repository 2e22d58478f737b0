package storetest

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"footfall/internal/event"
)

// A word is a part of a line: text between spaces, or one of the marks that stand for themselves.
type word struct {
	text   string
	quoted bool // some of it was in quotes, so it is no keyword
	mark   bool
}

// words splits a line. Text in double quotes is as in Go, belongs to the word that it touches, and is repeated n times
// if {n} follows it: v="a b" is one word, "x"{3} is xxx.
func words(line, marks string) ([]word, error) {
	var all []word
	for {
		line = strings.TrimLeft(line, " \t")
		if line == "" {
			return all, nil
		}
		if strings.IndexByte(marks, line[0]) >= 0 {
			all = append(all, word{text: line[:1], mark: true})
			line = line[1:]
			continue
		}
		w, rest, err := cutWord(line, " \t"+marks)
		if err != nil {
			return nil, err
		}
		all, line = append(all, w), rest
	}
}

func cutWord(line, ends string) (w word, rest string, err error) {
	var b strings.Builder
	for line != "" && strings.IndexByte(ends, line[0]) < 0 {
		if line[0] != '"' {
			b.WriteByte(line[0])
			line = line[1:]
			continue
		}
		text, rest, err := cutQuoted(line)
		if err != nil {
			return word{}, "", err
		}
		b.WriteString(text)
		line, w.quoted = rest, true
	}
	w.text = b.String()
	return w, line, nil
}

func cutQuoted(line string) (text, rest string, err error) {
	quoted, err := strconv.QuotedPrefix(line)
	if err != nil {
		return "", "", fmt.Errorf("quotes do not close: %s", line)
	}
	if text, err = strconv.Unquote(quoted); err != nil {
		return "", "", fmt.Errorf("%s is not a text in quotes", quoted)
	}
	rest = line[len(quoted):]
	times, after, ok := strings.Cut(rest, "}")
	if !ok || !strings.HasPrefix(times, "{") {
		return text, rest, nil
	}
	n, err := strconv.ParseUint(times[1:], 10, 16)
	if err != nil || int(n)*len(text) > event.MaxText {
		return "", "", fmt.Errorf("%s} repeats beyond the longest text, or is not a number", times)
	}
	return strings.Repeat(text, int(n)), after, nil
}

// A reader takes words one after the other.
type reader struct{ rest []word }

var errEnds = errors.New("the line ends too early")

func (r *reader) peek() word {
	if len(r.rest) == 0 {
		return word{}
	}
	return r.rest[0]
}

func (r *reader) text() (string, error) {
	if len(r.rest) == 0 {
		return "", errEnds
	}
	w := r.rest[0]
	if w.mark {
		return "", fmt.Errorf("%q stands where a text should", w.text)
	}
	r.rest = r.rest[1:]
	return w.text, nil
}

// take takes the next words if they are the keywords or marks given.
func (r *reader) take(keywords ...string) bool {
	if len(r.rest) < len(keywords) {
		return false
	}
	for i, k := range keywords {
		if r.rest[i].quoted || r.rest[i].text != k {
			return false
		}
	}
	r.rest = r.rest[len(keywords):]
	return true
}

func (r *reader) must(keyword string) error {
	if r.take(keyword) {
		return nil
	}
	if len(r.rest) == 0 {
		return fmt.Errorf("the line ends where %q should stand", keyword)
	}
	return fmt.Errorf("%q stands where %q should", r.peek().text, keyword)
}

func (r *reader) end() error {
	if len(r.rest) > 0 {
		return fmt.Errorf("%q is left over", r.rest[0].text)
	}
	return nil
}
