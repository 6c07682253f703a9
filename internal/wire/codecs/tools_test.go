package codecs_test

import (
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/companion"
	"github.com/callwright/callwright/internal/wire"
	"github.com/callwright/callwright/internal/wire/codecs"
	"github.com/google/go-cmp/cmp"
)

// toolBody is a Body whose tools can be taken from one with equal ToolBytes.
type toolBody interface {
	companion.Body
	ToolBytes() []byte
	TakeTools(tools []callwright.Tool)
}

// toolBodies are, for each wire, members of requests that declare tools, in all places where that wire has them. Several members of one
// kind exclude one another.
var toolBodies = map[callwright.WireName][][]string{
	callwright.WireOpenAI: {
		{`"messages":[{"role":"user","content":"hi"}]`},
		{``, `"tools":null`, `"tools":[]`, `"tools":[{"type":"function","function":{"name":"f","parameters":{"type":"object"}}}]`, `"tools":[{"function":{"name":"f"}}]`, `"tools":[{"type":"custom","custom":{"name":"g"}}]`},
		{``, `"functions":[]`, `"functions":[{"name":"one","parameters":{"type":"object"}}]`, `"functions":[{"name":"two"}]`},
	},
	callwright.WireResponses: {
		{
			`"input":"hi"`,
			`"input":[{"type":"function_call","call_id":"c","namespace":"a","name":"b__c","arguments":"{}"},{"type":"function_call_output","call_id":"c","output":"1"}]`,
			`"input":[{"type":"additional_tools","role":"developer","tools":[{"type":"function","name":"f"}]},{"role":"user","content":"hi"}]`,
			`"input":[{"type":"additional_tools","role":"developer","tools":[{"type":"function","name":"f"}]},{"type":"additional_tools","role":"developer","tools":[{"type":"function","name":"g"}]},{"role":"user","content":"hi"}]`,
			`"input":[{"type":"additional_tools","role":"developer","tools":[{"type":"function","name":"g"}]},{"role":"user","content":"hi"}]`,
		},
		{
			``, `"tools":null`, `"tools":[]`, `"tools":[{"type":"function","name":"f"}]`, `"tools":[{"name":"f","parameters":{"type":"object"}}]`, `"tools":[{"type":"local_shell"},{"type":"custom","name":"g"}]`,
			`"tools":[{"type":"namespace","name":"a","tools":[{"type":"function","name":"b__c"}]},{"type":"namespace","name":"a__b","tools":[{"type":"function","name":"c"}]}]`,
			`"tools":[{"type":"function","name":"a__b"},{"type":"namespace","name":"a","tools":[{"type":"function","name":"b"}]}]`,
		},
	},
	callwright.WireAnthropic: {
		{`"max_tokens":9,"messages":[{"role":"user","content":"hi"}]`},
		{``, `"tools":[]`, `"tools":[{"name":"f","input_schema":{"type":"object"}}]`, `"tools":[{"name":"g","input_schema":{"type":"object"}},{"type":"web_search_20250305","name":"web_search"}]`},
	},
	callwright.WireGemini: {
		{`"contents":[{"role":"user","parts":[{"text":"hi"}]}]`},
		{``, `"tools":[]`, `"tools":{"functionDeclarations":[{"name":"f"}]}`, `"tools":[{"functionDeclarations":[{"name":"f","parameters":{"type":"OBJECT"}}]},{"googleSearch":{}}]`},
	},
	callwright.WireOllama: {
		{`"messages":[{"role":"user","content":"hi"}]`},
		{``, `"tools":null`, `"tools":[]`, `"tools":[{"type":"function","function":{"name":"f","parameters":{"type":"object"}}}]`},
	},
}

// Tools are kept by the bytes that declare them. So equal bytes are equal tools, whatever else two requests hold, and a request that takes
// the tools of another is sent as if it had decoded its own.
func TestToolsFollowFromTheirBytes(t *testing.T) {
	for _, c := range codecs.All() {
		w := c.Name()
		t.Run(string(w), func(t *testing.T) {
			var bodies [][]byte
			for _, members := range combined(toolBodies[w]) {
				bodies = append(bodies, []byte(`{"model":"m",`+strings.Join(members, ",")+`}`))
			}
			if len(bodies) < 4 {
				t.Fatal("expected bodies of this wire")
			}
			known := map[string][]callwright.Tool{}
			for _, body := range bodies {
				req, b := decodeTools(t, c, body)
				tools, err := b.Tools()
				if err != nil {
					continue
				}
				if key := b.ToolBytes(); key != nil {
					if was, ok := known[string(key)]; ok {
						if diff := cmp.Diff(was, tools); diff != "" {
							t.Errorf("other tools from the same bytes %q (-of another request +of %s):\n%s", key, body, diff)
						}
					}
					known[string(key)] = tools
				}
				for _, to := range codecs.All() {
					want := sent(t, to, req)
					taking, other := decodeTools(t, c, body)
					other.TakeTools(tools)
					if diff := cmp.Diff(want, sent(t, to, taking)); diff != "" {
						t.Errorf("to %s: tools that were taken change what is sent for %s (-decoded +taken):\n%s", to.Name(), body, diff)
					}
				}
			}
		})
	}
}

// combined are all combinations of one of each kind, but for empty ones.
func combined(kinds [][]string) (out [][]string) {
	out = [][]string{nil}
	for _, kind := range kinds {
		var next [][]string
		for _, had := range out {
			for _, member := range kind {
				with := append([]string{}, had...)
				if member != "" {
					with = append(with, member)
				}
				next = append(next, with)
			}
		}
		out = next
	}
	return out
}

func decodeTools(t *testing.T, c wire.Codec, body []byte) (*callwright.Request, toolBody) {
	t.Helper()
	req, err := c.DecodeRequest(body)
	if err != nil {
		t.Fatal(err, string(body))
	}
	b, ok := companion.Of(req).Body.(toolBody)
	if !ok {
		t.Fatalf("%s: tools cannot be taken", c.Name())
	}
	return req, b
}

// sent is what is sent over a wire, and noted.
func sent(t *testing.T, to wire.Codec, req *callwright.Request) []string {
	t.Helper()
	body, notes, err := to.EncodeRequest(req, "lab/m", caps.Caps{})
	if err != nil {
		return []string{err.Error()}
	}
	out := []string{string(body)}
	for _, n := range notes {
		out = append(out, n.Rule+" "+n.Path+" "+n.Why)
	}
	return out
}
