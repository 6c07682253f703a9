package codecs_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/companion"
	"github.com/callwright/callwright/internal/wire"
	"github.com/callwright/callwright/internal/wire/codecs"
	"github.com/google/go-cmp/cmp"
)

func codecOf(t *testing.T, name callwright.WireName) wire.Codec {
	t.Helper()
	for _, c := range codecs.All() {
		if c.Name() == name {
			return c
		}
	}
	t.Fatalf("no codec %s", name)
	return nil
}

func requestOf(t *testing.T, name callwright.WireName, body string) *callwright.Request {
	t.Helper()
	front, ok := codecOf(t, name).(wire.Front)
	if !ok {
		t.Fatalf("%s is no front door", name)
	}
	req, err := front.DecodeRequest([]byte(body))
	if err != nil {
		t.Fatalf("%s: %v\n%s", name, err, body)
	}
	return req
}

// rulesOf encodes a request and gives the bytes and the rules of the notes.
func rulesOf(t *testing.T, to wire.Codec, req *callwright.Request) (sent string, rules []string) {
	t.Helper()
	out, notes, err := to.EncodeRequest(req, "m", caps.Caps{})
	if err != nil {
		t.Fatalf("%s: %v", to.Name(), err)
	}
	for _, n := range notes {
		rules = append(rules, n.Rule)
	}
	return string(out), rules
}

// A tool that comes without its type is the one that its members say, and is sent with its type, which is noted where the API insists
// on one.
func TestToolsWithoutTheirType(t *testing.T) {
	const schema = `{"type":"object","properties":{"a":{"type":"integer"}}}`
	for name, c := range map[callwright.WireName]struct{ body, kind string }{
		callwright.WireOpenAI:    {`{"model":"m","messages":[{"role":"user","content":"q"}],"tools":[{TYPE"function":{"name":"f","description":"d","parameters":` + schema + `}}]}`, `"type":"function",`},
		callwright.WireResponses: {`{"model":"m","input":"q","tools":[{TYPE"name":"f","description":"d","parameters":` + schema + `}]}`, `"type":"function",`},
		callwright.WireAnthropic: {`{"model":"m","max_tokens":9,"messages":[{"role":"user","content":"q"}],"tools":[{TYPE"name":"f","description":"d","input_schema":` + schema + `}]}`, `"type":"custom",`},
		callwright.WireOllama:    {`{"model":"m","messages":[{"role":"user","content":"q"}],"tools":[{TYPE"function":{"name":"f","description":"d","parameters":` + schema + `}}]}`, `"type":"function",`},
	} {
		for _, none := range []string{"", `"type":null,`} {
			if none != "" && name == callwright.WireAnthropic {
				continue // the API does not take it
			}
			typed, untyped := requestOf(t, name, strings.Replace(c.body, "TYPE", c.kind, 1)), requestOf(t, name, strings.Replace(c.body, "TYPE", none, 1))
			want, err := typed.DeclaredTools()
			got, failed := untyped.DeclaredTools()
			if err != nil || failed != nil || len(got) != 1 || got[0].Name != want[0].Name || got[0].Type != want[0].Type || string(got[0].Schema) != string(want[0].Schema) {
				t.Errorf("%s, %q: got %+v, %v, %v", name, none, got, err, failed)
				continue
			}
			for _, to := range codecs.All() {
				as, _ := rulesOf(t, to, typed)
				sent, rules := rulesOf(t, to, untyped)
				insists := name == to.Name() && (name == callwright.WireOpenAI || name == callwright.WireResponses)
				if insists && !strings.Contains(sent, `"type":"function"`) || slices.Contains(rules, "tools.type") != insists {
					t.Errorf("%s, %q, to %s: sent %s with %v", name, none, to.Name(), sent, rules)
				}
				if to.Name() != name && sent != as {
					t.Errorf("%s, %q, to %s: %s", name, none, to.Name(), cmp.Diff(as, sent))
				}
			}
		}
	}
}

// Schemas in which the types of JSON are spelled in capitals, as the API of one wire has them, leave in small letters on every other;
// to its own they go as they came.
func TestTypesInCapitals(t *testing.T) {
	const schema = `{"type":"OBJECT","properties":{"a":{"type":"STRING"},"l":{"type":"ARRAY","items":{"type":"INTEGER"}},"o":{"anyOf":[{"type":"NUMBER"},{"type":"BOOLEAN"}]}},"required":["a"]}`
	for place, body := range map[string]string{
		"parameters":           `{"contents":[{"role":"user","parts":[{"text":"q"}]}],"tools":[{"functionDeclarations":[{"name":"f","parameters":` + schema + `}]}]}`,
		"parametersJsonSchema": `{"contents":[{"role":"user","parts":[{"text":"q"}]}],"tools":[{"functionDeclarations":[{"name":"f","parametersJsonSchema":` + schema + `}]}]}`,
		"responseSchema":       `{"contents":[{"role":"user","parts":[{"text":"q"}]}],"generationConfig":{"responseMimeType":"application/json","responseSchema":` + schema + `}}`,
		"responseJsonSchema":   `{"contents":[{"role":"user","parts":[{"text":"q"}]}],"generationConfig":{"responseMimeType":"application/json","responseJsonSchema":` + schema + `}}`,
	} {
		for _, to := range codecs.All() {
			req := requestOf(t, callwright.WireGemini, body)
			built := *req
			built.Messages, _ = req.History()
			built.Tools, _ = req.DeclaredTools()
			companion.Change(&built, func(c *companion.Companion) { c.Body = nil })
			for form, r := range map[string]*callwright.Request{"as it came": req, "written anew": &built} {
				sent, _ := rulesOf(t, to, r)
				own := to.Name() == callwright.WireGemini && (form == "as it came" || !strings.HasSuffix(place, "JsonSchema"))
				for _, word := range []string{"OBJECT", "STRING", "ARRAY", "INTEGER", "NUMBER", "BOOLEAN"} {
					if has := strings.Contains(sent, `"`+word+`"`); has != own {
						t.Errorf("%s to %s, %s: sent %s", place, to.Name(), form, sent)
						break
					}
				}
				if !own && !strings.Contains(sent, `"integer"`) {
					t.Errorf("%s to %s, %s: the schema is lost: %s", place, to.Name(), form, sent)
				}
			}
		}
	}
}

// An item that only names another is kept for its own API, whether its type is given, null or left out, and breaks nothing elsewhere.
func TestReferencesToItems(t *testing.T) {
	const said = `{"role":"user","content":"Go on."}`
	for _, item := range []string{`{"type":"item_reference","id":"msg_1"}`, `{"id":"msg_1"}`, `{"type":null,"id":"msg_1"}`} {
		for place, input := range map[string]string{"before": item + "," + said, "behind": said + "," + item, "between": said + "," + item + "," + said} {
			req := requestOf(t, callwright.WireResponses, `{"model":"m","input":[`+input+`]}`)
			for _, to := range codecs.All() {
				sent, rules := rulesOf(t, to, req)
				own := to.Name() == callwright.WireResponses
				if own && (!strings.Contains(sent, item) || len(rules) > 0) || !own && (strings.Contains(sent, "msg_1") || !slices.Contains(rules, "history.opaque")) {
					t.Errorf("%s %s to %s: sent %s with %v", item, place, to.Name(), sent, rules)
				}
				if !json.Valid([]byte(sent)) || !strings.Contains(sent, "Go on.") {
					t.Errorf("%s %s to %s: sent %s", item, place, to.Name(), sent)
				}
			}
		}
	}
}
