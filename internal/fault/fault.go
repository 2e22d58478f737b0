// Package fault is the errors that a caller may read.
//
// A fault is the caller's doing and says what to do about it. It is made where the rule is known and travels up unchanged;
// one place turns its code into a status. An error that is no fault is the operator's: it is logged, and the caller
// learns nothing of it.
package fault

import (
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// A Code is the kind of a fault. Codes are part of the interface and never change their meaning.
type Code string

// The codes.
const (
	Invalid          Code = "invalid" // names the fields
	Unauthorized     Code = "unauthorized"
	PasswordRequired Code = "password_required" // as Unauthorized: a dashboard asks for its password
	TOTPRequired     Code = "totp_required"     // as Unauthorized: the account asks for a code too
	Forbidden        Code = "forbidden"
	NotFound         Code = "not_found" // also "not yours"
	Conflict         Code = "conflict"
	TooManyRequests  Code = "too_many_requests" // with RetryAfter
	Unavailable      Code = "unavailable"       // with RetryAfter
	Internal         Code = "internal"          // all that is no fault; only the place that answers makes it

	// Those of a request that could not be read.
	Unreadable       Code = "unreadable"
	MethodNotAllowed Code = "method_not_allowed"
	TooLarge         Code = "too_large"
	UnsupportedType  Code = "unsupported_type"
)

// An Error is a fault. It is not changed once it has been returned.
type Error struct {
	Code       Code
	Fields     map[string][]string // what is wrong with each field; nil if the fault is of no field
	RetryAfter time.Duration       // when to try again; 0 is unknown

	message string
	cause   error
}

// New makes a fault. The message is lower case, says what to do where that is not plain, and holds nothing that the
// caller may not read, such as the text of another error: that goes to Because.
func New(code Code, format string, args ...any) *Error {
	return &Error{Code: code, message: fmt.Sprintf(format, args...)}
}

// Because hands over what led to the fault. It is found by errors.Is and errors.As and stands in Error, for the log;
// Message does not show it.
func (e *Error) Because(err error) *Error {
	e.cause = err
	return e
}

// After says when to try again.
func (e *Error) After(d time.Duration) *Error {
	e.RetryAfter = d
	return e
}

// Error is the message with its cause, for the log and not for the caller.
func (e *Error) Error() string {
	if e.cause != nil {
		return e.message + ": " + e.cause.Error()
	}
	return e.message
}

func (e *Error) Unwrap() error { return e.cause }

// Message is the sentence for the caller. It begins with a capital letter unless it begins with the name of a field.
func (e *Error) Message() string {
	s := e.message
	if len(e.Fields) == 0 {
		first, n := utf8.DecodeRuneInString(s)
		s = string(unicode.ToUpper(first)) + s[n:]
	}
	if !strings.HasSuffix(s, ".") {
		s += "."
	}
	return s
}

// Of finds the fault in an error; nil if there is none.
func Of(err error) *Error {
	var e *Error
	if !errors.As(err, &e) {
		return nil
	}
	return e
}

// Is tells whether an error is a fault of this kind.
func Is(err error, code Code) bool {
	e := Of(err)
	return e != nil && e.Code == code
}

// Fields collects what is wrong with the fields of a request, so that the caller learns all of it at once.
// The zero Fields is empty.
type Fields struct {
	order  []string
	errors map[string][]string
}

// Add notes that something is wrong with a field: "must be 0 or 1". Neither the field's name nor a full stop belongs to it.
func (f *Fields) Add(field, format string, args ...any) {
	if f.errors == nil {
		f.errors = make(map[string][]string)
	}
	if _, ok := f.errors[field]; !ok {
		f.order = append(f.order, field)
	}
	f.errors[field] = append(f.errors[field], fmt.Sprintf(format, args...))
}

// Has tells whether something is wrong with the field.
func (f *Fields) Has(field string) bool { return len(f.errors[field]) > 0 }

// Err is an Invalid fault of all that was noted, or nil if nothing was.
func (f *Fields) Err() error {
	if len(f.order) == 0 {
		return nil
	}
	return f.As(Invalid)
}

// As is a fault with this code of all that was noted.
func (f *Fields) As(code Code) *Error {
	var sentences []string
	for _, field := range f.order {
		for _, s := range f.errors[field] {
			sentences = append(sentences, field+" "+s)
		}
	}
	return &Error{Code: code, Fields: f.errors, message: strings.Join(sentences, ". ")}
}
