package traffic

import "math"

// A picker draws a number by weight in constant time (Walker's alias method).
type picker struct {
	keep  []uint32 // of each number: the share, out of 1<<32, that is not handed on to alias
	alias []uint16
}

func newPicker(weights []float64) picker {
	n := len(weights)
	p := picker{keep: make([]uint32, n), alias: make([]uint16, n)}
	var sum float64
	for _, w := range weights {
		sum += w
	}
	scaled := make([]float64, n)
	var small, large []int
	for i, w := range weights {
		scaled[i] = w * float64(n) / sum
		p.keep[i] = math.MaxUint32
		p.alias[i] = uint16(i)
		if scaled[i] < 1 {
			small = append(small, i)
		} else {
			large = append(large, i)
		}
	}
	for len(small) > 0 && len(large) > 0 {
		s, l := small[len(small)-1], large[len(large)-1]
		small = small[:len(small)-1]
		p.keep[s] = uint32(scaled[s] * math.MaxUint32)
		p.alias[s] = uint16(l)
		scaled[l] -= 1 - scaled[s]
		if scaled[l] < 1 {
			large = large[:len(large)-1]
			small = append(small, l)
		}
	}
	return p
}

// pick turns 64 random bits into a number.
func (p picker) pick(r uint64) int {
	i := int((r >> 32) * uint64(len(p.keep)) >> 32)
	if uint32(r) <= p.keep[i] {
		return i
	}
	return int(p.alias[i])
}

// zipf are n weights that fall with the power s of the rank.
func zipf(n int, s float64) []float64 {
	weights := make([]float64, n)
	for i := range weights {
		weights[i] = math.Pow(float64(i+1), -s)
	}
	return weights
}
