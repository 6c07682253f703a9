package main

import (
	"sort"
	"strconv"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/cmd/callwright/internal/paint"
)

// A span is the byte range [from, to) of a text.
type span struct{ from, to int }

// places locates notes in the text that was parsed. Two notes of one rule never get the same position.
type places struct {
	text    string
	lines   []int             // offsets of the line starts
	calls   map[string][]span // positions of the calls, by tool name
	closers map[int]bool      // offsets of the text after each call: a closing tag there belongs to the call
	taken   map[string]bool
}

func newPlaces(text string, got *parsed) *places {
	p := &places{text: text, lines: []int{0}, calls: map[string][]span{}, closers: map[int]bool{}, taken: map[string]bool{}}
	for i := range len(text) {
		if text[i] == '\n' {
			p.lines = append(p.lines, i+1)
		}
	}
	from := map[string]int{}
	for _, c := range got.Calls {
		p.add(from, c.Name, c.source)
	}
	for _, c := range got.Invalid {
		p.add(from, c.Name, c.Raw)
	}
	return p
}

// add records the position of a call. source is the text of the call. from contains the offset up to which each source
// was already found, because equal calls can repeat.
func (p *places) add(from map[string]int, name, source string) {
	n := strings.Index(p.text[from[source]:], source)
	if n < 0 || source == "" {
		return
	}
	at := from[source] + n
	end := at + len(source)
	from[source] = end
	p.calls[name] = append(p.calls[name], span{at, end})
	after := strings.TrimLeft(p.text[end:], " \t\r\n")
	p.closers[len(p.text)-len(after)] = true
}

// locate returns the position of the text that a note quotes. It searches the calls of the note's tool, or the whole
// text if there are none. ok is false if it is not found.
func (p *places) locate(n *callwright.Note) (span, bool) {
	was := strings.TrimSuffix(n.Was, "…")
	if was == "" {
		return span{}, false
	}
	within := p.calls[n.Call]
	if n.Call == "" || len(within) == 0 {
		within = []span{{0, len(p.text)}}
	}
	if offset, ok := placeHint(n); ok {
		for _, c := range within {
			if at := c.from + offset; at <= c.to && strings.HasPrefix(p.text[at:c.to], was) && p.take(n, at) {
				return span{at, at + len(was)}, true
			}
		}
	}
	for _, c := range within {
		for _, spelled := range []string{was, strings.Trim(was, `"`)} {
			if at, ok := p.find(n, spelled, c); ok {
				return span{at, at + len(spelled)}, true
			}
		}
	}
	return span{}, false
}

// find returns the offset of the quotation spelled in the byte range c of a call, after the key that the note's Path
// names. ok is false if spelled is empty or missing, or if an earlier note of the rule has this offset.
func (p *places) find(n *callwright.Note, spelled string, c span) (int, bool) {
	if spelled == "" {
		return 0, false
	}
	from := c.from
	for key := range strings.SplitSeq(n.Path, "/") {
		if at := strings.Index(p.text[from:c.to], key); key != "" && at >= 0 {
			from += at + len(key)
		}
	}
	for from < c.to {
		at := strings.Index(p.text[from:c.to], spelled)
		if at < 0 {
			return 0, false
		}
		from += at
		if (n.Call != "" || !p.closers[from]) && p.take(n, from) {
			return from, true
		}
		from += len(spelled)
	}
	return 0, false
}

func (p *places) take(n *callwright.Note, at int) bool {
	key := n.Rule + "@" + strconv.Itoa(at)
	free := !p.taken[key]
	p.taken[key] = true
	return free
}

// placeHint returns the byte offset in a call that is the reason of a note, such as 5 for "at byte 5".
func placeHint(n *callwright.Note) (int, bool) {
	digits, ok := strings.CutPrefix(n.Why, "at byte ")
	if !ok {
		return 0, false
	}
	offset, err := strconv.Atoi(digits)
	return offset, err == nil && offset >= 0
}

// excerpt returns the line with the start of a span: its number from 1, its text cut to width, and a line of marks to
// print below it.
func (p *places) excerpt(at span, width int) (number int, line, marks string) {
	number = sort.SearchInts(p.lines, at.from+1)
	start, end := p.lines[number-1], len(p.text)
	if number < len(p.lines) {
		end = p.lines[number] - 1
	}
	to := max(at.from, min(at.to, end))
	after := paint.Visible(p.text[to:min(end, to+longLine)])
	marked := paint.Visible(p.text[at.from:min(to, at.from+longLine)])
	before := paint.Visible(p.text[max(start, at.from-longLine):at.from])
	before = paint.CutLeft(before, max(width/2, width-paint.Columns(marked)-paint.Columns(after)))
	marked = paint.CutRight(marked, width-paint.Columns(before))
	after = paint.CutRight(strings.TrimRight(after, "␍"), width-paint.Columns(before)-paint.Columns(marked))
	return number, before + marked + after, strings.Repeat(" ", paint.Columns(before)) + strings.Repeat("^", max(1, paint.Columns(marked)))
}

// longLine is the maximum number of bytes on each side of a position that excerpt examines.
const longLine = 2 << 10
