package port

import (
	"io"
	"net/netip"
	"net/url"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"footfall/internal/event"
)

// A logReader reads access logs of web servers, in the common and the combined format, with the host before it or not:
//
//	example.com:443 192.0.2.1 - - [02/Jan/2006:15:04:05 -0700] "GET / HTTP/1.1" 200 512 "https://…" "Mozilla/5.0 …"
type logReader struct{ lines *lines }

func newLogReader(r io.Reader) *logReader { return &logReader{newLines(r, false)} }

const logTime = "02/Jan/2006:15:04:05 -0700"

// Next implements Reader.
func (l *logReader) Next(e *Entry) error {
	text, bad, err := l.lines.next()
	if err != nil {
		return err
	}
	*e = Entry{Line: l.lines.number, Bad: bad}
	if bad == "" && !e.readLog(string(text)) {
		e.Bad = "is no line of an access log in the common or combined format"
	}
	return nil
}

func (e *Entry) readLog(line string) bool {
	s := &Seen{}
	who, rest, ok := strings.Cut(line, " [")
	if !ok || !s.readClient(who, &e.Visitor) {
		return false
	}
	stamp, rest, ok := strings.Cut(rest, `] "`)
	if !ok {
		return false
	}
	at, err := time.Parse(logTime, stamp)
	if err != nil {
		return false
	}
	request, rest, ok := quotedText(rest)
	if !ok {
		return false
	}
	numbers, rest, _ := strings.Cut(rest, `"`)
	status, ok := statusOf(numbers)
	if !ok {
		return false
	}
	if rest != "" {
		if s.Referrer, rest, ok = quotedText(rest); !ok {
			return false
		}
		if _, rest, ok = strings.Cut(rest, `"`); ok {
			if s.UserAgent, _, ok = quotedText(rest); !ok {
				return false
			}
			s.HasAgent = true
		}
	}
	s.Referrer, s.UserAgent = unless(s.Referrer, "-"), unless(s.UserAgent, "-")
	e.Visitor += "\n" + s.UserAgent
	e.Event = event.Event{Kind: event.Pageview, Time: at.UnixMilli()}
	s.NoPage = !s.readRequest(request) || !(status >= 200 && status < 300 && status != 206 || status == 304)
	e.Seen = s
	return true
}

// readClient reads what stands before the time: the address, two names, and maybe a host before them.
func (s *Seen) readClient(who string, visitor *string) bool {
	words := strings.Fields(who)
	if len(words) < 3 {
		return false
	}
	client := words[0]
	address, err := netip.ParseAddr(client)
	if second, noAddress := netip.ParseAddr(words[1]); err != nil && noAddress == nil {
		s.Host, client, address = client, words[1], second
	}
	s.Address = address.Unmap().WithZone("")
	*visitor = client // may be a name: servers can be told to look them up
	return true
}

func statusOf(numbers string) (status int, ok bool) {
	words := strings.Fields(numbers)
	if len(words) < 1 {
		return 0, false
	}
	status, err := strconv.Atoi(words[0])
	return status, err == nil && status >= 0 && status < 1000
}

// readRequest reads the first line of a request, and tells whether it was for a page.
func (s *Seen) readRequest(line string) bool {
	words := strings.Fields(line)
	if len(words) < 2 || words[0] != "GET" {
		return false
	}
	target := words[1]
	if !strings.HasPrefix(target, "/") { // a proxy is asked for the whole address
		u, err := url.Parse(target)
		if err != nil || u.Host == "" {
			return false
		}
		s.Host, target = u.Host, u.RequestURI()
	}
	s.Target = target
	file, _, _ := strings.Cut(target, "?")
	ext := strings.ToLower(strings.TrimPrefix(path.Ext(file), "."))
	return !slices.Contains(files, ext)
}

// files are endings of what pages are made of, and of what else nobody looks at as a page.
var files = strings.Fields(`
	css js mjs map json xml txt rss atom ico png jpg jpeg gif svg webp avif bmp tif tiff woff woff2 ttf otf eot wasm webmanifest
	mp3 mp4 m4a m4v webm ogg ogv wav mov avi zip gz tgz bz2 xz 7z rar tar dmg exe msi deb rpm apk iso bin`)

func unless(s, nothing string) string {
	if s == nothing {
		return ""
	}
	return s
}

// quotedText is the text up to the quote that ends it, and what follows that. Servers write \", \\ and \xHH for what would break the line.
func quotedText(s string) (text, rest string, ok bool) {
	end := 0
	for end < len(s) && s[end] != '"' {
		if s[end] == '\\' {
			end++
		}
		end++
	}
	if end >= len(s) {
		return "", "", false
	}
	text, rest = s[:end], s[end+1:]
	if !strings.Contains(text, `\`) {
		return text, rest, true
	}
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		if text[i] != '\\' || i+1 == len(text) {
			b.WriteByte(text[i])
			continue
		}
		i++
		if n, err := strconv.ParseUint(text[min(i+1, len(text)):min(i+3, len(text))], 16, 8); text[i] == 'x' && err == nil {
			b.WriteByte(byte(n))
			i += 2
			continue
		}
		b.WriteByte(text[i])
	}
	return b.String(), rest, true
}
