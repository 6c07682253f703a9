package gateway_test

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/dialect"
	"github.com/callwright/callwright/internal/gateway"
	"github.com/callwright/callwright/reliable"
	"github.com/callwright/callwright/simulate"
)

// longName is longer than any API takes.
var longName = strings.Repeat("letter_by_", 8)

// oddNames are names that APIs refuse; the last two come to the same where they are cleaned.
var oddNames = []string{"math.factorial", "fs:read", "fs/list files", "get weather", longName, "a.b", "a:b"}

// oneInteger is the schema of the tools.
const oneInteger = `{"type":"object","properties":{"n":{"type":"integer"}},"required":["n"]}`

// A renaming is a gateway in front of a simulated provider, with a rule for names.
type renaming struct {
	directory
	url   string
	mu    sync.Mutex
	opts  []reliable.Option
	turns []simulate.Turn // the answers that come next
	seen  []simulate.Seen // the requests since the answers were set
}

// newRenaming starts a gateway whose models accept names of at most 64 letters, digits, '_' and '-', over every API.
func newRenaming(t *testing.T) *renaming {
	r := &renaming{}
	r.directory = models(t, simulate.New(r.answer, simulate.AnyNames()))
	r.url = serve(t, gateway.Config{Models: r}).URL
	return r
}

func (r *renaming) Resolve(name string) (*reliable.Client, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	p, model := callwright.ModelID(name).Split()
	return reliable.New(r.directory[p].Model(model), r.opts...), nil
}

func (r *renaming) answer(s simulate.Seen) simulate.Turn {
	r.mu.Lock()
	defer r.mu.Unlock()
	turn := r.turns[min(len(r.seen), len(r.turns)-1)]
	r.seen = append(r.seen, s)
	return turn
}

// rule says which names the models take, and json that they answer in JSON.
var rule = []caps.Fact{fact("name_max", "64"), fact("json_schema", "yes"), fact("json_object", "yes")}

func fact(key, value string) caps.Fact {
	return caps.Fact{Key: key, Value: value, Source: caps.Configured}
}

// set has the next requests answered with turns, by a client with options.
func (r *renaming) set(opts []reliable.Option, turns ...simulate.Turn) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.opts, r.turns, r.seen = append([]reliable.Option{reliable.WithFacts(rule...), reliable.WithOneMode()}, opts...), turns, nil
}

// requests are the requests since the answers were set.
func (r *renaming) requests() []simulate.Seen {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.seen)
}

// An asking is a request of a client: more members of it, and whether it wants a stream.
type asking struct {
	client callwright.WireName
	stream bool
	names  []string // of the tools
	schema string   // of the tools
	more   string   // further members, beginning with a comma
	talk   string   // the messages
}

// body is the request for a model.
func (a asking) body(model string) (path, body string) {
	var tools []string
	for _, name := range a.names {
		if a.client == callwright.WireAnthropic {
			tools = append(tools, fmt.Sprintf(`{"name":%q,"input_schema":%s}`, name, a.schema))
		} else {
			tools = append(tools, fmt.Sprintf(`{"type":"function","function":{"name":%q,"parameters":%s}}`, name, a.schema))
		}
	}
	if path = "/v1/chat/completions"; a.client == callwright.WireAnthropic {
		path = "/v1/messages"
	}
	if a.talk == "" {
		a.talk = `{"role":"user","content":"Go."}`
	}
	return path, fmt.Sprintf(`{"model":%q,"max_tokens":1000,"stream":%t,"messages":[%s],"tools":[%s]%s}`, model, a.stream, a.talk, strings.Join(tools, ","), a.more)
}

// callsIn are the names of the calls of an answer, in either of the clients' APIs.
var callsIn = regexp.MustCompile(`"name":("(?:[^"\\\\]|\\\\.)*")`)

// ask asks for an answer and returns the names of its calls.
func (r *renaming) ask(t *testing.T, a asking, model string) (names []string, got answer) {
	t.Helper()
	path, body := a.body(model)
	got = post(t, r.url+path, body)
	for _, m := range callsIn.FindAllStringSubmatch(got.body, -1) {
		var name string
		if err := json.Unmarshal([]byte(m[1]), &name); err != nil {
			t.Fatal(err)
		}
		names = append(names, name)
	}
	return names, got
}

// sentNames are the names under which tools are sent in a mode, by the declared ones.
func sentNames(t *testing.T, names []string, mode caps.Mode, far callwright.WireName, format string) map[string]string {
	t.Helper()
	req := &callwright.Request{Messages: []callwright.Message{callwright.UserText("Go.")}}
	for _, name := range names {
		req.Tools = append(req.Tools, callwright.Tool{Name: name, Schema: []byte(oneInteger)})
	}
	known := caps.Caps{NameMax: 64}
	if far == callwright.WireGemini {
		known.NameExtra = ".:"
	}
	shaped, err := reliable.Shape(req, known, mode, reliable.ShapeOptions{Dialect: format})
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for _, name := range names {
		out[name] = name
	}
	for sent, name := range shaped.Names {
		out[name] = sent
	}
	return out
}

var (
	tailOfName = regexp.MustCompile(`_[0-9a-f]{8}$`)
	notInName  = regexp.MustCompile(`[^a-zA-Z0-9_-]`)
)

// spellings are the names by which a model may call a tool: as sent, as declared, and as sent without its suffix. Tools whose names are
// equal without the suffix have no name of the last kind.
func spellings(name, sent string) map[string]string {
	out := map[string]string{"sent": sent}
	if name != sent {
		out["declared"] = name
	}
	if !strings.HasPrefix(name, "a") {
		out["short"] = tailOfName.ReplaceAllString(notInName.ReplaceAllString(sent, "_"), "")
	}
	return out
}

// A written is how a model writes a call.
type written struct {
	name string // in the names of tests
	mode caps.Mode
	opts []reliable.Option
	turn func(name string) simulate.Turn
	has  func(name string) bool // whether it can write a name, nil for all
	as   string                 // the format of text mode
}

// native is an answer with a call, natively or in a document, as the request has it.
func native(name string) simulate.Turn {
	return simulate.Turn{Calls: []simulate.Call{{Name: name, Arguments: `{"n":7}`}}}
}

// inFormats are the ways to write a call in each format that can be written, in a mode.
func inFormats(mode caps.Mode) (out []written) {
	for _, f := range dialect.Formats() {
		if !f.Renders() || mode == caps.Text && f.Name == "envelope" {
			continue
		}
		w := written{name: string(mode) + " " + f.Name, mode: mode, as: f.Name, has: func(name string) bool { return f.Carries(name, nil) },
			opts: []reliable.Option{reliable.WithModes(mode)},
			turn: func(name string) simulate.Turn {
				return simulate.Turn{Text: f.RenderCalls([]dialect.RenderedCall{{Name: name, ID: "call_1", Arguments: []byte(`{"n":7}`)}})}
			}}
		if mode == caps.Text {
			w.opts = append(w.opts, reliable.WithDialect(f.Name))
		}
		out = append(out, w)
	}
	return out
}

// try makes a call of every odd tool in every spelling, whole and streamed.
func (r *renaming) try(t *testing.T, w written, far, client callwright.WireName) {
	t.Helper()
	sent := sentNames(t, oddNames, w.mode, far, w.as)
	for _, name := range oddNames {
		for kind, spelt := range spellings(name, sent[name]) {
			if w.has != nil && !w.has(spelt) {
				continue
			}
			for _, stream := range []bool{false, true} {
				r.set(w.opts, w.turn(spelt))
				names, got := r.ask(t, asking{client: client, stream: stream, names: oddNames, schema: oneInteger}, string(far)+"/m")
				if len(r.requests()) != 1 || len(names) != 1 || names[0] != name {
					t.Errorf("%s over %s for %s, stream %t: %q called as %s %q: %d requests, calls %q\n%.700s", w.name, far, client, stream, name, kind, spelt, len(r.requests()), names, got.body)
				}
			}
		}
	}
}

// A tool that is sent under another name is the client's own in the answer, in whichever form and under whichever of its names it was called.
func TestRenamedTools(t *testing.T) {
	r := newRenaming(t)
	clients := []callwright.WireName{callwright.WireOpenAI, callwright.WireAnthropic}
	fars := []callwright.WireName{callwright.WireOpenAI, callwright.WireResponses, callwright.WireAnthropic, callwright.WireGemini, callwright.WireOllama}
	for _, far := range fars {
		for _, client := range clients {
			for _, w := range []written{
				{name: "native", mode: caps.Native, turn: native, opts: []reliable.Option{reliable.WithModes(caps.Native)}},
				{name: "json_schema", mode: caps.JSONSchema, turn: native, opts: []reliable.Option{reliable.WithModes(caps.JSONSchema)}},
				{name: "json_object", mode: caps.JSONObject, turn: native, opts: []reliable.Option{reliable.WithModes(caps.JSONObject)}},
			} {
				r.try(t, w, far, client)
			}
		}
	}
	for _, mode := range []caps.Mode{caps.Native, caps.Text} {
		for i, w := range inFormats(mode) {
			r.try(t, w, fars[i%len(fars)], clients[i%len(clients)])
		}
	}
}
