package app

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strings"

	"footfall/internal/accounts"
	"footfall/internal/collect"
	"footfall/internal/port"
)

// importEvents brings the events of a file into a website: through the service that runs at --url, or without one.
func importEvents(ctx context.Context, c *config, t *terminal) error {
	format := port.CSV
	if name, ok := c.options["format"]; ok {
		f, err := port.ParseFormat(name, port.Formats)
		if err != nil {
			return fmt.Errorf("--format %w, not %q", err, name)
		}
		format = f
	}
	in, err := openImport(c.args[1])
	if err != nil {
		return fmt.Errorf("read the file: %w", err)
	}
	defer in.Close()
	digest, err := in.digest(ctx)
	if err != nil {
		return fmt.Errorf("read the file: %w", err)
	}
	in.progress = progress(t.err, "import")
	var r collect.Report
	if base := c.options["url"]; base != "" {
		r, err = importThrough(ctx, c, base, format, digest, in)
	} else {
		r, err = importHere(ctx, c, t, format, digest, in)
	}
	if err != nil {
		return err
	}
	return tellImport(t, r)
}

// tellImport says what became of a file.
func tellImport(t *terminal, r collect.Report) error {
	if r.Resumed > 0 {
		fmt.Fprintf(t.out, "%d lines were imported before\n", r.Resumed)
	}
	fmt.Fprintf(t.out, "%d lines: %d events, %d that do not count, %d that cannot be read\n", r.Lines, r.Events, r.Dropped, r.Bad)
	for _, reason := range slices.Sorted(maps.Keys(r.Reasons)) {
		fmt.Fprintf(t.out, "  %d: %s\n", r.Reasons[reason], reason)
	}
	for _, e := range r.Errors {
		fmt.Fprintf(t.err, "line %d %s\n", e.Line, e.Message)
	}
	if r.Bad > int64(len(r.Errors)) {
		fmt.Fprintf(t.err, "and %d more\n", r.Bad-int64(len(r.Errors)))
	}
	return nil
}

// importHere imports into a data directory that no service runs on.
func importHere(ctx context.Context, c *config, t *terminal, format port.Format, digest string, in io.Reader) (r collect.Report, err error) {
	h, err := openHouse(ctx, c, t.log)
	if err != nil {
		return r, fmt.Errorf("%w; to import through a running service, use --url and --key", err)
	}
	defer func() { err = errors.Join(err, h.Close()) }()
	website, err := h.accounts.WebsiteByDomain(ctx, c.args[0])
	if err != nil {
		return r, err
	}
	working, stop := context.WithCancel(context.WithoutCancel(ctx))
	group, working := start(working, []job{
		{"load events from the journal into the store", h.loader.Run},
		{"note how far imports have come", h.tally.Run},
		{"keep the store in order", h.engine.Maintain},
	})
	reading, cancel := context.WithCancel(ctx)
	context.AfterFunc(working, cancel) // something has ended that must not
	r, err = h.importer.Import(reading, collect.ImportKey{Website: website.ID, Format: format, Digest: digest}, in)
	cancel()
	stop()
	if ended := group.Wait(); ended != nil {
		err = errors.Join(ended, err)
	}
	h.flush(t.log)
	return r, err
}

// importThrough sends a file to a service.
func importThrough(ctx context.Context, c *config, base string, format port.Format, digest string, in io.Reader) (r collect.Report, err error) {
	key := c.options["key"]
	if key == "" {
		key = variable(c.environ, "FOOTFALL_KEY")
	}
	if key == "" {
		return r, errors.New("--url needs an API key that may edit the website: --key, or better FOOTFALL_KEY, which no other user of this machine sees")
	}
	s := &remote{strings.TrimSuffix(base, "/"), key}
	website, err := s.find(ctx, c.args[0])
	if err != nil {
		return r, err
	}
	query := url.Values{"format": {string(format)}, "sha256": {digest}}
	var answer struct {
		Data struct {
			collect.Progress
			Resumed int64               `json:"resumed"`
			Reasons map[string]int64    `json:"reasons"`
			Errors  []collect.LineError `json:"errors"`
		} `json:"data"`
	}
	err = s.ask(ctx, http.MethodPost, fmt.Sprintf("/api/v1/websites/%d/import?%s", website, query.Encode()), in, &answer)
	d := answer.Data
	return collect.Report{Progress: d.Progress, Resumed: d.Resumed, Reasons: d.Reasons, Errors: d.Errors}, err
}

// variable is the value of an environment variable; a later one counts, as for a shell.
func variable(environ []string, name string) (value string) {
	for _, line := range environ {
		if v, ok := strings.CutPrefix(line, name+"="); ok {
			value = v
		}
	}
	return value
}

// An importBook is the imports in the accounts.
type importBook struct{ db *accounts.DB }

// Import implements collect.ImportBook.
func (b importBook) Import(ctx context.Context, k collect.ImportKey) (collect.Progress, bool, error) {
	i, found, err := b.db.Import(ctx, k.Website, k.Digest, string(k.Format))
	return collect.Progress{
		Run: i.Run, Lines: i.Lines, Events: i.Events, Dropped: i.Dropped, Bad: i.Bad, Started: i.StartedAt, Done: i.Done,
	}, found, err
}

// SaveImports implements collect.ImportBook.
func (b importBook) SaveImports(ctx context.Context, all map[collect.ImportKey]collect.Progress) error {
	list := make([]accounts.Import, 0, len(all))
	for k, p := range all {
		list = append(list, accounts.Import{
			Website: k.Website, Digest: k.Digest, Format: string(k.Format),
			Run: p.Run, Lines: p.Lines, Events: p.Events, Dropped: p.Dropped, Bad: p.Bad, StartedAt: p.Started, Done: p.Done,
		})
	}
	return b.db.SaveImports(ctx, list)
}

// A remote is a service that runs.
type remote struct{ base, key string }

// find is the number of a website.
func (s *remote) find(ctx context.Context, domain string) (int64, error) {
	var answer struct {
		Data struct {
			ID int64 `json:"id"`
		} `json:"data"`
	}
	err := s.ask(ctx, http.MethodGet, "/api/v1/dashboards/"+url.PathEscape(domain), nil, &answer)
	return answer.Data.ID, err
}

// maxAnswer is how much of an answer is read.
const maxAnswer = 1 << 20

// ask sends a request and reads the answer, or the sentence in it that says what is wrong.
func (s *remote) ask(ctx context.Context, method, path string, body io.Reader, answer any) error {
	if body != nil {
		body = io.NopCloser(body) // it is ours to close
	}
	r, err := http.NewRequestWithContext(ctx, method, s.base+path, body)
	if err != nil {
		return fmt.Errorf("--url: %w", err)
	}
	r.Header.Set("Authorization", "Bearer "+s.key)
	if body != nil {
		r.Header.Set("Content-Type", "application/octet-stream")
		r.Header.Set("Expect", "100-continue") // a file that is refused need not be sent
	}
	got, err := http.DefaultClient.Do(r)
	if err != nil {
		return fmt.Errorf("ask the service: %w", err)
	}
	defer got.Body.Close()
	content, err := io.ReadAll(io.LimitReader(got.Body, maxAnswer))
	if err != nil {
		return fmt.Errorf("read the answer: %w", err)
	}
	if got.StatusCode/100 == 2 {
		return json.Unmarshal(content, answer)
	}
	var wrong struct {
		Message string `json:"message"`
	}
	if json.Unmarshal(content, &wrong) != nil || wrong.Message == "" {
		wrong.Message = got.Status
	}
	return fmt.Errorf("the service says: %s", wrong.Message)
}

// An importFile is a file as it was when its digest was made, unpacked if it is packed. What is added to it later is not read.
type importFile struct {
	file     *os.File
	size     int64
	read     io.Reader
	done     int64
	progress func(done, all int64)
}

func openImport(path string) (*importFile, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = errors.New("it must be a file: it is read twice")
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	i := &importFile{file: f, size: info.Size()}
	return i, i.rewind()
}

// rewind begins at the start.
func (i *importFile) rewind() error {
	i.done = 0
	bytesOf := io.NewSectionReader(i.file, 0, i.size)
	var magic [2]byte
	if n, _ := bytesOf.ReadAt(magic[:], 0); n < 2 || !bytes.Equal(magic[:], []byte{0x1f, 0x8b}) {
		i.read = &counted{bytesOf, i}
		return nil
	}
	packed, err := gzip.NewReader(&counted{bytesOf, i})
	i.read = packed
	return err
}

// digest is the SHA-256 of the file, unpacked. It begins at the start again after that.
func (i *importFile) digest(ctx context.Context) (string, error) {
	sum := sha256.New()
	buffer := make([]byte, 1<<20)
	for {
		n, err := i.read.Read(buffer)
		sum.Write(buffer[:n])
		if err == io.EOF {
			return hex.EncodeToString(sum.Sum(nil)), i.rewind()
		}
		if err = errors.Join(err, ctx.Err()); err != nil {
			return "", err
		}
	}
}

func (i *importFile) Read(b []byte) (int, error) { return i.read.Read(b) }

// Close closes the file.
func (i *importFile) Close() error { return i.file.Close() }

// counted tells how far a file is read.
type counted struct {
	io.Reader
	file *importFile
}

func (c *counted) Read(b []byte) (int, error) {
	n, err := c.Reader.Read(b)
	c.file.done += int64(n)
	if c.file.progress != nil {
		c.file.progress(c.file.done, c.file.size)
	}
	return n, err
}
