package reliable_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/dialect"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/provider"
	"github.com/callwright/callwright/internal/wire/codecs"
	"github.com/callwright/callwright/reliable"
	"github.com/callwright/callwright/transform"
	"pgregory.net/rapid"
)

// As a conversation grows, what is sent for its beginning does not change by a byte, nor do instructions, tools and settings: whatever
// is wrong with it, over the API of every client, to every provider, in every mode.
func TestBeginningsStay(t *testing.T) {
	all := receivers(t)
	for _, codec := range codecs.All() {
		t.Run(string(codec.Name()), func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				to := rapid.SampledFrom(all).Draw(t, "receiver")
				way := rapid.SampledFrom(ways()).Draw(t, "mode")
				way.transformed = rapid.Bool().Draw(t, "transformed")
				c := talks().Draw(t, "conversation")
				w := writers[codec.Name()]
				var before sentBody
				for n := 1; n <= len(c.turns); n++ {
					body := w.request(c, n)
					now := to.send(t, codec.Name(), way, body)
					if d := before.changed(now); d != "" {
						t.Fatalf("%s, %v: turn %d changes what is sent for the turns before it: %s\nof %s", to.name, way, n, d, body)
					}
					before = now
				}
			})
		})
	}
}

// A client may send its conversation after any message. What was settled for the beginning then stays, too: results that come later
// than a request without them are the exception, as they take the place of what stood for them.
func TestBeginningsStayMessageByMessage(t *testing.T) {
	all := receivers(t)
	for _, codec := range codecs.All() {
		t.Run(string(codec.Name()), func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				to := rapid.SampledFrom(all).Draw(t, "receiver")
				way := rapid.SampledFrom(ways()).Draw(t, "mode")
				way.transformed = rapid.Bool().Draw(t, "transformed")
				c := talks().Filter(func(c talk) bool { return !slices.Contains(c.faults, "results_after_text") }).Draw(t, "conversation").piecemeal()
				to.stays(t, codec.Name(), way, c)
			})
		})
	}
}

// Conversations of which the beginning changed once stay what they are, to a model of each API.
func TestBeginningsStayInConversations(t *testing.T) {
	all := slices.DeleteFunc(receivers(t), func(r *receiver) bool {
		return !strings.HasPrefix(r.name, "unheard-of-") || !strings.HasSuffix(r.name, "/some-model")
	})
	user := piece{role: callwright.RoleUser, text: "say"}
	call := func(c pastCall) piece {
		c.name, c.arguments = "get_weather", "{}"
		return piece{role: callwright.RoleAssistant, text: "answer", calls: []pastCall{c}}
	}
	result := func(id string) piece {
		return piece{role: callwright.RoleTool, results: []pastResult{{id: id, name: "get_weather", text: "result"}}}
	}
	for name, pieces := range map[string][]piece{
		"a call without an id, its result with that of an older call": {user, call(pastCall{id: "call_0"}), user, call(pastCall{legacy: true}), result("call_0")},
		"such a result twice": {user, call(pastCall{id: "call_0"}), user, call(pastCall{legacy: true}), result("call_0"), result("call_0"), user},
	} {
		for _, codec := range codecs.All() {
			t.Run(name+"/"+string(codec.Name()), func(t *testing.T) {
				for _, to := range all {
					to.stays(t, codec.Name(), way{mode: caps.Native}, talk{turns: [][]piece{pieces}}.piecemeal())
				}
			})
		}
	}
}

// stays fails a test where a message of a conversation changes what was sent for those before it.
func (r *receiver) stays(t tester, wire callwright.WireName, way way, c talk) {
	w := writers[wire]
	var sent []sentBody
	for n := 1; n <= len(c.turns); n++ {
		now := r.send(t, wire, way, w.request(c, n))
		last := len(sent) - 1
		if last >= 0 && bytes.Equal(sent[last], now) { // a message that says nothing leaves no trace
			continue
		}
		sent = append(sent, now)
		if last < 1 || sent[last].common(now) >= sent[last-1].common(sent[last]) {
			continue
		}
		if d := sent[last].changed(now); d != "" {
			t.Fatalf("%s, %v: message %d changes what is sent for the messages before it: %s", r.name, way, n, d)
		}
	}
}

// A tester is a test, or a property's check.
type tester interface {
	Fatalf(string, ...any)
	Context() context.Context
}

// A way is a mode with the format that it asks for, and with every transform or none.
type way struct {
	mode        caps.Mode
	format      string
	transformed bool
}

// allTransforms are the built-in transforms, and functions at every point of a request that always make the same of the same.
func allTransforms() []transform.Transform {
	return append(transform.Builtins(), loud, loudResult, described)
}

func ways() []way {
	out := []way{{mode: caps.Native}, {mode: caps.Native}, {mode: caps.Native}, {mode: caps.JSONSchema}, {mode: caps.JSONObject}}
	for _, f := range dialect.Formats() {
		if f.Renders() {
			out = append(out, way{mode: caps.Text, format: f.Name})
		}
	}
	return append(out, way{mode: caps.Parsed, format: "hermes"})
}

// A receiver is a model at a provider, which refuses all that it is sent.
type receiver struct {
	name string
	*recording
	model   *provider.Remote
	wire    callwright.WireName
	clients map[way]*reliable.Client
}

// modelNames are models whose facts differ.
var modelNames = strings.Fields("some-model gpt-4o gpt-4 gpt-5.2 gpt-5-chat o1-mini o3 gpt-oss-120b claude-sonnet-4-5 claude-opus-4-8 claude-opus-5 claude-3-5-haiku gemini-2.5-flash " +
	"gemini-3-pro gemma-3-27b gemma-4 llama-3.3-70b-versatile llama-4-scout qwen3-coder qwen3-32b mistral-large-latest magistral-medium ministral-8b deepseek-chat deepseek-reasoner " +
	"deepseek-v4-flash kimi-k2-thinking kimi-k2.5 kimi-k3 glm-4.6 glm-5 minimax-m2 grok-4 command-a")

// receivers are models of the known providers that differ in what is sent to them, and one that nothing is known of for each API.
func receivers(t *testing.T) []*receiver {
	var out []*receiver
	seen := map[string]bool{}
	add := func(cfg provider.Config) {
		r := &recording{}
		none := 0
		cfg.Transport, cfg.APIKey, cfg.MaxRetries = r, provider.NewSecret("k"), &none
		cfg.BaseURL = "http://lab.test/of"
		p, err := provider.New(cfg)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range modelNames {
			m := p.Model(name)
			c := m.Caps(t.Context())
			c.MaxContext, c.MaxOutput, c.Sources, c.Dialect, c.ToolCallReliable = 0, 0, nil, "", caps.Unknown
			key := fmt.Sprintf("%s %+v", p.Wire(), c)
			if !seen[key] {
				seen[key] = true
				out = append(out, &receiver{name: cfg.Name + "/" + name, recording: r, model: m, wire: p.Wire(), clients: map[way]*reliable.Client{}})
			}
		}
	}
	for _, row := range provider.Rows() {
		add(provider.Config{Name: row.Name})
	}
	for _, c := range codecs.All() {
		add(provider.Config{Name: "unheard-of-" + string(c.Name()), Wire: c.Name()})
		for _, known := range strict {
			add(provider.Config{Name: "strict-" + string(c.Name()), Wire: c.Name(), Caps: func(string) caps.Caps { return known }})
		}
	}
	return out
}

// strict are facts that a configuration may state, and that may be learned.
var strict = []caps.Caps{
	{History: caps.HistoryRules{Alternate: true}}, {History: caps.HistoryRules{NoUserAfterTool: true}}, {History: caps.HistoryRules{OneSystem: true}},
	{History: caps.HistoryRules{Alternate: true, NoUserAfterTool: true, OneSystem: true, NoBlankText: true, NoEmptyAssistant: true}},
	{History: caps.HistoryRules{ResultName: true}}, {History: caps.HistoryRules{NoEmptyAssistant: true}}, {History: caps.HistoryRules{NoBlankText: true}},
	{History: caps.HistoryRules{StringContent: true}}, {History: caps.HistoryRules{NoNullContent: true}}, {History: caps.HistoryRules{NoItemIDs: true}},
	{History: caps.HistoryRules{SignedCalls: true}}, {History: caps.HistoryRules{SystemRole: caps.SystemRoleUser}}, {History: caps.HistoryRules{Prefill: caps.PrefillRefused}},
	{History: caps.HistoryRules{ReasoningBack: caps.ReasoningBackNever}}, {History: caps.HistoryRules{ReasoningBack: caps.ReasoningBackAlways}},
	{History: caps.HistoryRules{ReasoningBack: caps.ReasoningBackCalls}}, {Images: caps.No}, {ResultImages: caps.No}, {ResultImages: caps.Yes},
	{IDs: caps.IDRule{Exact: 9}}, {IDs: caps.IDRule{Max: 12, Extra: "_"}}, {CustomTools: caps.No, ChoiceForced: caps.No, ParallelField: caps.No},
	{SchemaTarget: caps.SchemaOpenAI, StrictTools: caps.Yes, NeedsHelp: caps.Yes, JSONSchema: caps.Yes}, {SchemaTarget: caps.SchemaAnthropic, StrictTools: caps.Yes, NameMax: 3},
	{SchemaTarget: caps.SchemaGemini, NameMax: 8, LooseTools: "get_weather", OpenTools: "get_time"}, {JSONWithTools: caps.No},
	{Reasoning: caps.ReasoningInContent}, {Reasoning: caps.ReasoningContent}, {History: caps.HistoryRules{NullContent: true}}, {History: caps.HistoryRules{EmptyReasoning: true}},
	{CacheControl: caps.Yes, CacheMin: 1}, {CacheControl: caps.Yes, CacheMin: 150},
	{CacheControl: caps.Yes, CacheMin: 1, ResultImages: caps.No, History: caps.HistoryRules{Alternate: true, OneSystem: true}}, {ServiceParams: caps.Yes},
	{Constraint: "gbnf", TextCalls: caps.Yes}, {APIItems: caps.No}, {History: caps.HistoryRules{NoEmptyAssistant: true, Alternate: true, ReasoningBack: caps.ReasoningBackAlways}},
}

// A recording is a transport that keeps what it is to send.
type recording struct{ body []byte }

func (r *recording) RoundTrip(req *http.Request) (*http.Response, error) {
	body, err := io.ReadAll(req.Body)
	if err != nil {
		return nil, err
	}
	if r.body == nil {
		r.body = body
	}
	return &http.Response{StatusCode: http.StatusUnauthorized, Header: http.Header{"Content-Type": {"application/json"}}, Request: req,
		Body: io.NopCloser(strings.NewReader(`{"error":{"message":"no","type":"authentication_error"}}`))}, nil
}

// send is what is sent first for a request.
func (r *receiver) send(t tester, wire callwright.WireName, w way, body string) sentBody {
	codec, _ := codecs.Of(wire)
	req, err := codec.DecodeRequest([]byte(body))
	if err != nil {
		t.Fatalf("%v\n%s", err, body)
	}
	c := r.clients[w]
	if c == nil {
		opts := []reliable.Option{reliable.WithModes(w.mode), reliable.WithOneMode(), reliable.WithDialect(w.format)}
		if w.transformed {
			opts = append(opts, reliable.WithTransforms(allTransforms()...))
		}
		c = reliable.New(r.model, opts...)
		r.clients[w] = c
	}
	r.body = nil
	_, err = c.Generate(t.Context(), req)
	if r.body == nil {
		t.Fatalf("%s: nothing was sent: %v\n%s", r.name, err, body)
	}
	return sentBody(r.body)
}

// A sentBody is a request as it was sent.
type sentBody []byte

// lists are the members that hold conversations.
var lists = []string{"messages", "input", "contents"}

// parts are the messages or items of the conversation, and all other members.
func (b sentBody) parts() (list [][]byte, rest map[string]string) {
	rest = map[string]string{}
	for k, v := range jsonx.Members(b) {
		name := k.String()
		if v = jsonx.Trim(v); !strings.Contains(strings.Join(lists, " "), name) || !jsonx.IsArray(v) {
			rest[name] = string(v)
			continue
		}
		for m := range jsonx.Elements(v) {
			list = append(list, jsonx.Trim(m))
		}
	}
	return list, rest
}

// common is how many messages or items two requests begin with alike.
func (b sentBody) common(other sentBody) (n int) {
	x, _ := b.parts()
	y, _ := other.parts()
	for n < len(x) && n < len(y) && bytes.Equal(x[n], y[n]) {
		n++
	}
	return n
}

// changed tells what of a request is otherwise in a later one, "" for nothing. The last message may be, as its turn may go on.
func (b sentBody) changed(later sentBody) string {
	if b == nil {
		return ""
	}
	list, rest := b.parts()
	now, restNow := later.parts()
	for name, v := range rest {
		if v != restNow[name] && (name != "input" || len(now) == 0) {
			return fmt.Sprintf("%s was\n%s\nis\n%s", name, v, restNow[name])
		}
	}
	for name, v := range restNow {
		if _, was := rest[name]; !was {
			return fmt.Sprintf("%s is new: %s", name, v)
		}
	}
	for i := range max(len(list)-1, 0) {
		switch {
		case i >= len(now):
			return fmt.Sprintf("%d is gone: %s", i, list[i])
		case !bytes.Equal(list[i], now[i]):
			return fmt.Sprintf("%d was\n%s\nis\n%s", i, list[i], now[i])
		}
	}
	return ""
}
