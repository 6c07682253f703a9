package eval

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/agent"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/workspace"
)

// A checker compares the result of a played scenario with the expected one.
type checker struct {
	s        *Scenario
	p        *playResult
	strict   bool // compare texts exactly
	failures []failedCheck
}

// A failedCheck is an assertion that did not hold, with its failure class.
type failedCheck struct {
	Check
	class string
}

// check returns the assertions of the scenario that did not hold. strict compares the final text exactly.
func (s *Scenario) check(p *playResult, strict bool) []failedCheck {
	c := &checker{s: s, p: p, strict: strict}
	if p.err != nil && slices.Contains(s.Expect.Errors, callwright.KindOf(p.err)) {
		c.calls(true)
		c.limits()
		return c.failures
	}
	c.stop()
	c.calls(false)
	c.results()
	c.document()
	c.directives()
	c.checkQuestions()
	c.text()
	c.limits()
	return c.failures
}

func (c *checker) fail(class, assertion, want, format string, args ...any) {
	c.failures = append(c.failures, failedCheck{Check{"/expect" + assertion, callwright.Excerpt(want),
		callwright.Excerpt(fmt.Sprintf(format, args...))}, class})
}

func (c *checker) stop() {
	want := c.s.Expect.Stop
	if want == "" {
		want = agent.StopAnswered
	}
	if c.p.stop == want {
		return
	}
	switch kind := callwright.KindOf(c.p.err); {
	case c.p.stop == agent.StopModel && kind == callwright.KindInternal:
		c.fail(classNoAnswer, "/stop", string(want), "%v", c.p.err) // the model itself made no error
	case c.p.stop == "" || c.p.stop == agent.StopModel:
		c.fail(classError+string(kind), "/stop", string(want), "%v", c.p.err)
	default:
		c.fail(classStop+string(c.p.stop), "/stop", string(want), "%s: %v", c.p.stop, c.p.err)
	}
}

// calls compares the calls that reached a tool with the expected ones. someMissing allows missing calls, because the
// run ended with an allowed error.
func (c *checker) calls(someMissing bool) {
	made, want := c.p.log.calls, c.s.Expect.Calls
	taken := make([]bool, len(made))
	last := -1
	for i, w := range want {
		at := "/calls/" + strconv.Itoa(i)
		n := slices.IndexFunc(made, func(m madeCall) bool { return w.fits(m) })
		for n >= 0 && taken[n] {
			next := slices.IndexFunc(made[n+1:], func(m madeCall) bool { return w.fits(m) })
			if next < 0 {
				n = -1
				break
			}
			n += 1 + next
		}
		switch {
		case n >= 0:
			taken[n] = true
			if c.s.Expect.InOrder && n < last {
				c.fail(classOrder, at, w.String(), "this call before the expected earlier one")
			}
			last = max(last, n)
		case w.Optional || someMissing:
		default:
			c.missing(at, w, taken)
		}
	}
	c.others(taken)
}

// missing reports that the expected call w was not made. If its tool was called with other arguments, it reports that
// call and marks it in taken. at is the path of w, for messages. taken[i] is set if call i was already assigned.
func (c *checker) missing(at string, w ExpectedCall, taken []bool) {
	for i, m := range c.p.log.calls {
		if !taken[i] && m.name == w.Name && !c.isExpected(m) {
			taken[i] = true
			c.fail(classArguments, at, w.String(), "%s", m)
			return
		}
	}
	c.fail(classMissing, at, w.String(), "no such call")
}

// others reports the calls that are not in taken, unless the scenario permits further calls. It ignores optional calls,
// and calls that an expected tool rejected, for example because of an invalid value.
func (c *checker) others(taken []bool) {
	if c.s.Expect.Others {
		return
	}
	for i, m := range c.p.log.calls {
		if taken[i] || slices.ContainsFunc(c.s.Expect.Calls, func(w ExpectedCall) bool { return w.Optional && w.fits(m) }) {
			continue
		}
		class := classInvented
		if slices.ContainsFunc(c.s.Expect.Calls, func(w ExpectedCall) bool { return w.Name == m.name }) {
			class = classExtra
		}
		if class == classExtra && m.code != "" && m.code != codeNoRecord {
			continue // rejected by the tool, so it had no effect
		}
		c.fail(class, "/calls", "no further call", "%s", m)
	}
}

func (c *checker) isExpected(m madeCall) bool {
	return slices.ContainsFunc(c.s.Expect.Calls, func(w ExpectedCall) bool { return w.fits(m) })
}

// fits reports whether m is the expected call.
func (w ExpectedCall) fits(m madeCall) bool {
	switch {
	case w.Name != m.name:
		return false
	case w.Arguments == nil:
		return true
	case w.Subset:
		return within(w.Arguments, m.arguments)
	}
	return jsonx.Equal(w.Arguments, m.arguments)
}

// String returns the expected call as text, such as "get_weather with any arguments".
func (w ExpectedCall) String() string {
	switch {
	case w.Arguments == nil:
		return w.Name + " with any arguments"
	case w.Subset:
		return w.Name + " with at least " + string(jsonx.Compact(nil, w.Arguments))
	}
	return w.Name + string(jsonx.Compact(nil, w.Arguments))
}

// String returns the call as text, such as get_weather{"city":"Oslo"}.
func (m madeCall) String() string {
	if m.code != "" {
		return fmt.Sprintf("%s%s, which failed with %s", m.name, jsonx.Compact(nil, m.arguments), m.code)
	}
	return m.name + string(jsonx.Compact(nil, m.arguments))
}

// results checks that the model was given the expected tool results.
func (c *checker) results() {
	for i, w := range c.s.Expect.Results {
		found := slices.ContainsFunc(c.p.messages, func(m callwright.Message) bool {
			return slices.ContainsFunc(m.Parts, func(p callwright.Part) bool {
				r, ok := p.(callwright.Result)
				return ok && w.fits(&r)
			})
		})
		if !found {
			want, _ := json.Marshal(w)
			c.fail(classResult, "/results/"+strconv.Itoa(i), string(want), "no such result")
		}
	}
}

func (w ExpectedResult) fits(r *callwright.Result) bool {
	return (w.Tool == "" || w.Tool == r.Name) && (w.Code == "" || hasCode(r, w.Code)) &&
		(w.OK == nil || *w.OK != r.IsError) && strings.Contains(r.Text(), w.Contains)
}

// hasCode reports whether a tool result is an agent.Envelope with an error of the code.
func hasCode(r *callwright.Result, code agent.Code) bool {
	var e agent.Envelope
	return json.Unmarshal([]byte(r.Text()), &e) == nil && slices.ContainsFunc(e.Errors, func(t agent.ToolError) bool { return t.Code == code })
}

// document checks the values in the draft of the workspace.
func (c *checker) document() {
	for i, w := range c.s.Expect.Document {
		got, err := workspace.At(c.p.draft, w.Path)
		at := fmt.Sprintf("/document/%d", i)
		switch {
		case w.Equals == nil && err == nil:
			c.fail(classDocument, at, w.Path+" to be absent", "%s", jsonx.Compact(nil, got))
		case w.Equals != nil && err != nil:
			c.fail(classDocument, at, w.Path+" to be "+string(w.Equals), "%v", err)
		case w.Equals != nil && !jsonx.Equal(w.Equals, got):
			c.fail(classDocument, at, w.Path+" to be "+string(w.Equals), "%s", jsonx.Compact(nil, got))
		}
	}
}

// directives compares the directives of the model with the expected ones.
func (c *checker) directives() {
	if c.p.directives == nil || c.s.Expect.Directives == nil {
		return
	}
	given, want := c.p.directives.given, c.s.Expect.Directives
	for i := range max(len(given), len(want)) {
		at := fmt.Sprintf("/directives/%d", i)
		switch {
		case i >= len(given) && len(c.p.directives.lost) > 0:
			c.fail(classDirective, at, want[i].Type+string(want[i].Payload), "left out (%s): %s", c.p.directives.lost[0].Reason,
				c.p.directives.lost[0].Raw)
		case i >= len(given):
			c.fail(classDirective, at, want[i].Type+string(want[i].Payload), "no such directive")
		case i >= len(want):
			c.fail(classDirective, "/directives", "no further directive", "%s%s", given[i].Type, given[i].Payload)
		case given[i].Type != want[i].Type || !jsonx.Equal(given[i].Payload, want[i].Payload):
			c.fail(classDirective, at, want[i].Type+string(want[i].Payload), "%s%s", given[i].Type, given[i].Payload)
		}
	}
}

// checkQuestions checks which tool calls a person was asked to approve.
func (c *checker) checkQuestions() {
	if w := c.s.Expect.Asked; w != nil && !slices.Equal(w, c.p.log.asked) {
		c.fail(classApproval, "/asked", strings.Join(w, ", "), "%s", strings.Join(c.p.log.asked, ", "))
	}
}

// limits checks the numbers of requests and steps.
func (c *checker) limits() {
	var r Result
	c.p.meter.count(&r)
	if most := c.s.Expect.MaxRequests; most > 0 && r.Requests > most {
		c.fail(classRequests, "/max_requests", strconv.Itoa(most), "%d", r.Requests)
	}
	if most := c.s.Expect.MaxSteps; most > 0 && c.p.steps > most {
		c.fail(classRequests, "/max_steps", strconv.Itoa(most), "%d", c.p.steps)
	}
}

// text checks the final text.
func (c *checker) text() {
	w := c.s.Expect.Text
	if w == nil {
		return
	}
	class := classText
	if strings.TrimSpace(c.p.text) == "" {
		class = classNoAnswer
	}
	low := strings.ToLower(c.p.text)
	if w.Equals != nil && c.p.text != *w.Equals && (c.strict || plain(c.p.text) != plain(*w.Equals)) {
		c.fail(class, "/text/equals", *w.Equals, "%s", c.p.text)
	}
	for i, t := range w.Contains {
		if !strings.Contains(low, strings.ToLower(t)) {
			c.fail(class, "/text/contains/"+strconv.Itoa(i), t, "%s", c.p.text)
		}
	}
	for i, t := range w.Excludes {
		if strings.Contains(low, strings.ToLower(t)) {
			c.fail(classText, "/text/excludes/"+strconv.Itoa(i), "without "+t, "%s", c.p.text)
		}
	}
}

// plain returns a text in lower case without surrounding white space, quotes and punctuation.
func plain(text string) string {
	return strings.ToLower(strings.Trim(text, " \t\r\n\"'`*_.!“”‘’«»"))
}
