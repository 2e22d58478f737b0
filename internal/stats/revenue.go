package stats

import (
	"slices"
	"strconv"

	"footfall/internal/store"
)

// Revenue is sums by unit. As JSON it is an object: {"EUR": 49.9}.
type Revenue []store.Amount

// MarshalJSON implements json.Marshaler.
func (r Revenue) MarshalJSON() ([]byte, error) { return r.append(nil), nil }

func (r Revenue) append(b []byte) []byte {
	o := object{'{'}
	for _, a := range r {
		o.key(a.Unit)
		o = appendMillionths(o, a.Sum)
	}
	return append(b, o.end()...)
}

// of is the sum in a unit, and millionths the same exactly.
func (r Revenue) of(unit string) float64 { return float64(r.millionths(unit)) }

func (r Revenue) millionths(unit string) int64 {
	for _, a := range r {
		if a.Unit == unit {
			return a.Sum
		}
	}
	return 0
}

func revenueChanges(m Metric, was, is Revenue) []byte {
	var units []string
	for _, a := range slices.Concat(was, is) {
		units = append(units, a.Unit)
	}
	slices.Sort(units)
	o := object{'{'}
	for _, unit := range slices.Compact(units) {
		o.key(unit)
		o.change(m, was.of(unit), is.of(unit))
	}
	return o.end()
}

// appendMillionths writes millionths as a decimal number, exactly.
func appendMillionths(b []byte, v int64) []byte {
	magnitude := uint64(v)
	if v < 0 {
		b, magnitude = append(b, '-'), -magnitude
	}
	const one = 1_000_000
	b = strconv.AppendUint(b, magnitude/one, 10)
	rest := magnitude % one
	if rest == 0 {
		return b
	}
	digits := strconv.AppendUint(nil, one+rest, 10)[1:] // the leading 1 keeps zeros
	for digits[len(digits)-1] == '0' {
		digits = digits[:len(digits)-1]
	}
	return append(append(b, '.'), digits...)
}
