package directive_test

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/directive"
	"github.com/callwright/callwright/internal/provider"
	"github.com/callwright/callwright/simulate"
	"github.com/google/go-cmp/cmp"
)

var wires = []callwright.WireName{callwright.WireOpenAI, callwright.WireResponses, callwright.WireAnthropic, callwright.WireGemini, callwright.WireOllama}

type openFile struct {
	Path string `json:"path" jsonschema:"path of the file"`
	Line int    `json:"line,omitempty"`
}

// editor are the types that the tests use.
var editor = []directive.Type{
	directive.TypeOf[openFile]("open_file", "Opens a file in the editor."),
	{Name: "save", Description: "Saves all files."},
	{Name: "set_theme", Schema: json.RawMessage(`{"$ref":"#/$defs/theme","$defs":{"theme":{"type":"object","properties":{"name":{"enum":["light","dark"]}},"required":["name"],"additionalProperties":false}}}`)},
}

func registry(t testing.TB, types ...directive.Type) *directive.Registry {
	t.Helper()
	if len(types) == 0 {
		types = editor
	}
	reg, err := directive.NewRegistry(types...)
	if err != nil {
		t.Fatal(err)
	}
	return reg
}

func ask() *callwright.Request {
	return &callwright.Request{Messages: []callwright.Message{callwright.SystemText("You edit."), callwright.UserText("Open main.go.")}}
}

// asking returns what a client came to in one of two ways, and the events of a stream.
func asking(t testing.TB, c *directive.Client, req *callwright.Request, way string) (*directive.Turn, []directive.Event, error) {
	t.Helper()
	if way == "whole" {
		turn, err := c.Generate(t.Context(), req)
		return turn, nil, err
	}
	var events []directive.Event
	for ev, err := range c.Stream(t.Context(), req) {
		if err != nil {
			return nil, events, err
		}
		events = append(events, ev)
	}
	last := events[len(events)-1]
	if last.Kind != directive.EventTurn || last.Turn == nil {
		t.Fatalf("the last event is %+v", last)
	}
	return last.Turn, events[:len(events)-1], nil
}

var ways = []string{"whole", "streamed"}

// gist is what a turn says, a line a thing: the text, directives, what was dropped and calls.
func gist(turn *directive.Turn) []string {
	out := []string{"text " + turn.Text}
	for _, d := range turn.Directives {
		out = append(out, d.Type+" "+string(d.Payload))
	}
	for _, p := range turn.Dropped {
		out = append(out, strings.TrimSpace("dropped "+string(p.Reason)+" "+p.Path+" "+p.Type))
	}
	for _, c := range turn.Calls {
		out = append(out, "call "+c.Name+" "+string(c.Arguments))
	}
	return out
}

// rules are the rules of the notes of a turn, each once.
func rules(turn *directive.Turn) string {
	var out []string
	for _, n := range turn.Notes {
		if !slices.Contains(out, n.Rule) {
			out = append(out, n.Rule)
		}
	}
	return strings.Join(out, " ")
}

// checkEvents reports events that do not say what the turn says.
func checkEvents(t testing.TB, events []directive.Event, turn *directive.Turn) {
	t.Helper()
	said := directive.Turn{}
	for _, ev := range events {
		switch ev.Kind {
		case directive.EventText:
			said.Text += ev.Text
		case directive.EventDirective:
			said.Directives = append(said.Directives, *ev.Directive)
		case directive.EventDropped:
			said.Dropped = append(said.Dropped, *ev.Problem)
		}
	}
	said.Calls = turn.Calls
	if got, want := strings.Join(gist(&said), "\n"), strings.Join(gist(turn), "\n"); got != want {
		t.Errorf("the events say\n%s\nthe turn says\n%s", got, want)
	}
}

// A server is a provider that plays a script over every wire.
type server struct {
	*simulate.Server
	url string
}

func serve(t testing.TB, script simulate.Script, opts ...simulate.Option) *server {
	t.Helper()
	s := simulate.New(script, opts...)
	srv := httptest.NewServer(s)
	t.Cleanup(srv.Close)
	return &server{s, srv.URL}
}

// over is a model of the server over a wire.
func (s *server) over(t testing.TB, wire callwright.WireName, model string) *provider.Remote {
	t.Helper()
	below := map[callwright.WireName]string{callwright.WireOpenAI: "/v1", callwright.WireResponses: "/v1"}
	p, err := provider.New(provider.Config{Name: "lab", Wire: wire, BaseURL: s.url + below[wire], APIKey: provider.NewSecret("any")})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Close)
	return p.Model(model)
}

// says is a script that always gives one answer.
func says(turn simulate.Turn) simulate.Script {
	return func(simulate.Seen) simulate.Turn { return turn }
}

// A script is a model that gives prepared answers: a text, parts, a response or an error, each in pieces of so many bytes where it is streamed.
type script struct {
	answers []any
	caps    caps.Caps
	piece   int

	mu    sync.Mutex
	asked []*callwright.Request
}

func (s *script) ID() callwright.ModelID         { return "lab/m" }
func (s *script) Caps(context.Context) caps.Caps { return s.caps }

func (s *script) Generate(_ context.Context, req *callwright.Request) (*callwright.Response, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.asked = append(s.asked, req)
	if len(s.asked) > len(s.answers) {
		return nil, callwright.Errorf("script", callwright.KindInternal, "", "asked too often")
	}
	switch a := s.answers[len(s.asked)-1].(type) {
	case error:
		return nil, a
	case string:
		return &callwright.Response{Parts: []callwright.Part{callwright.Text{Text: a}}, Finish: callwright.FinishStop}, nil
	case []callwright.Part:
		return &callwright.Response{Parts: a, Finish: callwright.FinishCalls}, nil
	case *callwright.Response:
		return a, nil
	}
	panic(fmt.Sprintf("no answer: %T", s.answers[len(s.asked)-1]))
}

func (s *script) Stream(ctx context.Context, req *callwright.Request) iter.Seq2[callwright.Event, error] {
	return played(max(s.piece, 1))(s.Generate(ctx, req))
}

// played returns an answer, or an error, as a stream with texts in pieces of so many bytes.
func played(piece int) func(*callwright.Response, error) iter.Seq2[callwright.Event, error] {
	return func(resp *callwright.Response, err error) iter.Seq2[callwright.Event, error] {
		b := &broken{err: err}
		if err == nil {
			for _, ev := range resp.Events() {
				d, ok := ev.(callwright.TextDelta)
				for ; ok && len(d.Text) > piece; d.Text = d.Text[piece:] {
					b.events = append(b.events, callwright.TextDelta{Text: d.Text[:piece]})
				}
				if ok {
					ev = d
				}
				b.events = append(b.events, ev)
			}
		}
		return b.play
	}
}

// expect reports what a turn, or the events that told of it, says otherwise.
func expect(t testing.TB, turn *directive.Turn, events []directive.Event, want []string, notes string) {
	t.Helper()
	if d := cmp.Diff(want, gist(turn)); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
	if got := rules(turn); got != notes {
		t.Errorf("notes %q, want %q", got, notes)
	}
	if events != nil {
		checkEvents(t, events, turn)
	}
}

// sent is what a request of the client asks for: the form of the answer, and the text of each message.
func sent(t testing.TB, req *callwright.Request) (form string, messages []string) {
	t.Helper()
	switch f := req.Params.Format; {
	case f == nil:
		form = "prompt"
	case f.Schema == nil:
		form = "json_object"
	default:
		form = "json_schema"
	}
	msgs, err := req.History()
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range msgs {
		messages = append(messages, string(m.Role)+" "+callwright.TextOf(m.Parts))
	}
	return form, messages
}
