// Package split decides where the raw values of calls end in a text whose values may hold the marks around them.
//
// A text is read by its marks alone. In the plain reading each value ends at the mark that closes it, marks in it
// balanced, and no mark is left over. Where there is none, one value ends elsewhere: the only end that leaves the rest
// plain and gives the call arguments that it can have is taken. Where two values or ends do, the call cannot be read.
package split

import (
	"slices"
	"sort"
)

// A Kind is the function of a mark.
type Kind uint8

// Kinds of marks.
const (
	Other Kind = iota // nothing here
	Open              // opens a value
	Close             // closes a value
	Begin             // opens a call, or what holds calls
	End               // closes a call, or what holds calls
)

// A Mark is one mark of a text. The first one of a text opens a value.
type Mark struct {
	Kind Kind
	Tag  string // of Open and Close: which one closes which
	Name string // of Open: the argument's name; of Begin: the tool's, where it is known
	At   int    // offset
	End  int    // offset after it
	Gap  bool   // more than white space stands before it, after the mark before
}

// Tools say which arguments a call can have.
type Tools interface {
	// Has reports whether a tool is declared.
	Has(tool string) bool
	// May reports whether a call of a tool can have these arguments, perhaps with others.
	May(tool string, names []string) bool
	// Lacks reports whether a call of a tool needs more arguments than these.
	Lacks(tool string, names []string) bool
	// TakesText reports whether an argument of a tool may be any text.
	TakesText(tool, name string) bool
}

// A Value is where a value ends.
type Value struct {
	End    int  // offset of the mark that closes it
	After  int  // offset after that mark
	Moved  bool // it holds marks that the plain reading takes as marks
	Inner  int  // offset of the first mark in it that opens a value, where it is moved; End where there is none
	Unsure bool // it may end elsewhere
}

// Bounds of the search: ends in one text, and arguments of a call and marks of one value for each of them.
const (
	maxTried = 1 << 10
	maxNames = 64
	maxMarks = 1 << 8
)

// A Plan is the marks of a text, and the decisions about them.
type Plan struct {
	marks  []Mark
	tail   bool // text stands after the last mark
	tools  Tools
	match  []int            // of Open: the mark that closes it, or -1
	plain  [states][]bool   // by state and mark: whether the marks from there on can be read plainly
	closes map[string][]int // by tag: marks after which the rest of the text is plain
	ends   map[int]Value    // by Open
	known  int              // marks before this one are decided
	tried  int
}

// A state is where a mark is met.
type state uint8

const (
	outside state = iota // text between calls
	begun                // a call, before its first value
	between              // a call, after a value
	states  = iota
)

// New reads the marks of a text. tail says that text stands after the last one.
func New(marks []Mark, tail bool, tools Tools) *Plan {
	p := &Plan{marks: marks, tail: tail, tools: tools, match: make([]int, len(marks)), closes: map[string][]int{}, ends: map[int]Value{}}
	open := map[string][]int{}
	for i := range marks {
		p.match[i] = -1
		switch m := &marks[i]; m.Kind {
		case Open:
			open[m.Tag] = append(open[m.Tag], i)
		case Close:
			if n := len(open[m.Tag]); n > 0 {
				p.match[open[m.Tag][n-1]] = i
				open[m.Tag] = open[m.Tag][:n-1]
			}
		}
	}
	for at := range p.plain {
		p.plain[at] = make([]bool, len(marks)+1)
		p.plain[at][len(marks)] = state(at) != between || !tail
	}
	for i := len(marks) - 1; i >= 0; i-- {
		for at := range p.plain {
			to, next, ok := p.step(state(at), i)
			p.plain[at][i] = ok && p.plain[to][next]
		}
		if marks[i].Kind == Close && p.plain[between][i+1] {
			p.closes[marks[i].Tag] = append(p.closes[marks[i].Tag], i)
		}
	}
	return p
}

// step reads mark i in a state: it gives the state after it and the next mark. ok is false where it cannot stand there.
func (p *Plan) step(at state, i int) (to state, next int, ok bool) {
	m := &p.marks[i]
	if at == between && m.Gap {
		return at, i, false
	}
	switch m.Kind {
	case Open:
		return between, p.match[i] + 1, at != outside && p.match[i] >= 0 && m.Name != ""
	case Close:
		return at, i, false
	case Begin:
		return begun, i + 1, true
	case End:
		return outside, i + 1, true
	}
	return at, i + 1, true
}

// Value is where the value ends whose opening mark ends at an offset: that of an argument of a call of a tool that has
// other arguments already. found is false where nothing is known of it.
func (p *Plan) Value(body int, tool string, given []string) (v Value, found bool) {
	i := sort.Search(len(p.marks), func(i int) bool { return p.marks[i].End >= body })
	if i == len(p.marks) || p.marks[i].End != body || p.marks[i].Kind != Open {
		return v, false
	}
	if i >= p.known {
		p.decide(i, tool, given)
	}
	v, found = p.ends[i]
	return v, found
}

// A call is a call as the plain reading has it.
type call struct {
	tool  string
	names []string // of its arguments
}

// A chain is the plain reading of the marks from one that opens a value on, up to where there is none.
type chain struct {
	calls  []call
	values []link
	end    int  // the mark at which it ends
	open   bool // it ends in a value that is not closed
	whole  bool // it is the reading of all marks
}

// A link is one value of a chain.
type link struct {
	mark int
	call int // index
	nth  int // among the arguments of its call
}

// decide decides about the values of the chain that begins at mark i.
func (p *Plan) decide(i int, tool string, given []string) {
	c := p.follow(i, tool, given)
	p.known = c.end
	first := c.calls[0].tool // one that is not declared does not run, however its values end
	if c.whole && (first != "" && !p.tools.Has(first) || !p.lacks(c.calls[1:])) {
		p.keep(&c, len(c.values))
		return
	}
	found := p.others(&c)
	likely, perhaps := p.missing(&c)
	switch {
	case len(found) == 0 && c.whole:
		p.keep(&c, len(c.values))
	case len(found) == 0 && !c.open:
		p.leaveOver(&c)
	case len(found) == 0 || likely && found[0].value == len(c.values)-1:
	case len(found) == 1 && !c.whole && !likely && !perhaps && !p.isDoubled(&c, found[0]):
		p.take(&c, found[0])
	default:
		last := found[0]
		for _, f := range found {
			last.close = max(last.close, f.close)
		}
		p.refuse(&c, last)
	}
}

// follow reads plainly from mark i on, which opens an argument of a call of a tool.
func (p *Plan) follow(i int, tool string, given []string) (c chain) {
	c.calls = []call{{tool, append([]string(nil), given...)}}
	at := begun
	for i < len(p.marks) {
		to, next, ok := p.step(at, i)
		m := &p.marks[i]
		top := &c.calls[len(c.calls)-1]
		isArgument := m.Kind == Open && m.Name != "" && at != outside && !(at == between && m.Gap)
		if isArgument {
			c.values = append(c.values, link{i, len(c.calls) - 1, len(top.names)})
			top.names = append(top.names, m.Name)
		}
		if !ok {
			c.end = i
			if isArgument {
				c.end, c.open = i+1, true
			}
			return c
		}
		switch {
		case m.Kind == Begin && at == begun && len(top.names) == 0:
			if m.Name != "" {
				top.tool = m.Name
			}
		case m.Kind == Begin:
			c.calls = append(c.calls, call{tool: m.Name})
		}
		at, i = to, next
	}
	c.end, c.whole = len(p.marks), at != between || !p.tail
	return c
}

// An end is a mark that may close a value of a chain.
type end struct {
	value int // index
	close int // mark
}

// others are the ends other than the plain ones that leave the rest of the text plain and give the call arguments that
// it can have. Two of them are as good as more.
func (p *Plan) others(c *chain) (found []end) {
	for k, v := range c.values {
		m := &p.marks[v.mark]
		for _, e := range p.closes[m.Tag] { // from the last one on
			if e < v.mark {
				break
			}
			if p.tried++; p.tried > maxTried {
				return append(found, end{k, e}, end{k, e})
			}
			if e != p.match[v.mark] && p.accepts(c, v, e) {
				found = append(found, end{k, e})
			}
		}
	}
	return found
}

// accepts reports whether a call can have the arguments that it has when a value ends at mark e.
func (p *Plan) accepts(c *chain, v link, e int) bool {
	call := &c.calls[v.call]
	if v.nth > maxNames {
		return false
	}
	names := append([]string(nil), call.names[:v.nth+1]...)
	for i, steps := e+1, 0; i < len(p.marks) && p.marks[i].Kind != Begin && p.marks[i].Kind != End; steps++ {
		if len(names) > maxNames || steps > maxMarks {
			return false
		}
		m := &p.marks[i]
		_, next, ok := p.step(between, i)
		if !ok {
			return false
		}
		if m.Kind == Open {
			names = append(names, m.Name)
		}
		i = next
	}
	return !p.tools.Has(call.tool) || p.tools.TakesText(call.tool, p.marks[v.mark].Name) && p.tools.May(call.tool, names) &&
		!p.tools.Lacks(call.tool, names)
}

// lacks reports whether one of some calls cannot be run: it may be the text of a value.
func (p *Plan) lacks(calls []call) bool {
	for _, call := range calls {
		if len(call.names) > 0 && (!p.tools.Has(call.tool) || p.tools.Lacks(call.tool, call.names)) {
			return true
		}
	}
	return false
}

// areSound reports whether all of some calls can be run, and have no other arguments than their tools do.
func (p *Plan) areSound(calls []call) bool {
	return !p.lacks(calls) && !slices.ContainsFunc(calls, func(c call) bool { return !p.tools.May(c.tool, c.names) })
}

// isDoubled reports whether marks that are doubled explain a text as well as a value that ends elsewhere: nothing but
// marks that close stands between its two ends.
func (p *Plan) isDoubled(c *chain, e end) bool {
	from := p.match[c.values[e.value].mark]
	if from < 0 || from > e.close {
		return false
	}
	for i := from + 1; i <= e.close; i++ {
		if p.marks[i].Gap || p.marks[i].Kind != Close && p.marks[i].Kind != End {
			return false
		}
	}
	return true
}

// missing reports whether the mark that closes the last value of a chain is missing: likely where another argument that
// the call can have begins before it, or calls that can be run; else perhaps, where another call begins.
func (p *Plan) missing(c *chain) (likely, perhaps bool) {
	if !c.open {
		return false, false
	}
	v := c.values[len(c.values)-1]
	call := &c.calls[v.call]
	depth := 0 // of calls that begin in the value
	for i := v.mark + 1; i < len(p.marks); i++ {
		if i-v.mark > maxMarks || len(call.names) > maxNames {
			return true, false
		}
		switch m := &p.marks[i]; m.Kind {
		case Open:
			if p.tools.May(call.tool, append(append([]string(nil), call.names...), m.Name)) {
				return true, false
			}
		case Close:
			if m.Tag == p.marks[v.mark].Tag {
				return false, false
			}
		case Begin:
			depth++
		case End:
			if depth--; depth < 0 && i+1 < len(p.marks) && p.marks[i+1].Kind == Begin && !p.marks[i+1].Gap {
				rest := p.follow(i+1, "", nil)
				sound := rest.whole && p.areSound(rest.calls)
				return sound, !sound
			}
		}
	}
	return false, false
}

// keep takes the plain ends of the first n values of a chain.
func (p *Plan) keep(c *chain, n int) {
	for _, v := range c.values[:n] {
		if e := p.match[v.mark]; e >= 0 {
			p.ends[v.mark] = Value{End: p.marks[e].At, After: p.marks[e].End}
		}
	}
}

// take ends one value of a chain at another mark, and the ones before it plainly.
func (p *Plan) take(c *chain, e end) {
	p.keep(c, e.value)
	mark := c.values[e.value].mark
	v := Value{End: p.marks[e.close].At, After: p.marks[e.close].End, Moved: true, Inner: p.marks[e.close].At}
	for i := mark + 1; i < e.close; i++ {
		if p.marks[i].Kind == Open {
			v.Inner = p.marks[i].At
			break
		}
	}
	p.ends[mark] = v
	p.known = e.close
}

// refuse is take for a value that may end elsewhere.
func (p *Plan) refuse(c *chain, e end) {
	p.take(c, e)
	mark := c.values[e.value].mark
	v := p.ends[mark]
	v.Unsure = true
	p.ends[mark] = v
}

// leaveOver decides about a chain that no end makes plain: where a mark that closes a value is left over, and belongs
// to the text around it, the value before it may end there.
func (p *Plan) leaveOver(c *chain) {
	i := c.end
	if i == len(p.marks) || p.marks[i].Kind != Close || len(c.values) == 0 || !p.marks[i].Gap || i+1 < len(p.marks) &&
		p.marks[i+1].Gap || i+1 == len(p.marks) && p.tail {
		return
	}
	p.refuse(c, end{len(c.values) - 1, i})
}
