package figures

import "fmt"

// A Bar is a rectangle of a chart, in units of the SVG view box.
type Bar struct {
	X, Y, Width, Height float64
	Class, Title        string
}

// Size of the chart, in units of the SVG view box.
const (
	chartWidth  = 720.0
	chartHeight = 160.0
)

// Bars returns the bars of a chart. Each slot has stacked bars for its passed, translated, healed and failed requests.
func Bars(f *Figures) []Bar {
	var out []Bar
	if f.MostInSlot == 0 {
		return nil
	}
	step := chartWidth / float64(len(f.Slots))
	for i := range f.Slots {
		s := &f.Slots[i]
		y := chartHeight
		for _, part := range []struct {
			n    int
			name string
		}{{s.Passed, "passed"}, {s.Translated, "translated"}, {s.Healed, "healed"}, {s.Failed, "failed"}} {
			if part.n == 0 {
				continue
			}
			height := chartHeight * float64(part.n) / float64(f.MostInSlot)
			y -= height
			out = append(out, Bar{float64(i)*step + 1, y, step - 2, height, part.name,
				fmt.Sprintf("%s: %d %s", s.Began.UTC().Format("15:04"), part.n, part.name)})
		}
	}
	return out
}
