// Package split determines the ends of raw (unescaped) argument values that may contain the markers of their own
// format.
//
// A text is given as its list of markers. In the regular interpretation each value ends at its matching closing
// marker, and no marker is left over. If that is impossible, one value must end elsewhere. Split chooses the only end
// after which the rest of the text is regular and the call has permitted arguments. If two values or ends qualify, the
// call is unreadable.
package split

import (
	"slices"
	"sort"
)

// A Kind is the function of a marker.
type Kind uint8

// Functions of a marker.
const (
	Other Kind = iota // no function
	Open              // opens a value
	Close             // closes a value
	Begin             // opens a call or a group of calls
	End               // closes a call or a group of calls
)

// A Mark is one marker of a text. The first one opens a value.
type Mark struct {
	Kind Kind
	Tag  string // for Open and Close: the tag by which they match
	Name string // for Open the argument name; for Begin the tool name, if known
	At   int    // start offset
	End  int    // end offset
	Gap  bool   // text other than white space precedes it, after the previous marker
}

// Tools provides the arguments that calls may have.
type Tools interface {
	// Has reports whether the tool is declared.
	Has(tool string) bool
	// May reports whether a call of the tool can have the arguments in names, possibly with others.
	May(tool string, names []string) bool
	// Lacks reports whether a call of the tool requires more arguments than names.
	Lacks(tool string, names []string) bool
	// TakesText reports whether the argument can be any text.
	TakesText(tool, name string) bool
}

// A Value is the end that the search found for an argument value, as offsets.
type Value struct {
	End    int  // offset of the closing marker
	After  int  // offset after the closing marker
	Moved  bool // the value contains markers of the regular interpretation
	Inner  int  // offset of the first opening marker of a value inside it if Moved, otherwise End
	Unsure bool // another end is possible
}

// Limits of the search: tried ends in a text, arguments of a call, and markers of a value for each tried end.
const (
	maxTried = 1 << 10
	maxNames = 64
	maxMarks = 1 << 8
)

// A Plan has the markers of a text and the decisions about its values.
type Plan struct {
	marks  []Mark
	tail   bool // text follows the last marker
	tools  Tools
	match  []int            // for Open: index of the matching closing marker, or -1
	plain  [states][]bool   // by state and marker: the rest of the text from there is regular
	closes map[string][]int // by tag: closing markers after which the rest is regular
	ends   map[int]Value    // by index of the opening marker
	known  int              // markers before this index are decided
	tried  int              // number of possible ends that were examined
}

// A state is the position of a marker.
type state uint8

const (
	outside state = iota // text between calls
	begun                // in a call, before its first value
	between              // in a call, after a value
	states  = iota
)

// New returns a Plan for the markers of a text. tail reports that text follows the last marker.
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

// step returns the state after marker i and the index of the next marker. at is the state before marker i. ok is false
// if the marker is not allowed in that state.
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

// Value returns the end of the value whose opening marker ends at offset body. The value belongs to a call of tool.
// given has the names of the call's earlier arguments. found is false if the end is unknown.
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

// A call is a call in the regular interpretation.
type call struct {
	tool  string
	names []string // argument names
}

// A chain is the regular interpretation of the markers from an opening marker, as far as it exists.
type chain struct {
	calls  []call
	values []link
	end    int  // index of the marker at which the chain ends
	open   bool // it ends inside an unclosed value
	whole  bool // it includes all markers
}

// A link is one value of a chain.
type link struct {
	mark int
	call int // index of the call
	nth  int // index among the arguments of the call
}

// decide determines the ends of the values in the chain from marker i.
func (p *Plan) decide(i int, tool string, given []string) {
	c := p.follow(i, tool, given)
	p.known = c.end
	first := c.calls[0].tool // a call of an undeclared tool is not run, so the ends do not matter
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

// follow returns the chain from marker i, which opens an argument of a call of tool.
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

// An end is a marker that may close a value of a chain.
type end struct {
	value int // index of the value
	close int // index of the marker
}

// others returns the irregular ends after which the rest of the text is regular and the call has permitted arguments.
// Two results suffice to show ambiguity.
func (p *Plan) others(c *chain) (found []end) {
	for k, v := range c.values {
		m := &p.marks[v.mark]
		for _, e := range p.closes[m.Tag] { // from the last one
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

// accepts reports whether the call can have the arguments that result if the value v ends at marker e.
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

// lacks reports whether one of the calls cannot be run, so that it may be text inside a value.
func (p *Plan) lacks(calls []call) bool {
	for _, call := range calls {
		if len(call.names) > 0 && (!p.tools.Has(call.tool) || p.tools.Lacks(call.tool, call.names)) {
			return true
		}
	}
	return false
}

// areSound reports whether all calls can be run and have only declared arguments.
func (p *Plan) areSound(calls []call) bool {
	return !p.lacks(calls) && !slices.ContainsFunc(calls, func(c call) bool { return !p.tools.May(c.tool, c.names) })
}

// isDoubled reports whether doubled closing markers also explain the text: only closing markers are between the
// regular end and e.
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

// missing reports whether the closing marker of the last value is missing. likely is true if another permitted
// argument or valid calls begin before it, perhaps if another call begins.
func (p *Plan) missing(c *chain) (likely, perhaps bool) {
	if !c.open {
		return false, false
	}
	v := c.values[len(c.values)-1]
	call := &c.calls[v.call]
	depth := 0 // number of open calls inside the value
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

// keep stores the regular ends of the first n values of a chain.
func (p *Plan) keep(c *chain, n int) {
	for _, v := range c.values[:n] {
		if e := p.match[v.mark]; e >= 0 {
			p.ends[v.mark] = Value{End: p.marks[e].At, After: p.marks[e].End}
		}
	}
}

// take stores the irregular end e of one value, and regular ends of the values before it.
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

// refuse works like take and marks the value as ambiguous.
func (p *Plan) refuse(c *chain, e end) {
	p.take(c, e)
	mark := c.values[e.value].mark
	v := p.ends[mark]
	v.Unsure = true
	p.ends[mark] = v
}

// leaveOver marks the last value of a chain without a solution as ambiguous if an unmatched closing marker ends it.
func (p *Plan) leaveOver(c *chain) {
	i := c.end
	if i == len(p.marks) || p.marks[i].Kind != Close || len(c.values) == 0 || !p.marks[i].Gap || i+1 < len(p.marks) &&
		p.marks[i+1].Gap || i+1 == len(p.marks) && p.tail {
		return
	}
	p.refuse(c, end{len(c.values) - 1, i})
}
