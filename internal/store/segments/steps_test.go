package segments

import (
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/parquet-go/parquet-go/encoding/delta"
)

// randomNumbers rise by 0 or 1, begin anew now and then, and are anything at times.
func randomNumbers(r *rand.Rand, n int) []int32 {
	numbers := make([]int32, n)
	wild := r.IntN(4) == 0
	for i := range numbers {
		if i == 0 {
			continue
		}
		switch k := r.IntN(100); {
		case k < 60:
			numbers[i] = numbers[i-1]
		case k < 98:
			numbers[i] = numbers[i-1] + 1
		case wild:
			numbers[i] = int32(r.Uint32())
		}
	}
	return numbers
}

func TestStepsOfEveryRangeAreThoseOfTheNumbers(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 3000 {
		numbers := randomNumbers(r, 1+r.IntN(700))
		page, err := new(delta.BinaryPackedEncoding).EncodeInt32(nil, numbers)
		if err != nil {
			t.Fatal(err)
		}
		from := r.IntN(len(numbers))
		to := from + 1 + r.IntN(len(numbers)-from)
		got := newBitmap(to-from, nil)
		if err := deltaSteps(&got, page, len(numbers), from); err != nil {
			t.Fatal(err)
		}
		if want := stepsOf(numbers[from:to], nil); !slices.Equal(got.words, want.words) {
			t.Fatalf("rows %d to %d of %d step at %x, not %x", from, to, len(numbers), got.words, want.words)
		}
	}
}

func TestStepsOfDamagedPagesAreNoPanic(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 3))
	for range 3000 {
		numbers := randomNumbers(r, 1+r.IntN(300))
		page, err := new(delta.BinaryPackedEncoding).EncodeInt32(nil, numbers)
		if err != nil {
			t.Fatal(err)
		}
		page = page[:r.IntN(len(page)+1)]
		if len(page) > 0 {
			page[r.IntN(len(page))] ^= 1 << r.IntN(8)
		}
		steps := newBitmap(len(numbers), nil)
		if err := deltaSteps(&steps, page, len(numbers), 0); err != nil && !errors.Is(err, errPage) {
			t.Fatal(err)
		}
	}
}
