package fault_test

import (
	"errors"
	"fmt"
	"io"
	"reflect"
	"testing"
	"time"

	"footfall/internal/fault"
)

func TestMessageIsASentence(t *testing.T) {
	oneField := new(fault.Fields)
	oneField.Add("per_page", "must be one of 10, 25, 50, 100")
	twoFields := new(fault.Fields)
	twoFields.Add("privacy", "must be 0, 1 or 2")
	twoFields.Add("email", "must be 0 or 1")

	for name, c := range map[string]struct {
		fault error
		want  string
	}{
		"lower case, without a full stop":      {fault.New(fault.NotFound, "no website %d", 7), "No website 7."},
		"already a sentence":                   {fault.New(fault.Forbidden, "This key may only read."), "This key may only read."},
		"first letter beyond ASCII":            {fault.New(fault.Conflict, "ähnlich"), "Ähnlich."},
		"a field keeps the case of its name":   {oneField.Err(), "per_page must be one of 10, 25, 50, 100."},
		"several fields in the order of notes": {twoFields.Err(), "privacy must be 0, 1 or 2. email must be 0 or 1."},
	} {
		t.Run(name, func(t *testing.T) {
			if got := fault.Of(c.fault).Message(); got != c.want {
				t.Errorf("message %q, want %q", got, c.want)
			}
		})
	}
}

func TestCauseIsForTheLogOnly(t *testing.T) {
	err := fault.New(fault.Unavailable, "the database is away").Because(fmt.Errorf("read /srv/secret: %w", io.ErrUnexpectedEOF)).After(time.Second)
	if got, want := err.Message(), "The database is away."; got != want {
		t.Errorf("message %q, want %q", got, want)
	}
	if got, want := err.Error(), "the database is away: read /srv/secret: unexpected EOF"; got != want {
		t.Errorf("error %q, want %q", got, want)
	}
	if !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Error("the cause is not found")
	}
	if err.RetryAfter != time.Second {
		t.Errorf("retry after %v, want 1s", err.RetryAfter)
	}
}

func TestFieldsReportsAllAtOnce(t *testing.T) {
	var f fault.Fields
	if err := f.Err(); err != nil {
		t.Fatalf("nothing noted, but %v", err)
	}
	f.Add("exclude_ips", "line %d is no address", 1)
	f.Add("domain", "is required")
	f.Add("exclude_ips", "line %d is no address", 3)

	err := fault.Of(f.Err())
	want := map[string][]string{
		"exclude_ips": {"line 1 is no address", "line 3 is no address"},
		"domain":      {"is required"},
	}
	if err.Code != fault.Invalid || !reflect.DeepEqual(err.Fields, want) {
		t.Errorf("got %s %v, want invalid %v", err.Code, err.Fields, want)
	}
	if !f.Has("domain") || f.Has("privacy") {
		t.Errorf("Has(domain) %v, Has(privacy) %v; want true, false", f.Has("domain"), f.Has("privacy"))
	}
	if got := f.As(fault.Conflict).Code; got != fault.Conflict {
		t.Errorf("code %s, want conflict", got)
	}
}

func TestFaultIsFoundWithinOtherErrors(t *testing.T) {
	err := fmt.Errorf("show website: %w", fault.New(fault.NotFound, "no website 7"))
	if !fault.Is(err, fault.NotFound) || fault.Is(err, fault.Conflict) {
		t.Errorf("%v is found as not_found: %v, as conflict: %v", err, fault.Is(err, fault.NotFound), fault.Is(err, fault.Conflict))
	}
	if fault.Of(io.EOF) != nil || fault.Is(nil, fault.Invalid) {
		t.Error("a fault is found where there is none")
	}
}
