package report

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"math"
	"sync"
)

// The picture, in pixels of a screen that has two for each of CSS.
const (
	chartWidth  = 1104
	chartHeight = 288
	chartTop    = 20
	chartBottom = 12
	chartSide   = 24 // the labels below it keep the same distance, 2.2% of the width
	chartCorner = 16
	barCorner   = 6
)

// The inks of a picture. Each has steps from what is under it to itself, for edges that are not straight.
const (
	steps = 8

	onNothing = 0               // the card, on nothing: 0 is nothing, steps is the card
	wasOnCard = steps + 1       // the bars of before
	isOnCard  = 2 * (steps + 1) // the bars of now
	isOnWas   = 3 * (steps + 1)
	gridLine  = 4 * (steps + 1)
)

// chartPalette has a light card on which all else stands, so that the picture looks the same wherever it is shown: programs
// that make light emails dark leave pictures alone.
var chartPalette = func() color.Palette {
	ground := color.NRGBA{0xf4, 0xf7, 0xf6, 0xff}
	was := color.NRGBA{0xcd, 0xdf, 0xdc, 0xff}
	is := color.NRGBA{0x0b, 0x6b, 0x6b, 0xff}
	var p color.Palette
	for i := range steps + 1 {
		p = append(p, color.NRGBA{ground.R, ground.G, ground.B, uint8(255 * i / steps)})
	}
	for _, ink := range []struct{ under, over color.NRGBA }{{ground, was}, {ground, is}, {was, is}} {
		for i := range steps + 1 {
			p = append(p, mix(ink.under, ink.over, i))
		}
	}
	return append(p, color.NRGBA{0xe3, 0xe9, 0xe8, 0xff})
}()

func mix(under, over color.NRGBA, step int) color.NRGBA {
	part := func(a, b uint8) uint8 { return uint8((int(a)*(steps-step) + int(b)*step) / steps) }
	return color.NRGBA{part(under.R, over.R), part(under.G, over.G), part(under.B, over.B), 0xff}
}

// chart draws the visitors of each day as a bar. If the days before are compared, theirs stand behind.
func chart(days []Day, compared bool) ([]byte, error) {
	c := canvases.Get().(*canvas)
	defer canvases.Put(c)
	img := c.img
	copy(img.Pix, emptyChart().Pix)
	highest := 1.0
	for _, d := range days {
		highest = max(highest, d.Is)
		if compared {
			highest = max(highest, d.Was)
		}
	}
	slot := float64(chartWidth-2*chartSide) / float64(len(days))
	for i, d := range days {
		middle := chartSide + (float64(i)+0.5)*slot
		width := 0.62 * slot
		if compared {
			bar(img, middle, width, d.Was/highest, wasOnCard)
			width = 0.36 * slot
		}
		bar(img, middle, width, d.Is/highest, isOnCard)
	}
	var b bytes.Buffer
	encoder := png.Encoder{CompressionLevel: png.BestSpeed, BufferPool: c}
	if err := encoder.Encode(&b, img); err != nil {
		return nil, fmt.Errorf("draw the chart: %w", err)
	}
	return b.Bytes(), nil
}

// A canvas is what it takes to draw: 1.5 MB. It is used again, as the garbage of a thousand reports is felt by hits.
type canvas struct {
	img     *image.Paletted
	encoder *png.EncoderBuffer // nil at first
}

var canvases = sync.Pool{New: func() any {
	return &canvas{img: image.NewPaletted(image.Rect(0, 0, chartWidth, chartHeight), chartPalette)}
}}

// Get and Put lend the memory of the encoder to it.
func (c *canvas) Get() *png.EncoderBuffer  { return c.encoder }
func (c *canvas) Put(b *png.EncoderBuffer) { c.encoder = b }

// emptyChart is the card with lines for orientation, which all pictures begin with.
var emptyChart = sync.OnceValue(func() *image.Paletted {
	img := image.NewPaletted(image.Rect(0, 0, chartWidth, chartHeight), chartPalette)
	fill(img, 0, 0, chartWidth, chartHeight, chartCorner, chartCorner, onNothing)
	for i := range 3 {
		y := chartTop + (chartHeight-chartTop-chartBottom)*i/3
		for x := chartSide; x < chartWidth-chartSide; x++ {
			img.Pix[y*img.Stride+x] = gridLine
			img.Pix[(y+1)*img.Stride+x] = gridLine
		}
	}
	return img
})

// bar draws one that is as high as a share of all the room. Not nothing is never invisible.
func bar(img *image.Paletted, middle, width, share float64, ink int) {
	if share <= 0 {
		return
	}
	height := max(4, int(math.Round(share*(chartHeight-chartTop-chartBottom))))
	left, right := int(math.Round(middle-width/2)), int(math.Round(middle+width/2))
	bottom := chartHeight - chartBottom
	fill(img, left, bottom-height, right, bottom, min(barCorner, height, (right-left)/2), 2, ink)
}

// fill fills a box whose corners are round, those at the top by one radius and those at the bottom by another.
func fill(img *image.Paletted, left, top, right, bottom, roundTop, roundBottom, ink int) {
	for y := top; y < bottom; y++ {
		radius, edge := 0, y-top
		if edge < roundTop {
			radius = roundTop
		} else if edge = bottom - 1 - y; edge < roundBottom {
			radius = roundBottom
		}
		row := img.Pix[y*img.Stride:]
		corner := max(0, min(radius, right-left)) // the pixels of the row that a round corner may leave out, at either end
		for x := left; x < left+corner; x++ {
			paint(&row[x], coverage(min(x-left, right-1-x), edge, radius), ink)
		}
		for x := left + corner; x < right-corner; x++ {
			paint(&row[x], steps, ink)
		}
		for x := max(left+corner, right-corner); x < right; x++ {
			paint(&row[x], coverage(right-1-x, edge, radius), ink)
		}
	}
}

// coverage is how much of a pixel lies within a round corner, in steps. It looks at 16 points of the pixel.
func coverage(x, y, radius int) int {
	const n = 4
	within := 0
	for i := range n {
		for j := range n {
			dx := float64(radius) - float64(x) - (float64(i)+0.5)/n
			dy := float64(radius) - float64(y) - (float64(j)+0.5)/n
			if dx*dx+dy*dy <= float64(radius*radius) {
				within++
			}
		}
	}
	return within * steps / (n * n)
}

// paint puts ink on a pixel. Only the bars of now come to stand on something else than the card.
func paint(pixel *uint8, covered, ink int) {
	switch {
	case covered == 0:
		return
	case ink == isOnCard && *pixel == wasOnCard+steps:
		ink = isOnWas
	}
	*pixel = uint8(ink + covered)
}
