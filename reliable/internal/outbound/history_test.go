package outbound_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/reliable/internal/outbound"
	"pgregory.net/rapid"
)

// conversation is a history as clients may write it: turns of the model that follow one another, with the results of their calls
// anywhere after them, turns of the user between, results without calls and calls without results.
type conversation struct {
	messages []callwright.Message
	answers  map[string]string // texts of true results to the names of their calls
	orphans  []string          // texts of results of no call
	calls    []string          // names
}

func conversations() *rapid.Generator[conversation] {
	return rapid.Custom(func(t *rapid.T) conversation {
		c := conversation{answers: map[string]string{}}
		shared := rapid.Bool().Draw(t, "ids begin anew in each turn")
		var waiting []callwright.Part
		for turn := range rapid.IntRange(1, 8).Draw(t, "turns") {
			switch rapid.IntRange(0, 5).Draw(t, "turn") {
			case 0:
				c.messages = append(c.messages, callwright.UserText(fmt.Sprint("words ", turn)))
			case 1:
				c.messages = append(c.messages, callwright.SystemText(fmt.Sprint("rule ", turn)))
			case 2:
				c.orphans = append(c.orphans, fmt.Sprint("orphan ", turn))
				c.messages = append(c.messages, callwright.Message{Role: callwright.RoleTool,
					Parts: []callwright.Part{outcome(fmt.Sprint("gone", turn), c.orphans[len(c.orphans)-1])}})
			default:
				if shared { // an id of its own only as long as its result is under way
					c.deliver(&waiting, len(waiting))
				}
				c.call(t, turn, shared, &waiting)
			}
			if n := len(waiting); n > 0 {
				waiting = rapid.Permutation(waiting).Draw(t, "order")
				c.deliver(&waiting, rapid.IntRange(0, n).Draw(t, "results"))
			}
		}
		if rapid.Bool().Draw(t, "all come") {
			c.deliver(&waiting, len(waiting))
		}
		for _, p := range waiting {
			delete(c.answers, callwright.TextOf(p.(callwright.Result).Parts))
		}
		return c
	})
}

// call adds a turn of the model with calls, whose results wait.
func (c *conversation) call(t *rapid.T, turn int, shared bool, waiting *[]callwright.Part) {
	m := callwright.Message{Role: callwright.RoleAssistant, Parts: []callwright.Part{callwright.Text{Text: fmt.Sprint("thought ", turn)}}}
	for k := range rapid.IntRange(0, 3).Draw(t, "calls") {
		name, id := fmt.Sprintf("tool_%d_%d", turn, k), fmt.Sprintf("id_%d_%d", turn, k)
		if shared {
			id = fmt.Sprint("id_", k)
		}
		text := "result of " + name
		m.Parts = append(m.Parts, callwright.Call{ID: id, Name: name, Arguments: []byte(`{}`)})
		c.calls, c.answers[text] = append(c.calls, name), name
		*waiting = append(*waiting, outcome(id, text))
	}
	c.messages = append(c.messages, m)
}

func outcome(id, text string) callwright.Result {
	return callwright.Result{CallID: id, Parts: []callwright.Part{callwright.Text{Text: text}}}
}

// deliver adds the first n results that wait.
func (c *conversation) deliver(waiting *[]callwright.Part, n int) {
	if n > 0 {
		c.messages = append(c.messages, callwright.Message{Role: callwright.RoleTool, Parts: slices.Clone((*waiting)[:n])})
	}
	*waiting = (*waiting)[n:]
}

// In what is sent no result is replaced and none vanishes, whatever stands between a call and its result; every call has one result,
// right after its turn; and nothing else is lost.
func TestResultsStayWithTheirCalls(t *testing.T) { rapid.Check(t, checkHistory) }

func FuzzHistory(f *testing.F) { f.Fuzz(rapid.MakeFuzz(checkHistory)) }

// checkHistory draws a conversation and the history rules of a receiver, and checks the messages that are sent.
func checkHistory(t *rapid.T) {
	c := conversations().Draw(t, "conversation")
	rules := caps.HistoryRules{Alternate: rapid.Bool().Draw(t, "alternate"), NoUserAfterTool: rapid.Bool().Draw(t, "no user after tool"),
		OneSystem: rapid.Bool().Draw(t, "one system"), NoBlankText: rapid.Bool().Draw(t, "no blank")}
	sh := shape(t, &callwright.Request{Messages: c.messages, Tools: []callwright.Tool{{Name: "x"}}}, outbound.Receiver{Mode: caps.Native, Caps: caps.Caps{History: rules}})
	checkPairs(t, sh.Request.Messages, c)
	var before, after strings.Builder
	write(&before, c.messages)
	write(&after, sh.Request.Messages)
	for _, m := range c.messages {
		for _, p := range m.Parts {
			if text, ok := p.(callwright.Text); ok && strings.Count(after.String(), "<"+text.Text+">") != 1 {
				t.Fatalf("%q stands %d times in\n%s\nof\n%s", text.Text, strings.Count(after.String(), "<"+text.Text+">"), after.String(), before.String())
			}
		}
	}
	for _, o := range c.orphans {
		if strings.Count(after.String(), ":\n"+o+">") != 1 {
			t.Fatalf("%q is not a text of\n%s", o, after.String())
		}
	}
}

// checkPairs holds a history against the order that every API takes, and against the results that were given.
func checkPairs(t *rapid.T, msgs []callwright.Message, c conversation) {
	open := map[string]string{} // ids of calls that wait, with their names
	given := map[string]string{}
	seen := map[string]bool{}
	for i, m := range msgs {
		for _, p := range m.Parts {
			r, ok := p.(callwright.Result)
			if !ok {
				continue
			}
			if _, waits := open[r.CallID]; !waits {
				t.Fatalf("message %d: a result of %q, for which no call waits", i, r.CallID)
			}
			given[open[r.CallID]] = callwright.TextOf(r.Parts)
			delete(open, r.CallID)
		}
		if len(open) > 0 && !hasResults(m) {
			t.Fatalf("message %d: %s while calls wait", i, m.Role)
		}
		for _, call := range callwright.CallsOf(m.Parts) {
			if call.ID == "" || seen[call.ID] {
				t.Fatalf("message %d: the id %q", i, call.ID)
			}
			open[call.ID], seen[call.ID] = call.Name, true
		}
	}
	for text, name := range c.answers {
		if given[name] != text {
			t.Fatalf("%s has the result %q, not %q", name, given[name], text)
		}
	}
	if len(given) != len(c.calls) || len(open) > 0 {
		t.Fatalf("%d of %d calls have a result", len(given), len(c.calls))
	}
}

func hasResults(m callwright.Message) bool {
	return slices.ContainsFunc(m.Parts, func(p callwright.Part) bool { _, ok := p.(callwright.Result); return ok })
}

func write(b *strings.Builder, msgs []callwright.Message) {
	for _, m := range msgs {
		fmt.Fprintf(b, "%s:", m.Role)
		for _, p := range m.Parts {
			switch p := p.(type) {
			case callwright.Text:
				fmt.Fprintf(b, " <%s>", p.Text)
			case callwright.Call:
				fmt.Fprintf(b, " call %s %s", p.ID, p.Name)
			case callwright.Result:
				fmt.Fprintf(b, " result %s %s", p.CallID, callwright.TextOf(p.Parts))
			}
		}
		b.WriteString("\n")
	}
}

// Where instructions are all there is, the empty turn of the user stays, or what stands for one.
func TestEmptyTurnAlone(t *testing.T) {
	for name, c := range map[string]struct {
		parts []callwright.Part
		rules caps.HistoryRules
		want  string
	}{
		"no parts":                     {nil, caps.HistoryRules{}, "system: <be brief>\nuser:\n"},
		"an empty text":                {[]callwright.Part{callwright.Text{}}, caps.HistoryRules{}, "system: <be brief>\nuser: <>\n"},
		"an empty text, which is none": {[]callwright.Part{callwright.Text{Text: " "}}, caps.HistoryRules{NoBlankText: true}, "system: <be brief>\nuser: <(start of the conversation)>\n"},
	} {
		t.Run(name, func(t *testing.T) {
			req := &callwright.Request{Messages: []callwright.Message{callwright.SystemText("be brief"), {Role: callwright.RoleUser, Parts: c.parts}}}
			var got strings.Builder
			write(&got, shape(t, req, outbound.Receiver{Mode: caps.Native, Caps: caps.Caps{History: c.rules}}).Request.Messages)
			if got.String() != c.want {
				t.Errorf("got\n%s\nwant\n%s", got.String(), c.want)
			}
		})
	}
}
