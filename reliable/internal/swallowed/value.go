package swallowed

import "strings"

// An Arg is an argument with its unparsed text.
type Arg struct{ Name, Text string }

// A Value is the result of [Read].
type Value struct {
	Head string // value of the parameter itself
	Rest []Arg  // further parameters after it; nil if the text has no unambiguous sequence of closers and openers
	// Suspect reports that the text has markers of further parameters, but no unambiguous reading.
	Suspect bool
}

// Params describes the parameters of the tool by functions of their names.
type Params struct {
	IsDeclared func(name string) bool
	IsMissing  func(name string) bool // reports whether a parameter is declared but not among the arguments
}

// Read splits a string value of a parameter from further parameters of the call that it contains. For the parameter
// content, `Monday.</content><parameter name="tags">["a"]` gives the Head `Monday.` and the Arg tags.
//
// The further parameters begin at a closer of the parameter without an opener in the text before it. The closer is of
// the format, as in </parameter>, or named after the parameter. Each further parameter is missing in the arguments,
// occurs once, and ends with a closer, which is optional for the last one. Only white space and end markers of the
// call may be between and after them.
func Read(param, text string, of Params) Value {
	r := reader{text: text, param: param, Params: of, marks: marksIn(text, of.IsDeclared)}
	if v, ok := r.split(); ok {
		return v
	}
	return Value{Suspect: r.suspect()}
}

// A reader reads the markers of one value.
type reader struct {
	text, param string
	Params
	marks []mark
}

// split splits the value before its further parameters. It reads closers and openers in turn, from the end of the
// text. It returns false if there are no further parameters.
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
	for first += 2; first <= last && !(canClose(list[first-1], r.param) && list[first-1].orphan); {
		first += 2 // this closer belongs to the preceding parameter inside the value, which is no further parameter
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

// isArgument reports whether mark n opens a missing parameter directly after a closer. The next mark, if any, must
// close it.
func (r *reader) isArgument(list []mark, n int) bool {
	o, before := list[n], list[n-1]
	return isOpener(o) && r.IsMissing(o.name) && isCloser(before) && r.isBlank(before.end, o.start) &&
		(o.role == opens || before.role == closesOwn && o.plain) &&
		(n+1 == len(list) || canClose(list[n+1], o.name))
}

// suspect reports whether a value has markers that are rarely there by chance: an opener of a missing parameter, or a
// closer without opener before another opener or the end of the call. It returns false if the value has the start of a
// call or an opener of the parameter itself, because such a text presents a call as an example.
func (r *reader) suspect() bool {
	for n, m := range r.marks {
		orphan := n > 0 && canClose(r.marks[n-1], r.param) && r.marks[n-1].orphan && r.isBlank(r.marks[n-1].end, m.start)
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

// canClose reports whether m is a closer that can end the parameter.
func canClose(m mark, param string) bool {
	return m.role == closes || m.role == closesOwn && m.name == param
}

// inner returns a value without the line breaks that belong to the format, if lines is true.
func inner(text string, lines bool) string {
	if lines {
		text = strings.TrimSuffix(strings.TrimPrefix(text, "\n"), "\n")
	}
	return text
}
