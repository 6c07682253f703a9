package dashboard

import (
	"fmt"
	"html/template"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/callwright/callwright/internal/dashboard/internal/figures"
	"github.com/callwright/callwright/internal/dashboard/internal/runlist"
)

// functions are what templates call.
var functions = template.FuncMap{
	"ago":   ago,
	"clock": func(t time.Time) string { return t.UTC().Format("2006-01-02 15:04:05") },
	"stamp": func(t time.Time) string { return t.UTC().Format(time.RFC3339Nano) },
	"took":  took,
	"span":  span,
	"millis": func(d time.Duration) string {
		return strconv.FormatFloat(float64(d)/float64(time.Millisecond), 'f', 3, 64)
	},
	"number":   func(n any) string { return number(fmt.Sprint(n)) },
	"percent":  percent,
	"usd":      func(n float64) string { return "$" + strconv.FormatFloat(n, 'f', 4, 64) },
	"figure":   func(n float64) string { return strconv.FormatFloat(n, 'f', -1, 64) },
	"pathOf":   func(name any) string { return strings.ReplaceAll(url.PathEscape(fmt.Sprint(name)), "%2F", "/") },
	"barChart": barChart,
	"add":      func(a, b int) int { return a + b },
	"plural":   plural,
	"runState": runlist.StateOf,
	"visible":  runlist.Visible,
	"named":    named,
}

// A word is a piece of a sentence, a name or what stands between names.
type word struct {
	Text   string
	IsName bool
}

// named takes a sentence apart at the backticks around its names.
func named(sentence string) (out []word) {
	for i, piece := range strings.Split(sentence, "`") {
		if piece != "" {
			out = append(out, word{piece, i%2 == 1})
		}
	}
	return out
}

// ago says how long before now a time was, or how long after.
func ago(now, t time.Time) string {
	if t.IsZero() {
		return "never"
	}
	d, form := now.Sub(t), "%d %s ago"
	if d < 0 {
		d, form = -d, "in %d %s"
	}
	switch {
	case d < time.Minute:
		return fmt.Sprintf(form, int(d/time.Second), "s")
	case d < time.Hour:
		return fmt.Sprintf(form, int(d/time.Minute), "min")
	case d < 48*time.Hour:
		return fmt.Sprintf(form, int(d/time.Hour), "h")
	}
	return fmt.Sprintf(form, int(d/(24*time.Hour)), "days")
}

// took writes a duration with the precision that people read.
func took(d time.Duration) string {
	switch {
	case d == 0:
		return "0"
	case d < time.Millisecond:
		return d.Round(time.Microsecond).String()
	case d < 10*time.Second:
		return d.Round(time.Millisecond).String()
	}
	return d.Round(100 * time.Millisecond).String()
}

// span writes a duration of whole minutes or hours.
func span(d time.Duration) string {
	if d >= time.Hour && d%time.Hour == 0 {
		return plural(int(d/time.Hour), "hour", "hours")
	}
	return plural(int(d/time.Minute), "minute", "minutes")
}

// number writes a count with its thousands apart.
func number(s string) string {
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "\u202f" + s[i:]
	}
	return s
}

func percent(n, of int) string {
	if of == 0 {
		return "–"
	}
	return strconv.FormatFloat(100*float64(n)/float64(of), 'f', 1, 64) + " %"
}

// A bar is a part of a chart, in units of its view box.
type bar struct {
	X, Y, Width, Height float64
	Class, Title        string
}

// Of the chart, in units of its view box.
const (
	chartWidth  = 720.0
	chartHeight = 160.0
)

// barChart returns the bars of figures, each of what was passed, translated, healed and failed.
func barChart(f *figures.Figures) []bar {
	var out []bar
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
			out = append(out, bar{float64(i)*step + 1, y, step - 2, height, part.name, fmt.Sprintf("%s: %d %s", s.Began.UTC().Format("15:04"), part.n, part.name)})
		}
	}
	return out
}

// plural writes a count of what has one name alone and another for many.
func plural(n any, one, many string) string {
	if text := fmt.Sprint(n); text != "1" {
		return number(text) + " " + many
	}
	return "1 " + one
}
