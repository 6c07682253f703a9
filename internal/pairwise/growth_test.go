package pairwise_test

import (
	"fmt"
	"slices"
	"strings"

	"github.com/google/go-cmp/cmp"
)

// prefixes checks that what is sent for the beginning of a conversation does not change as it grows, for each provider.
func (w *world) prefixes() (out []string) {
	var was [2]*sent
	for _, at := range w.log {
		if at.kind != "answered" && at.kind != "wrong" && at.kind != "barred" || w.tail(at) {
			continue
		}
		if b := was[at.provider]; b != nil {
			for i := range b.seen.list[:len(b.seen.list)-1] {
				if text(object(b.seen.list[i])["role"]) == "system" && w.searched(b.step, at.step) { // where tools are described in words
					continue
				}
				if i >= len(at.seen.list) || string(b.seen.list[i]) != string(at.seen.list[i]) {
					out = append(out, fmt.Sprintf("steps %d and %d: message %d was %s, is %s", b.step, at.step, i, b.seen.list[i], at.seen.list[min(i, len(at.seen.list)-1)]))
					break
				}
			}
			if w.searched(b.step, at.step) { // which adds tools at the end of the list
				if i, ok := grown(b.seen.tools, at.seen.tools); !ok {
					out = append(out, fmt.Sprintf("steps %d and %d: tool %d changes: %s", b.step, at.step, i, at.seen.body))
				}
			} else if js(b.seen.fixed) != js(at.seen.fixed) {
				out = append(out, fmt.Sprintf("steps %d and %d (%s): the request changes: %s", b.step, at.step, w.kinds(), cmp.Diff(js(b.seen.fixed), js(at.seen.fixed))))
			}
		}
		was[at.provider] = at
	}
	return out
}

// searched reports whether the model searched for tools from one step to another.
func (w *world) searched(from, to int) bool {
	return slices.ContainsFunc(w.log, func(at *sent) bool { return at.kind == "searched" && at.step >= from && at.step <= to })
}

// grown is the first tool of a list that another one does not begin with.
func grown(list, longer []shown) (i int, ok bool) {
	for i := range list {
		if i >= len(longer) || fmt.Sprint(list[i]) != fmt.Sprint(longer[i]) {
			return i, false
		}
	}
	return 0, true
}

// tail reports whether a request is not the first one of its step to that provider.
func (w *world) tail(at *sent) bool {
	for _, other := range w.log {
		if other == at {
			return false
		}
		if other.step == at.step && other.provider == at.provider && other.kind != "searched" {
			return true
		}
	}
	return false
}

// differences are those between the same conversation whole and streamed.
func differences(whole, streamed *world) (out []string) {
	for k := range whole.steps {
		a, b := whole.steps[k].answer, streamed.steps[k].answer
		if a == nil || b == nil {
			break
		}
		if s := whole.steps[k]; a.reasoning != b.reasoning && !s.wrong && !s.barred && !s.insists { // what came before a correction cannot be taken back
			out = append(out, fmt.Sprintf("step %d: reasoning %q whole, %q streamed", k, a.reasoning, b.reasoning))
		}
	}
	a, b := whole.answered(), streamed.answered()
	if len(a) != len(b) {
		out = append(out, fmt.Sprintf("%d requests whole, %d streamed", len(a), len(b)))
	}
	for i := range min(len(a), len(b)) {
		if whole.speaksBeforeCorrection() && (len(a[i].tools) == 0) != (len(b[i].tools) == 0) {
			break // a stream that has sent text stays in its mode, and later requests show its answers so
		}
		if x, y := gist(a[i]), gist(b[i]); x != y {
			out = append(out, fmt.Sprintf("request %d: %s", i, cmp.Diff(x, y)))
		}
	}
	return out
}

// speaksBeforeCorrection reports whether the model says something in an answer that is corrected.
func (w *world) speaksBeforeCorrection() bool {
	return slices.ContainsFunc(w.steps, func(s *step) bool { return s.wrong && s.text != "" })
}

// answered are the requests to providers that did not fail.
func (w *world) answered() (out []*seen) {
	for _, at := range w.log {
		if at.kind != "failed" {
			out = append(out, at.seen)
		}
	}
	return out
}

// gist is what a request says, without ids.
func gist(s *seen) string {
	var b strings.Builder
	fmt.Fprintf(&b, "system %q\n", s.system)
	for _, t := range s.tools {
		fmt.Fprintf(&b, "tool %q %q %s %t\n", t.name, t.about, t.schema, t.custom)
	}
	for i, t := range s.turns {
		if i == 0 || t.role != "assistant" || s.turns[i-1].role != t.role || len(s.turns[i-1].calls) > 0 { // else it is another item of one answer
			said := t.text
			for j := i + 1; j < len(s.turns) && t.role == "assistant" && s.turns[j].role == t.role && len(s.turns[j-1].calls) == 0; j++ {
				said += s.turns[j].text
			}
			fmt.Fprintf(&b, "%s %q\n", t.role, said)
		}
		for _, c := range t.calls {
			fmt.Fprintf(&b, "  call %s %s\n", c.name, c.input)
		}
		for _, r := range t.results {
			fmt.Fprintf(&b, "  result %s %s\n", r.name, r.text)
		}
	}
	return b.String()
}

// kinds are the requests by their steps and what became of them.
func (w *world) kinds() string {
	var out []string
	for _, at := range w.log {
		out = append(out, fmt.Sprintf("%d %d %s", at.step, at.provider, at.kind))
	}
	return strings.Join(out, ", ")
}
