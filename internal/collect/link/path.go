package link

import (
	"bytes"
	"strings"
)

// appendPath appends a path in its one normal form: dot segments resolved, several slashes as one, without session ids and
// email addresses. Nearly every server answers the same page however many slashes there are, and a path with two of them in
// front would read as a host.
func appendPath(dst []byte, path string) []byte {
	from := len(dst)
	dst = append(dst, '/')
	for path != "" {
		n := indexOf(path, isSlash)
		start := len(dst)
		dst = endSegment(appendNormal(dst, path[:n], plainPath), from, start)
		if n == len(path) {
			break
		}
		if dst[len(dst)-1] != '/' {
			dst = append(dst, '/')
		}
		path = path[n+1:]
	}
	if len(dst)-from > maxPathBytes {
		dst = cutPath(dst, from)
	}
	return dst
}

// cutPath is a path of at most maxPathBytes, in which what is left of the last segment is again a segment.
func cutPath(dst []byte, from int) []byte {
	dst = cut(dst, from+maxPathBytes)
	start := bytes.LastIndexByte(dst, '/') + 1
	if string(dst[start:]) == ".." {
		return dst[:start]
	}
	dst = endSegment(dst, from, start)
	if len(dst)-from > maxPathBytes {
		return dst[:start]
	}
	return dst
}

func isSlash(c byte) bool { return c == '/' || c == '\\' }

const emailMark = "(email)" // in place of a segment with an email address

// endSegment is the path once its last segment, which starts there, is complete.
func endSegment(dst []byte, from, start int) []byte {
	dst = dst[:start+len(withoutSession(dst[start:]))]
	switch segment := string(dst[start:]); {
	case segment == ".", isSessionSegment(segment):
		return dst[:start]
	case segment == "..":
		return dst[:max(from, bytes.LastIndexByte(dst[from:start-1], '/')+from)+1]
	case hasEmail(dst[start:]):
		return append(dst[:start], emailMark...)
	}
	return dst
}

// withoutSession is a segment without the session id that servlet containers put there: "/cart;jsessionid=1A2B". What
// follows it in the segment is moved to its place.
func withoutSession(segment []byte) []byte {
	const mark = ";jsessionid="
	for i := 0; i+len(mark) <= len(segment); {
		if segment[i] != ';' || !strings.EqualFold(string(segment[i:i+len(mark)]), mark) {
			i++
			continue
		}
		end := bytes.IndexByte(segment[i+1:], ';')
		if end < 0 {
			return segment[:i]
		}
		segment = append(segment[:i], segment[i+1+end:]...)
	}
	return segment
}

// isSessionSegment tells whether a segment is the session id of an ASP.NET application: "/(S(lit3py55t21z5v55vlm25s55))/".
func isSessionSegment(s string) bool {
	return len(s) > 5 && s[0] == '(' && strings.HasSuffix(s, "))") &&
		(strings.HasPrefix(s[1:], "S(") || strings.HasPrefix(s[1:], "A(") || strings.HasPrefix(s[1:], "F("))
}
