package accounts

import (
	"footfall/internal/fault"
)

// A WebsiteInput is what was sent of a website, as it was sent; nil is not sent. Its fields are those of the interface,
// where privacy is 0, 1 or 2 and email, exclude_bots and respect_signals are 0 or 1.
type WebsiteInput struct {
	Domain         *string
	Privacy        *string
	Password       *string // kept for later if privacy is not 2; empty forgets it
	Email          *string
	ExcludeBots    *string
	ExcludeParams  *string // one name per line; commas too; * stands for any characters
	ExcludeIPs     *string // one address or CIDR range per line; commas too
	Timezone       *string // IANA's name
	RespectSignals *string
}

// create checks what was sent of a new website and puts it into w, which has the defaults.
func (in WebsiteInput) create(w *Website) error {
	var f fault.Fields
	domain, err := normalDomain(deref(in.Domain, ""))
	if err != nil {
		f.Add("domain", "%s", err)
	}
	w.Domain = domain
	in.apply(&f, w)
	return f.Err()
}

// update checks what was sent of a website that exists and puts it into w.
func (in WebsiteInput) update(w *Website) error {
	var f fault.Fields
	if in.Domain != nil {
		f.Add("domain", "cannot be changed: create a website for the other domain")
	}
	in.apply(&f, w)
	return f.Err()
}

func (in WebsiteInput) apply(f *fault.Fields, w *Website) {
	if in.Privacy != nil {
		w.Privacy = Privacy(number(f, "privacy", *in.Privacy, "0", "1", "2"))
	}
	if in.Password != nil {
		w.HasPassword = *in.Password != ""
		if len(*in.Password) > maxPasswordBytes {
			f.Add("password", "must not be longer than %d bytes", maxPasswordBytes)
		}
	}
	if w.Privacy == Protected && !w.HasPassword {
		f.Add("password", "is required when privacy is 2")
	}
	if in.Email != nil {
		w.Email = number(f, "email", *in.Email, "0", "1") == 1
	}
	if in.ExcludeBots != nil {
		w.ExcludeBots = number(f, "exclude_bots", *in.ExcludeBots, "0", "1") == 1
	}
	if in.ExcludeParams != nil {
		w.ExcludeParams = excludeParams(f, "exclude_params", *in.ExcludeParams)
	}
	if in.ExcludeIPs != nil {
		w.ExcludeIPs = excludeIPs(f, "exclude_ips", *in.ExcludeIPs)
	}
	if in.Timezone != nil {
		w.Timezone = zone(f, "timezone", *in.Timezone)
	}
	if in.RespectSignals != nil {
		w.RespectSignals = number(f, "respect_signals", *in.RespectSignals, "0", "1") == 1
	}
}

// number is the one of the digits, which count from 0, that a text is.
func number(f *fault.Fields, field, s string, digits ...string) int64 {
	if d := choice(f, field, s, digits...); d != "" {
		return int64(d[0] - '0')
	}
	return 0
}
