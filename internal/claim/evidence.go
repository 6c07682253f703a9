package claim

import (
	"strings"

	"github.com/callwright/callwright"
)

// An outcome is the outcome of a tool call.
type outcome uint8

const (
	open   outcome = iota // the conversation has no result
	worked                // the result does not look like an error
	failed                // the result is an error
)

// A toolCall is a tool call in the conversation or in the answer.
type toolCall struct {
	name    string
	id      string
	text    string // arguments or free-text input
	low     string // text in lower case, set by lowText
	result  string
	power   power
	outcome outcome
	inTask  bool // after the last request of the user
}

// An evidence has the facts for checking claims: the calls of the conversation and the user's request.
type evidence struct {
	turn    Turn
	text    string // text of the answer
	calls   []toolCall
	results []string // beginnings of the tool results of the task, in lower case
	request string   // last request of the user
	// isUncheckable means that no claim can be checked, because there was no tool or the calls are unknown.
	isUncheckable bool
	hosted        bool // a hosted tool may have read external sources
	wholeTalk     bool // calls of the whole conversation count
	powers        map[string]power
	open          map[string]int // indices of calls without a result, by id
	first         int            // all calls before this index have a result
}

// newEvidence collects the facts of a conversation and an answer.
func newEvidence(t Turn, text string) *evidence {
	ev := &evidence{turn: t, text: text, powers: map[string]power{}, open: map[string]int{}}
	for i := range t.Tools {
		ev.declare(&t.Tools[i])
	}
	last := ev.lastRequest()
	for i := range t.Messages {
		ev.readMessage(&t.Messages[i], i > last)
	}
	for i := range t.Calls {
		ev.addCall(&t.Calls[i], true)
	}
	for i := range t.Invalid {
		c := &t.Invalid[i]
		ev.calls = append(ev.calls, toolCall{name: c.Name, text: c.Raw, power: ev.powerOf(c.Name), outcome: failed, inTask: true})
	}
	ev.isUncheckable = ev.isUncheckable || t.Hosted || len(t.Tools)+len(ev.calls) == 0 || isPlay(ev.request)
	ev.wholeTalk = !asksForWork(ev.request)
	return ev
}

// declare records the powers of a declared tool.
func (ev *evidence) declare(t *callwright.Tool) {
	if t.Type == callwright.HostedTool {
		ev.hosted = true
		ev.isUncheckable = ev.isUncheckable || powerOfName(t.Name)&^reads != 0 || powerOfName(t.Name) == 0
		return
	}
	ev.powers[t.Name] = powerOf(t)
}

// powerOf returns the powers of a tool, declared or not.
func (ev *evidence) powerOf(name string) power {
	if p, ok := ev.powers[name]; ok {
		return p
	}
	if p := powerOfName(name); p != 0 {
		return p
	}
	return everything
}

// lastRequest returns the index of the last user message with a request, -1 if there is none, and stores its text. It
// prepends the previous request if the last one is short. Tool results and reminders of clients are not requests.
func (ev *evidence) lastRequest() int {
	at := -1
	for i := len(ev.turn.Messages) - 1; i >= 0; i-- {
		m := &ev.turn.Messages[i]
		if m.Role != callwright.RoleUser {
			continue
		}
		text := extractUserText(m)
		if text == "" {
			continue
		}
		if isSummary(text) {
			ev.isUncheckable = true
		}
		if at < 0 {
			at, ev.request = i, text
			if len(text) >= shortRequest || asksForWork(text) {
				return at
			}
			continue
		}
		ev.request = text + "\n" + ev.request // for short messages such as "yes" or "go on"
		return i
	}
	return at
}

// shortRequest is the length in bytes below which a user message may only confirm an earlier request.
const shortRequest = 80

// extractUserText returns the text of a user message without <system-reminder> elements added by clients.
func extractUserText(m *callwright.Message) string {
	rest := callwright.TextOf(m.Parts)
	var b strings.Builder
	for opened := true; opened; {
		var before string
		before, rest, opened = strings.Cut(rest, "<system-reminder>")
		b.WriteString(before)
		_, rest, _ = strings.Cut(rest, "</system-reminder>")
	}
	return strings.TrimSpace(b.String())
}

// readMessage records the calls and results of a message.
func (ev *evidence) readMessage(m *callwright.Message, inTask bool) {
	for _, p := range m.Parts {
		switch p := p.(type) {
		case callwright.Call:
			ev.addCall(&p, inTask)
		case callwright.Result:
			ev.addResult(&p, inTask)
		case callwright.Opaque:
			ev.isUncheckable = ev.isUncheckable || inTask
		case callwright.Text:
			if m.Role == callwright.RoleSystem && isSummary(p.Text) {
				ev.isUncheckable = true
			}
		}
	}
}

func (ev *evidence) addCall(c *callwright.Call, inTask bool) {
	text := string(c.Arguments)
	if c.Input != "" {
		text = c.Input
	}
	ev.open[c.ID] = len(ev.calls)
	ev.calls = append(ev.calls, toolCall{name: c.Name, id: c.ID, text: text, power: powerOfCall(c, ev.powerOf(c.Name)), inTask: inTask})
}

// addResult assigns a result to the latest call with its id, or to the first call without a result if no id matches.
func (ev *evidence) addResult(r *callwright.Result, inTask bool) {
	text := r.Text()
	if inTask {
		ev.results = append(ev.results, strings.ToLower(text[:min(len(text), mostSearched)]))
	}
	at, ok := ev.open[r.CallID]
	if !ok {
		for ev.first < len(ev.calls) && ev.calls[ev.first].outcome != open {
			ev.first++
		}
		if at = ev.first; at == len(ev.calls) {
			return
		}
	}
	delete(ev.open, ev.calls[at].id)
	ev.calls[at].outcome, ev.calls[at].result = worked, text
	if r.IsError || saysError(text) {
		ev.calls[at].outcome = failed
	}
}

// errorHeads are beginnings of tool results that are errors.
var errorHeads = [...]string{"error", "failed", "failure", "exception", "traceback", "fatal", "permission denied", "cannot ",
	"could not", "unable to", "not found",
	"no such", "access denied", "denied", "rejected", "invalid ", `{"error"`, `{"success":false`, `{"ok":false`,
	`{"status":"error"`, `{"status":"failed"`, "the user doesn't want", "the user rejected", "<tool_use_error>"}

// errorMarks are substrings of short results of failed commands.
var errorMarks = [...]string{": no such file or directory", ": permission denied", "command not found", ": cannot ", "fatal: ",
	"is not recognized as an internal"}

// saysError reports whether a tool result is an error.
func saysError(text string) bool {
	head := strings.ToLower(strings.TrimLeft(text[:min(len(text), 400)], " \t\r\n*#>"))
	compact := strings.ReplaceAll(head, " ", "")
	for _, h := range errorHeads {
		if h[0] != '{' && strings.HasPrefix(head, h) {
			return true
		}
		if h[0] == '{' && strings.HasPrefix(compact, h) {
			rest := compact[len(h):]
			return !strings.HasPrefix(rest, ":null") && !strings.HasPrefix(rest, `:""`) && !strings.HasPrefix(rest, ":false")
		}
	}
	if len(text) < 400 {
		for _, m := range errorMarks {
			if strings.Contains(head, m) {
				return true
			}
		}
	}
	return false
}

var (
	plays = []string{"pretend", "role-play", "roleplay", "role play", "imagine", "simulate", "a story", "hypothetical",
		"commit message", "changelog", "release note", "pull request description", "pr description", "cover letter",
		"translate", "rephrase", "rewrite", "proofread", "summarize", "summarise", "summary of"}
	summaries = []string{"continued from a previous conversation", "summary of the conversation", "conversation summary",
		"has been summarized", "has been compacted", "compacted conversation"}
)

// isPlay reports whether the user asks for a text that may legitimately claim work, such as a story or a commit
// message.
func isPlay(request string) bool { return containsAny(request, plays) }

// isSummary reports whether a text summarizes an earlier conversation, whose calls are therefore unknown.
func isSummary(text string) bool { return containsAny(text, summaries) }

func containsAny(text string, list []string) bool {
	low := strings.ToLower(text[:min(len(text), mostSearched)])
	for _, s := range list {
		if strings.Contains(low, s) {
			return true
		}
	}
	return false
}

// mostSearched is the maximum number of bytes of a text that are searched for phrases.
const mostSearched = 16 << 10

// asksForWork reports whether a user's text asks for work: a sentence has the base form of a verb of work, and is no
// question about a state.
func asksForWork(text string) bool {
	rest := text[:min(len(text), mostSearched)]
	for rest != "" {
		line := rest
		if n := strings.IndexByte(rest, '\n'); n >= 0 {
			line, rest = rest[:n], rest[n+1:]
		} else {
			rest = ""
		}
		for line != "" {
			var sentence string
			sentence, line = cutSentence(line)
			if !isStateQuestion(sentence) && hasWord(sentence, baseOf) {
				return true
			}
		}
	}
	return false
}

var states = setOf("is are was were has have did does do had when why who what's what which where how whats")

// isStateQuestion reports whether a sentence asks about a state, such as "is it done?".
func isStateQuestion(s string) bool {
	w, ok := nextWord(s, 0)
	return ok && isInSet(s[w.from:w.to], states) && (s[len(s)-1] == '?' || strings.Contains(s, "?"))
}
