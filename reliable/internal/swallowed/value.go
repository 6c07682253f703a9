package swallowed

import "strings"

// An Arg is an argument as it stands in the text of a call.
type Arg struct{ Name, Text string }

// A Value is the value of a parameter that may hold the rest of its call.
type Value struct {
	Head string // the parameter's own value
	Rest []Arg  // the parameters behind it: none where the value is not exactly itself, its closer and the openers of others
	// Suspect says that the value has marks of a call's rest, and more than one reading or none.
	Suspect bool
}

// Params are the parameters of a call's tool, by their names.
type Params struct {
	IsDeclared func(name string) bool
	IsMissing  func(name string) bool // declared, and not among the arguments
}

// Read reads a text value of a parameter.
//
// The rest of a call begins with a closer of the parameter that closes nothing in the text before it: the format's own
// or a tag that is named after the parameter. Each parameter behind it is missing, stands there once, and ends with a
// closer; the last one may lack it. Nothing but white space and the ends of the call stands between and behind them.
func Read(param, text string, of Params) Value {
	r := reader{text: text, param: param, Params: of, marks: marksIn(text, of.IsDeclared)}
	if v, ok := r.split(); ok {
		return v
	}
	return Value{Suspect: r.suspect()}
}

// A reader reads the marks of one value.
type reader struct {
	text, param string
	Params
	marks []mark
}

// split is the value as it is split before the rest of its call: closers and openers in turn, back from its end.
func (r *reader) split() (Value, bool) {
	n, end := len(r.marks), len(r.text)
	for n > 0 && r.marks[n-1].role == ends && r.isBlank(r.marks[n-1].end, end) {
		n--
		end = r.marks[n].start
	}
	list, last := r.marks[:n], n-1
	if last >= 0 && isCloser(list[last]) && r.isBlank(list[last].end, end) {
		last--
	}
	first := last
	for taken := map[string]bool{}; first > 0 && r.isArgument(list, first) && !taken[list[first].name]; first -= 2 {
		taken[list[first].name] = true
	}
	for first += 2; first <= last && !(suits(list[first-1], r.param) && list[first-1].orphan); {
		first += 2 // its closer is that of the parameter before it, which does not belong to the rest
	}
	if first > last {
		return Value{}, false
	}
	v := Value{Head: r.text[:list[first-1].start]}
	if list[first].lines {
		v.Head = strings.TrimSuffix(v.Head, "\n")
	}
	for at := first; at <= last; at += 2 {
		valueEnd := end
		if at+1 < n {
			valueEnd = list[at+1].start
		}
		v.Rest = append(v.Rest, Arg{list[at].name, inner(r.text[list[at].end:valueEnd], list[at].lines)})
	}
	return v, true
}

// isArgument reports whether mark n opens a missing parameter right behind a closer, and the mark behind its value, if
// there is one, closes it.
func (r *reader) isArgument(list []mark, n int) bool {
	o, before := list[n], list[n-1]
	return isOpener(o) && r.IsMissing(o.name) && isCloser(before) && r.isBlank(before.end, o.start) &&
		(o.role == opens || before.role == closesOwn && o.plain) &&
		(n+1 == len(list) || suits(list[n+1], o.name))
}

// suspect reports whether a value has marks that stand in few texts by chance: an opener of a missing parameter, or
// another opener or the end of the call behind a closer that closes nothing. A text that shows a call has its
// beginning, or that of the parameter itself, too.
func (r *reader) suspect() bool {
	for n, m := range r.marks {
		orphan := n > 0 && suits(r.marks[n-1], r.param) && r.marks[n-1].orphan && r.isBlank(r.marks[n-1].end, m.start)
		switch {
		case m.role == begins, isOpener(m) && m.name == r.param:
			return false
		case m.role == opens && (orphan || r.IsMissing(m.name)), m.role == element && orphan && r.marks[n-1].role == closesOwn:
			return true
		case m.role == ends && orphan && (r.isBlank(m.end, len(r.text)) || n+1 < len(r.marks) && r.marks[n+1].role != opens &&
			r.isBlank(m.end, r.marks[n+1].start)):
			return true
		}
	}
	return false
}

func (r *reader) isBlank(from, to int) bool { return strings.TrimSpace(r.text[from:to]) == "" }

func isOpener(m mark) bool { return m.role == opens || m.role == element }

func isCloser(m mark) bool { return m.role == closes || m.role == closesOwn }

// suits reports whether a closer can close a parameter.
func suits(m mark, param string) bool {
	return m.role == closes || m.role == closesOwn && m.name == param
}

// inner is a value without the line ends of its format.
func inner(text string, lines bool) string {
	if lines {
		text = strings.TrimSuffix(strings.TrimPrefix(text, "\n"), "\n")
	}
	return text
}
