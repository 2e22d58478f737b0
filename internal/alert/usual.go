package alert

import (
	"math"
	"slices"

	"footfall/internal/accounts"
)

const (
	weeks      = 8 // that are looked back
	leastWeeks = 4 // that something must be known of, before anything is usual
)

// A norm is what is usual.
type norm struct {
	median float64
	spread float64 // how far from the median is nothing special
}

// deviations are how many spreads from the median something is unusual.
var deviations = map[accounts.Sensitivity]float64{accounts.Low: 6, accounts.Normal: 4, accounts.High: 3}

// normOf is what is usual by what was counted in several weeks. The median and the median deviation from it do not follow one
// week that was out of line. The spread is at least that of pure chance, the root of the median, and a tenth of it: eight
// weeks that happen to agree prove little.
func normOf(counted []float64) norm {
	m := median(counted)
	deviation := make([]float64, len(counted))
	for i, n := range counted {
		deviation[i] = math.Abs(n - m)
	}
	const toSigma = 1.4826 // of the median deviation, where chance has its normal form
	return norm{m, max(toSigma*median(deviation), math.Sqrt(m), m/10)}
}

// median is the middle of some numbers, of which there is at least one.
func median(of []float64) float64 {
	sorted := slices.Sorted(slices.Values(of))
	n := len(sorted)
	return (sorted[(n-1)/2] + sorted[n/2]) / 2
}

// unusual tells whether an alert of the kinds Above and Below is about a number. Its threshold keeps small websites quiet.
func (n norm) unusual(a accounts.Alert, is float64) bool {
	far, least := deviations[a.Sensitivity]*n.spread, float64(a.Threshold)
	switch a.Kind {
	case accounts.Above:
		return is >= least && is > n.median+far
	case accounts.Below:
		return n.median >= least && is < n.median-far
	}
	return false
}

// lively tells whether something usually happens in hours of which this was counted: enough by the alert's threshold, and in
// at least three weeks of four.
func lively(a accounts.Alert, counted []float64) bool {
	silent := 0
	for _, n := range counted {
		if n == 0 {
			silent++
		}
	}
	return median(counted) >= float64(a.Threshold) && 4*silent <= len(counted)
}
