package eval

import (
	"encoding/json"
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/callwright/callwright/simulate"
)

// noTool is the answer of a simulated model that is offered no tools but has lines with calls.
const noTool = "I have no tool for that."

// A script produces the answers of a simulated model for one scenario and one client.
type script struct {
	s  *Scenario
	mu sync.Mutex
	// said counts how often each line was used.
	said []int
}

// Script returns a simulated model that answers one client with the offline lines of the scenario.
func (s *Scenario) Script() simulate.Script {
	sc := &script{s: s, said: make([]int, len(s.Offline))}
	return sc.turn
}

func (sc *script) turn(req simulate.Seen) simulate.Turn {
	heard := sc.joinClientMessages(req.History)
	at := sc.next(heard)
	if at < 0 {
		return simulate.Turn{}
	}
	line := &sc.s.Offline[at]
	t := simulate.Turn{Text: line.Text}
	if req.Thinks {
		t.Reasoning = "The user wants: " + sc.s.Summary
	}
	if line.Fault != "" {
		t.Fault, _ = simulate.ParseFault(line.Fault)
	}
	switch {
	case len(line.Calls) == 0:
		t.Text = sc.document(line)
		return t
	case req.Choice == "none" || !canCallTools(req, sc.s.toolNames()):
		return simulate.Turn{Text: noTool, Reasoning: t.Reasoning}
	}
	for _, c := range line.Calls {
		if (c.Until == "" || !has(heard, c.Until)) && (len(t.Calls) == 0 || !req.Serial) {
			t.Calls = append(t.Calls, simulate.Call{Name: c.Name, Arguments: string(c.Arguments)})
		}
	}
	return t
}

// next returns the index of the script line for the next answer, and counts its use. It is the first line that is not
// over, or the last line. heard is the text of the client's messages. The result is -1 for a script without lines.
func (sc *script) next(heard string) int {
	sc.mu.Lock()
	defer sc.mu.Unlock()
	for i := range sc.s.Offline {
		if line := &sc.s.Offline[i]; i == len(sc.s.Offline)-1 || !line.over(heard, sc.said[i]) {
			sc.said[i]++
			return i
		}
	}
	return -1
}

// over reports whether a line is done, see Line. said is the number of its uses, heard the text of the client's
// messages.
func (l *Line) over(heard string, said int) bool {
	if l.Times > 0 && said >= l.Times {
		return true
	}
	return len(l.Calls) > 0 && !slices.ContainsFunc(l.Calls, func(c LineCall) bool { return c.Until == "" || !has(heard, c.Until) })
}

// has reports whether heard contains text. It ignores quotes, backslashes and white space, because formats encode
// results in different ways.
func has(heard, text string) bool { return strings.Contains(bare(heard), bare(text)) }

func bare(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) || r == '"' || r == '\\' || r == '\'' {
			return -1
		}
		return r
	}, text)
}

// joinClientMessages returns the text of the client's messages since the prompt.
func (sc *script) joinClientMessages(history []simulate.Message) string {
	prompt := strings.TrimSpace(sc.s.Prompt)
	var b strings.Builder
	for _, m := range history {
		if m.Role == "assistant" {
			continue
		}
		text := m.Text
		if i := strings.LastIndex(text, prompt); i >= 0 {
			b.Reset()
			text = text[i+len(prompt):]
		}
		b.WriteString(text + "\n")
		for _, r := range m.Results {
			b.WriteString(r.Text + "\n")
		}
	}
	return b.String()
}

// canCallTools reports whether the client declares tools, or its system prompt or response format names a tool of the
// scenario.
func canCallTools(req simulate.Seen, tools []string) bool {
	if len(req.Tools) > 0 {
		return true
	}
	prompt := req.System + string(req.Format)
	return slices.ContainsFunc(tools, func(name string) bool { return strings.Contains(prompt, name) })
}

// document returns the text of a line. If the scenario has directives, it is the JSON document with the text and the
// directives.
func (sc *script) document(l *Line) string {
	if len(sc.s.Directives) == 0 {
		return l.Text
	}
	text, err := json.Marshal(struct {
		Text       string    `json:"assistant_text"`
		Directives []Payload `json:"directives"`
	}{l.Text, append([]Payload{}, l.Directives...)})
	if err != nil {
		return l.Text
	}
	return string(text)
}
