package claim

import (
	"strings"

	"github.com/callwright/callwright"
)

// An outcome is how a call ended.
type outcome uint8

const (
	open   outcome = iota // no result of it is in the conversation
	worked                // it has a result that says no error
	failed                // its result says an error
)

// A made is a call in the conversation or in the answer.
type made struct {
	name    string
	id      string
	text    string // its arguments, or its input
	low     string // text in lower case, once it was searched
	result  string
	power   power
	outcome outcome
	inTask  bool // behind the last request of the user
}

// An evidence is the material by which claims are checked: the calls of the conversation, and the user's request.
type evidence struct {
	turn    Turn
	text    string // the answer
	calls   []made
	results []string // of the task, their beginnings in lower case
	request string   // the last request of the user
	// saysNothing is set if no claim can be checked: no tool was available, or the calls cannot be seen.
	saysNothing bool
	hosted      bool // a tool that the provider runs may read outside sources
	wholeTalk   bool // the calls of the whole conversation count
	powers      map[string]power
	open        map[string]int // places of calls without a result, by their ids
	first       int            // no call before this place is without a result
}

// newEvidence reads a conversation.
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
		ev.calls = append(ev.calls, made{name: c.Name, text: c.Raw, power: ev.powerOf(c.Name), outcome: failed, inTask: true})
	}
	ev.saysNothing = ev.saysNothing || t.Hosted || len(t.Tools)+len(ev.calls) == 0 || isPlay(ev.request)
	ev.wholeTalk = !asksForWork(ev.request)
	return ev
}

// declare records the powers of a declared tool.
func (ev *evidence) declare(t *callwright.Tool) {
	if t.Type == callwright.HostedTool {
		ev.hosted = true
		ev.saysNothing = ev.saysNothing || powerOfName(t.Name)&^reads != 0 || powerOfName(t.Name) == 0
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

// lastRequest returns the place of the last message in which the user asks for something, and keeps its text with that
// of the one before, where it is short. Results of tools and reminders of clients are none. It is -1 where there is
// none.
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
			ev.saysNothing = true
		}
		if at < 0 {
			at, ev.request = i, text
			if len(text) >= shortRequest || asksForWork(text) {
				return at
			}
			continue
		}
		ev.request = text + "\n" + ev.request // "yes", "go on"
		return i
	}
	return at
}

// shortRequest is the length in bytes below which a message of the user may only confirm or urge an earlier request.
const shortRequest = 80

// extractUserText returns the text of a user's message without the tagged reminders of clients.
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

// readMessage keeps the calls and results of a message.
func (ev *evidence) readMessage(m *callwright.Message, inTask bool) {
	for _, p := range m.Parts {
		switch p := p.(type) {
		case callwright.Call:
			ev.addCall(&p, inTask)
		case callwright.Result:
			ev.addResult(&p, inTask)
		case callwright.Opaque:
			ev.saysNothing = ev.saysNothing || inTask
		case callwright.Text:
			if m.Role == callwright.RoleSystem && isSummary(p.Text) {
				ev.saysNothing = true
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
	ev.calls = append(ev.calls, made{name: c.Name, id: c.ID, text: text, power: powerOfCall(c, ev.powerOf(c.Name)), inTask: inTask})
}

// addResult gives a call its outcome: the latest one of its id that has none, or the first without a result where no
// id fits.
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

// errorHeads are the beginnings of results that say an error.
var errorHeads = [...]string{"error", "failed", "failure", "exception", "traceback", "fatal", "permission denied", "cannot ",
	"could not", "unable to", "not found",
	"no such", "access denied", "denied", "rejected", "invalid ", `{"error"`, `{"success":false`, `{"ok":false`,
	`{"status":"error"`, `{"status":"failed"`, "the user doesn't want", "the user rejected", "<tool_use_error>"}

// errorMarks are texts of short results of commands that failed.
var errorMarks = [...]string{": no such file or directory", ": permission denied", "command not found", ": cannot ", "fatal: ",
	"is not recognized as an internal"}

// saysError reports whether the result of a call says that it failed.
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

// isPlay reports whether the user wants a text in which somebody may say that he did something.
func isPlay(request string) bool { return containsAny(request, plays) }

// isSummary reports whether a text stands for an earlier conversation, whose calls are not there any more.
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

// mostSearched bounds the part of one text that is searched for phrases, in bytes.
const mostSearched = 16 << 10

// asksForWork reports whether a text of the user asks for work: it has a verb of work in its base form, outside of a
// question about the state of things.
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

// isStateQuestion reports whether a sentence asks how things are.
func isStateQuestion(s string) bool {
	w, ok := nextWord(s, 0)
	return ok && is(s[w.from:w.to], states) && (s[len(s)-1] == '?' || strings.Contains(s, "?"))
}
