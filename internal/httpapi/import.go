package httpapi

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"time"

	"footfall/internal/collect"
	"footfall/internal/fault"
)

// An Importer takes files of events.
type Importer interface {
	Import(ctx context.Context, k collect.ImportKey, file io.Reader) (collect.Report, error)
}

// importPause is how long the sender of a file may send nothing. The file as a whole may take as long as it takes.
const importPause = 30 * time.Second

// importRecord is what became of a file.
type importRecord struct {
	Lines   int64               `json:"lines"`
	Events  int64               `json:"events"`
	Dropped int64               `json:"dropped"`
	Bad     int64               `json:"bad"`
	Resumed int64               `json:"resumed"`
	Reasons map[string]int64    `json:"reasons"`
	Errors  []collect.LineError `json:"errors"`
}

// importEvents brings the events of a file, which is the body, into a website.
func (s *Server) importEvents(w http.ResponseWriter, r *http.Request) error {
	key, err := s.readImport(r)
	if err != nil {
		return err
	}
	if s.importer == nil {
		return fault.New(fault.Unavailable, "this service takes no imports").After(time.Minute)
	}
	report, err := s.importer.Import(r.Context(), key, &slowBody{r.Body, http.NewResponseController(w)})
	if err != nil {
		return err
	}
	record := importRecord{report.Lines, report.Events, report.Dropped, report.Bad, report.Resumed, report.Reasons, report.Errors}
	if record.Errors == nil {
		record.Errors = []collect.LineError{}
	}
	return writeData(w, http.StatusOK, record)
}

// readImport reads all but the file. Whoever sends it may edit the website.
func (s *Server) readImport(r *http.Request) (key collect.ImportKey, err error) {
	if key.Website, err = websiteID(r); err != nil {
		return key, err
	}
	if err := s.accounts.MayEdit(r.Context(), caller(r), key.Website); err != nil {
		return key, err
	}
	q, err := readQuery(r)
	if err != nil {
		return key, err
	}
	format, digest := q.textOr("format"), strings.ToLower(q.textOr("sha256"))
	if err := q.err(); err != nil {
		return key, err
	}
	var wrong fault.Fields
	if key.Format, err = collect.ParseImportFormat(format); err != nil {
		wrong.Add("format", "must be one of %s", collect.ImportFormats())
	}
	if key.Digest = digest; len(digest) != 64 || strings.Trim(digest, "0123456789abcdef") != "" {
		wrong.Add("sha256", "must be the SHA-256 of the file, as 64 hexadecimal digits")
	}
	if err := wrong.Err(); err != nil {
		return key, err
	}
	if r.Header.Get("Content-Encoding") != "" {
		return key, fault.New(fault.UnsupportedType, "send the file as it is, not compressed")
	}
	return key, nil
}

// A slowBody is a body that may take longer than others, as long as there is always more of it.
type slowBody struct {
	io.Reader
	control *http.ResponseController
}

func (b *slowBody) Read(p []byte) (int, error) {
	now := time.Now()
	err := b.control.SetReadDeadline(now.Add(importPause))
	if err == nil { // the answer comes after the file
		err = b.control.SetWriteDeadline(now.Add(2 * importPause))
	}
	if err != nil && !errors.Is(err, http.ErrNotSupported) {
		return 0, err
	}
	return b.Reader.Read(p)
}
