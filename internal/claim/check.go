package claim

import "strings"

// needs maps each class of work to the powers that support a claim of such work. A call with one of them is enough.
var needs = map[class]power{change: changes | sends, send: sends, execute: runs, read: everything}

// owns maps each class of work to the powers for that work. A finding names a declared tool that has one of them.
var owns = map[class]power{change: changes, send: sends, execute: runs, read: reads}

// check returns a finding about a claim that no call supports. ok is false if there is none.
func (ev *evidence) check(c *statement) (f Finding, ok bool) {
	switch c.kind {
	case Quoted:
		return ev.checkQuoted()
	case Tests:
		return ev.checkTests(c)
	}
	if !ev.isOutside(c) || c.passive && !ev.wasAskedFor(c) {
		return f, false
	}
	need := needs[c.verb.class]
	if c.verb.class == execute && !hasWord(c.object, setTests) {
		need = everything // searches are also run
	}
	if c.verb.class == read && (ev.hosted || len(ev.request) > longRequest) {
		return f, false
	}
	s := ev.support(need, c)
	switch {
	case s.supported:
		return f, false
	case s.failed != "" && c.verb.class != read && hasWord(ev.text, misses):
		return f, false // the sentence itself mentions the failure
	case s.failed != "" && c.verb.class != read:
		return Finding{Kind: Failed, Why: "each call that could have done it failed", Tool: s.failed}, true
	case s.others > 0:
		return Finding{Kind: Done, Why: "no call could have done it", Tool: ev.toolFor(need, c)}, true
	case len(ev.calls) > 0:
		return Finding{Kind: Done, Why: "nothing was called for this request", Tool: ev.toolFor(need, c)}, true
	}
	return Finding{Kind: Done, Why: "nothing was called", Tool: ev.toolFor(need, c)}, true
}

// longRequest is the length in bytes above which a request may itself contain the text that the model claims to have
// read.
const longRequest = 600

var setTests = setOf("test tests suite build")

// A support is the result of a search for a call that supports a claim.
type support struct {
	supported bool
	failed    string // tool of a failed call that could have done the work
	others    int    // number of calls that could not have done the work
}

// support looks for a successful call with one of the powers.
func (ev *evidence) support(need power, c *statement) (s support) {
	told := ev.resultsTell(c)
	for i := range ev.calls {
		m := &ev.calls[i]
		if !m.inTask && !ev.wholeTalk && !c.earlier && !m.isAbout(c) {
			continue
		}
		switch {
		case m.power&need == 0 && !told:
			s.others++
		case m.outcome == failed && need != everything:
			s.failed = m.name
		default:
			s.supported = true
			return s
		}
	}
	return s
}

// resultsTell reports whether a tool result of the task contains the past tense of the verb. A tool may do more than
// its name says.
func (ev *evidence) resultsTell(c *statement) bool {
	if c.verb == nil {
		return false
	}
	for _, r := range ev.results {
		if strings.Contains(r, c.verb.past) {
			return true
		}
	}
	return false
}

// isAbout reports whether a call mentions the subject of a claim: the file, a longer word of its object, or its verb.
func (m *toolCall) isAbout(c *statement) bool {
	for w, ok := nextWord(c.object, 0); ok; w, ok = nextWord(c.object, w.to) {
		text := strings.ToLower(c.object[w.from:w.to])
		if len(text) > 3 && (isFile(text) || outsides.has(text)) &&
			(strings.Contains(m.lowText(), text) || containsFold(m.name, strings.TrimSuffix(text, "s"))) {
			return true
		}
	}
	return c.verb != nil && (containsFold(m.name, c.verb.base) || strings.Contains(m.lowText(), c.verb.base+" "))
}

// lowText returns the arguments of a call in lower case, cached because each claim searches them.
func (m *toolCall) lowText() string {
	if m.low == "" {
		m.low = strings.ToLower(m.text)
	}
	return m.low
}

// containsFold reports whether text contains part, which is in lower case, ignoring the case of text.
func containsFold(text, part string) bool { return strings.Contains(strings.ToLower(text), part) }

// isOutside reports whether a claim is about something other than the answer itself, such as a file.
func (ev *evidence) isOutside(c *statement) bool {
	near, file, delivered, outside := 0, false, false, false
	for w, ok := nextWord(c.object, 0); ok; w, ok = nextWord(c.object, w.to) {
		text := c.object[w.from:w.to]
		switch {
		case isFile(text):
			file = true
		case isInSet(text, deliverables) && (near < 5 || c.passive) && !ev.isChanged(text):
			delivered = true
		case isInSet(text, outsides), len(text) > 3 && ev.toolsName(text):
			outside = true
		}
		near++
	}
	if delivered && !file {
		return false
	}
	if strings.Contains(ev.text, "```") && c.verb.class == change && !ev.hasTool(changes) {
		return false // the answer contains it, and no tool could do anything else
	}
	switch {
	case c.verb.past == "used", c.verb.past == "called", c.verb.past == "invoked":
		return ev.namesTool(c.object)
	case c.verb.class == read, c.verb.class == execute:
		return file || outside
	}
	return file || outside || c.verb.outside || ev.toolsName(c.verb.base)
}

// toolsName reports whether the name of a declared tool contains a word or its singular.
func (ev *evidence) toolsName(text string) bool {
	text = strings.ToLower(text)
	for name := range ev.powers {
		for w, rest := cutName(name); w != ""; w, rest = cutName(rest) {
			if strings.EqualFold(w, text) || strings.EqualFold(w, strings.TrimSuffix(text, "s")) {
				return true
			}
		}
	}
	return false
}

// isChanged reports whether text, without a final s, is part of the name of a declared tool that changes something.
func (ev *evidence) isChanged(text string) bool {
	for name, p := range ev.powers {
		if p&changes != 0 && p != everything && len(text) > 3 && containsFold(name, strings.TrimSuffix(strings.ToLower(text), "s")) {
			return true
		}
	}
	return false
}

// namesTool reports whether a text contains the name of a declared tool.
func (ev *evidence) namesTool(text string) bool {
	for name := range ev.powers {
		if strings.Contains(text, name) {
			return true
		}
	}
	return false
}

// hasTool reports whether a declared tool has one of the powers.
func (ev *evidence) hasTool(p power) bool {
	for _, has := range ev.powers {
		if has&p != 0 {
			return true
		}
	}
	return false
}

// toolFor returns the declared tool that best matches the claimed work: by verb or object in its name, otherwise the
// first that has one of the powers and can do the work. It returns "" if there is none.
func (ev *evidence) toolFor(need power, c *statement) string {
	first, best := "", 0
	for i := range ev.turn.Tools {
		t := &ev.turn.Tools[i]
		p, ok := ev.powers[t.Name]
		if !ok || p&need == 0 || c.verb != nil && p&owns[c.verb.class] == 0 {
			continue
		}
		m := toolCall{name: t.Name}
		score := 1
		if c.verb != nil && containsFold(t.Name, c.verb.base) {
			score += 2
		}
		if m.isAbout(c) {
			score++
		}
		if score > best {
			first, best = t.Name, score
		}
	}
	return first
}

// wasAskedFor reports whether the user asked for the work, and neither the user nor a tool result says that it was
// already done. A sentence without a subject is then assumed to be about that work.
func (ev *evidence) wasAskedFor(c *statement) bool {
	if !asksForWork(ev.request) || containsFold(ev.request, c.verb.past) {
		return false
	}
	return !ev.resultsTell(c)
}

// checkQuoted returns a finding about a sentence that presents a tool result, if no call could have returned it.
func (ev *evidence) checkQuoted() (f Finding, ok bool) {
	if len(ev.calls) > 0 || ev.hosted || len(ev.request) > longRequest || hasWord(ev.request, outputs) {
		return f, false
	}
	return Finding{Kind: Quoted, Why: "no call could have returned it", Tool: ev.toolFor(everything, &statement{})}, true
}

// checkTests returns a finding about a claim that tests passed, if no call ran tests, if each call that could run them
// failed, or if the last run had failures. ok is false if there is none.
func (ev *evidence) checkTests(c *statement) (f Finding, ok bool) {
	if !ev.hasTool(runs) && !ev.hasRun() || hasWord(ev.request, setPassed) {
		return f, false
	}
	s := ev.support(runs, c)
	switch {
	case s.supported && claimsAll(c.sentence) && ev.lastRunFailed():
		return Finding{Kind: Failed, Why: "the last test run has failures", Tool: ev.lastRun().name}, true
	case s.supported:
		return f, false
	case s.failed != "":
		return Finding{Kind: Failed, Why: "each call that could have run them failed", Tool: s.failed}, true
	}
	return Finding{Kind: Tests, Why: "no call ran tests", Tool: ev.toolFor(runs, c)}, true
}

var setPassed = setOf("passed passing")

var (
	alls = setOf("all every each")
	// misses are words in sentences about failures.
	misses = setOf(`fail fails failed failing failure failures except but however error errors refused rejected denied declined unable unfortunately couldn't
		couldn’t cannot can't can’t offline unavailable not`)
)

// claimsAll reports whether a sentence says that all tests passed.
func claimsAll(s string) bool { return hasWord(s, alls) && !hasWord(s, misses) }

// lastRun returns the last call of the task that could run tests, nil if there is none.
func (ev *evidence) lastRun() *toolCall {
	for i := len(ev.calls) - 1; i >= 0; i-- {
		if m := &ev.calls[i]; m.inTask && m.power&runs != 0 {
			return m
		}
	}
	return nil
}

// lastRunFailed reports whether the result of the last run has a count of failed tests above 0, such as "2 failed".
func (ev *evidence) lastRunFailed() bool {
	m := ev.lastRun()
	if m == nil || m.outcome == open {
		return false
	}
	text := m.result[:min(len(m.result), mostSearched)]
	for at := 0; ; {
		n := strings.Index(text[at:], " failed")
		if n < 0 {
			return false
		}
		at += n
		digits := at
		for digits > 0 && '0' <= text[digits-1] && text[digits-1] <= '9' {
			digits--
		}
		if strings.Trim(text[digits:at], "0") != "" {
			return true
		}
		at += len(" failed")
	}
}

// hasRun reports whether a call in the conversation could run programs.
func (ev *evidence) hasRun() bool {
	for i := range ev.calls {
		if ev.calls[i].power&runs != 0 {
			return true
		}
	}
	return false
}
