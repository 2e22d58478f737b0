//go:build race

package segments_test

// raceEnabled tells that the race detector slows everything down about tenfold.
const raceEnabled = true
