package inplace

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// maxCells is the maximum number of pairs of lines to compare. A larger difference is shown as one change.
const maxCells = 1 << 20

// Difference returns the new text with its changes from the old text marked. was is the old text, now the new one. Cut
// is the number of bytes of now that are not displayed.
func Difference(title, was, now string) Text {
	was, _ = clip(was)
	now, cut := clip(now)
	d := difference{}
	d.lines(lines(was), lines(now))
	d.flush()
	d.end()
	return Text{Title: title, Pieces: d.out, Cut: cut}
}

func lines(text string) []string { return slices.Collect(strings.Lines(text)) }

// A difference collects the pieces of a comparison.
type difference struct {
	out      []Piece
	was, now strings.Builder // differing lines at the current position
	both     strings.Builder // equal text since the last piece
}

// lines compares two lists of lines.
func (d *difference) lines(was, now []string) {
	for len(was) > 0 && len(now) > 0 && was[0] == now[0] {
		d.same(was[0])
		was, now = was[1:], now[1:]
	}
	end := 0
	for end < min(len(was), len(now)) && was[len(was)-1-end] == now[len(now)-1-end] {
		end++
	}
	common := was[len(was)-end:]
	d.between(was[:len(was)-end], now[:len(now)-end])
	for _, line := range common {
		d.same(line)
	}
}

// between compares two lists of lines by their longest common subsequence.
func (d *difference) between(was, now []string) {
	if len(was)*len(now) > maxCells {
		d.was.WriteString(strings.Join(was, ""))
		d.now.WriteString(strings.Join(now, ""))
		return
	}
	width := len(now) + 1
	common := make([]int32, (len(was)+1)*width) // length of the common subsequence from each pair on
	for i := len(was) - 1; i >= 0; i-- {
		for j := len(now) - 1; j >= 0; j-- {
			if was[i] == now[j] {
				common[i*width+j] = common[(i+1)*width+j+1] + 1
			} else {
				common[i*width+j] = max(common[(i+1)*width+j], common[i*width+j+1])
			}
		}
	}
	i, j := 0, 0
	for i < len(was) || j < len(now) {
		switch {
		case i < len(was) && j < len(now) && was[i] == now[j]:
			d.same(was[i])
			i, j = i+1, j+1
		case j == len(now) || i < len(was) && common[(i+1)*width+j] >= common[i*width+j+1]:
			d.was.WriteString(was[i])
			i++
		default:
			d.now.WriteString(now[j])
			j++
		}
	}
}

// same adds a line that occurs in both texts. It first adds the preceding changed lines.
func (d *difference) same(text string) {
	d.flush()
	d.text(text)
}

func (d *difference) text(text string) { d.both.WriteString(text) }

// end adds the preceding unchanged text as one Piece.
func (d *difference) end() {
	if d.both.Len() > 0 {
		d.out = append(d.out, Piece{Text: d.both.String()})
		d.both.Reset()
	}
}

// flush adds the differing lines as a changed piece, without their common prefix and suffix.
func (d *difference) flush() {
	was, now := d.was.String(), d.now.String()
	d.was.Reset()
	d.now.Reset()
	if was == now {
		d.text(was)
		return
	}
	from := 0
	for from < min(len(was), len(now)) && was[from] == now[from] {
		from++
	}
	for from > 0 && !starts(was, now, from) {
		from--
	}
	d.text(was[:from])
	was, now = was[from:], now[from:]
	to := 0
	for to < min(len(was), len(now)) && was[len(was)-1-to] == now[len(now)-1-to] {
		to++
	}
	for to > 0 && !utf8.RuneStart(was[len(was)-to]) {
		to--
	}
	d.end()
	d.out = append(d.out, Piece{Changed: true, Was: was[:len(was)-to], Now: now[:len(now)-to]})
	d.text(was[len(was)-to:])
}

// starts reports whether the byte offset at is a character boundary in both strings.
func starts(a, b string, at int) bool {
	return (at == len(a) || utf8.RuneStart(a[at])) && (at == len(b) || utf8.RuneStart(b[at]))
}
