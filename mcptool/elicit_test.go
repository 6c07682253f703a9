package mcptool_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/callwright/callwright/agent"
	"github.com/callwright/callwright/mcptool"
)

// A person answers what servers ask.
type person struct {
	action, content string
	err             error
	asked           []string
}

func (p *person) elicit(_ context.Context, server, message string, schema json.RawMessage) (string, json.RawMessage, error) {
	p.asked = append(p.asked, server+": "+message+" "+string(schema))
	return p.action, json.RawMessage(p.content), p.err
}

// wanted is a request for input with a field of each type.
const wanted = `{"message":"Who?","requestedSchema":{"type":"object","required":["name"],"properties":{"age":{"type":"integer"},"agree":{"type":"boolean"},"colour":{"type":"string","enum":["red","blue"]},"name":{"type":"string"},"share":{"type":"number"}}}}`

// TestElicit: a server that asks for input gets what the person said, whichever way of asking its version of the protocol has.
func TestElicit(t *testing.T) {
	for _, versions := range [][]string{{"2025-06-18"}, {"2025-11-25"}, {"2026-07-28"}} {
		for tool, arguments := range map[string]string{"ask": wanted, "asklater": wanted} {
			if versions[0] > "2026" && tool == "ask" {
				continue // it has no such requests
			}
			for name, c := range map[string]struct {
				person person
				want   string
			}{
				"accept":       {person{action: "accept", content: `{"age":36,"agree":true,"colour":"red","name":"Ada é","share":0.5}`}, `accept {"age":36,"agree":true,"colour":"red","name":"Ada é","share":0.5}`},
				"decline":      {person{action: "decline", content: `{"name":"nobody"}`}, "decline null"},
				"cancel":       {person{action: "cancel"}, "cancel null"},
				"not as asked": {person{action: "accept", content: `{"name":7}`}, ""},
			} {
				each(t, func(t *testing.T, open func(fixture, mcptool.Config) *mcptool.Server) {
					p := c.person
					s := open(fixture{Asks: true, Versions: versions}, mcptool.Config{Name: "one", Elicit: p.elicit})
					got, err := call(t.Context(), t, s, tool, arguments)
					text := strings.ReplaceAll(strings.Trim(string(got.Data), `"`), `\"`, `"`)
					switch {
					case c.want != "" && (err != nil || text != c.want):
						t.Errorf("%s of %s, %s: got %s, %v", tool, versions, name, got.Data, err)
					case c.want == "" && err == nil && tool == "ask" && !strings.Contains(text, "error: "):
						t.Errorf("%s of %s, %s: got %s", tool, versions, name, got.Data)
					}
					if len(p.asked) != 1 || !strings.HasPrefix(p.asked[0], `one: Who? {"properties":{"age"`) && !strings.HasPrefix(p.asked[0], `one: Who? {"type":"object"`) {
						t.Errorf("%s of %s, %s: was asked %q", tool, versions, name, p.asked)
					}
				})
			}
		}
	}
}

// TestElicitNobody: where nobody can be asked the server is told so at the beginning, and a call that needs an answer fails.
func TestElicitNobody(t *testing.T) {
	each(t, func(t *testing.T, open func(fixture, mcptool.Config) *mcptool.Server) {
		if got := said(t, open(fixture{Asks: true, Versions: []string{"2025-06-18"}}, mcptool.Config{}), "ask", wanted); got != "error: client does not support elicitation" {
			t.Errorf("got %q", got)
		}
		later := open(fixture{Asks: true, Versions: []string{"2026-07-28"}}, mcptool.Config{})
		if _, err := call(t.Context(), t, later, "asklater", wanted); codeOf(err) != agent.CodeToolFailed {
			t.Errorf("got %v", err)
		}
	})
}

// TestElicitAddress: a server is not offered to send the person to an address, and is refused where it does so all the same.
func TestElicitAddress(t *testing.T) {
	const address = `{"mode":"url","message":"Log in","url":"https://a.test/login","elicitationId":"1"}`
	each(t, func(t *testing.T, open func(fixture, mcptool.Config) *mcptool.Server) {
		p := person{action: "accept"}
		got := said(t, open(fixture{Asks: true, Versions: []string{"2025-11-25"}}, mcptool.Config{Elicit: p.elicit}), "ask", address)
		_, err := call(t.Context(), t, open(fixture{Asks: true, Versions: []string{"2026-07-28"}}, mcptool.Config{Elicit: p.elicit}), "asklater", address)
		if !strings.HasPrefix(got, "error: ") || codeOf(err) != agent.CodeToolFailed || len(p.asked) > 0 {
			t.Errorf("got %q and %v, and was asked %q", got, err, p.asked)
		}
	})
}

// TestElicitFails: a person who cannot be asked fails the call and not the server, and a tool that never has enough ends.
func TestElicitFails(t *testing.T) {
	each(t, func(t *testing.T, open func(fixture, mcptool.Config) *mcptool.Server) {
		p := person{err: errors.New("the terminal has gone")}
		if got := said(t, open(fixture{Asks: true, Versions: []string{"2025-06-18"}}, mcptool.Config{Elicit: p.elicit}), "ask", wanted); !strings.Contains(got, "the terminal has gone") {
			t.Errorf("got %q", got)
		}
		later := open(fixture{Asks: true, Versions: []string{"2026-07-28"}}, mcptool.Config{Elicit: p.elicit})
		if _, err := call(t.Context(), t, later, "asklater", wanted); codeOf(err) != agent.CodeToolFailed || !strings.Contains(err.Error(), "the terminal has gone") {
			t.Errorf("got %v", err)
		}
		p = person{action: "accept", content: `{"name":"Ada"}`}
		if got := said(t, later, "asklater", strings.Replace(wanted, "{", `{"Times":3,`, 1)); !strings.HasPrefix(got, "accept") || len(p.asked) != 3 {
			t.Errorf("got %q after %d questions", got, len(p.asked))
		}
		if _, err := call(t.Context(), t, later, "asklater", strings.Replace(wanted, "{", `{"Times":1000,`, 1)); codeOf(err) != agent.CodeToolFailed || len(p.asked) > 30 {
			t.Errorf("got %v after %d questions", err, len(p.asked))
		}
		if got := said(t, later, "echo", `{"n":1}`); got != `{"n":1}` {
			t.Errorf("afterwards: %q", got)
		}
	})
}

// TestElicitEndsWithTheCall: a question ends when nobody waits for the call any more.
func TestElicitEndsWithTheCall(t *testing.T) {
	for tool, version := range map[string]string{"ask": "2025-06-18", "asklater": "2026-07-28"} {
		each(t, func(t *testing.T, open func(fixture, mcptool.Config) *mcptool.Server) {
			asked, ended := make(chan struct{}), make(chan struct{})
			s := open(fixture{Asks: true, Versions: []string{version}}, mcptool.Config{Elicit: func(ctx context.Context, _, _ string, _ json.RawMessage) (string, json.RawMessage, error) {
				close(asked)
				<-ctx.Done()
				close(ended)
				return "", nil, ctx.Err()
			}})
			ctx, cancel := context.WithCancel(t.Context())
			go func() {
				<-asked
				cancel()
			}()
			if _, err := call(ctx, t, s, tool, wanted); !errors.Is(err, context.Canceled) {
				t.Errorf("got %v", err)
			}
			<-ended
		})
	}
}
