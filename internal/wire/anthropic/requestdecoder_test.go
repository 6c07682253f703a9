package anthropic_test

import (
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/companion"
	"github.com/callwright/callwright/internal/wire/anthropic"
	"github.com/google/go-cmp/cmp"
)

func TestWhereItGoes(t *testing.T) {
	var c anthropic.Codec
	path, query := c.Target("any", true)
	if c.Name() != callwright.WireAnthropic || path != "/v1/messages" || query != "" || c.StreamsJSONLines() {
		t.Errorf("expected the Messages API with server-sent events, got %s %s?%s", c.Name(), path, query)
	}
}

// outlineCases give the outline of one message by its content.
var outlineCases = []struct {
	name, content string
	want          callwright.Summary
}{
	{"text", `"a"`, callwright.Summary{Text: true}},
	{"no text", `""`, callwright.Summary{Blank: true}},
	{"white space in escapes", `" \n\t\u00a0"`, callwright.Summary{Blank: true}},
	{"text behind white space", `"  \u0041"`, callwright.Summary{Text: true}},
	{"white space beyond ASCII", "\"\u2003\"", callwright.Summary{Blank: true}},
	{"no blocks", `[]`, callwright.Summary{Parts: true}},
	{"blank beside text", `[{"text":" ","type":"text"},{"type":"text","text":"b"}]`, callwright.Summary{Parts: true, Blank: true, Text: true}},
	{"media", `[{"type":"image","source":7}]`, callwright.Summary{Parts: true, Media: true}},
	{"reasoning", `[{"type":"thinking","thinking":""}]`, callwright.Summary{Parts: true, Reasoning: true}},
	{
		"calls, sound and not", `[{"input":{},"name":"f\n","id":"a","type":"tool_use"},{"type":"tool_use","id":"b","name":"g","input":"{}"},{"type":"tool_use","id":"c","name":"h"}]`,
		callwright.Summary{Parts: true, Calls: []callwright.CallRef{{ID: "a", Name: "f\n", Sound: true}, {ID: "b", Name: "g"}, {ID: "c", Name: "h"}}},
	},
	{"results", `[{"type":"tool_result","tool_use_id":"a","content":[{"type":"text","text":"t"}]},{"type":"tool_result","tool_use_id":"b"}]`, callwright.Summary{Parts: true, Results: []string{"a", "b"}}},
	{"what nobody knows", `[{"type":"later","x":1}]`, callwright.Summary{Parts: true}},
}

func TestOutline(t *testing.T) {
	for _, c := range outlineCases {
		t.Run(c.name, func(t *testing.T) {
			req, err := anthropic.Codec{}.DecodeRequest([]byte(`{"model":"m","system":null,"messages":[{"content":` + c.content + `,"role":"user"}]}`))
			if err != nil {
				t.Fatal(err)
			}
			c.want.Role = callwright.RoleUser
			if diff := cmp.Diff([]callwright.Summary{c.want}, companion.Of(req).Body.Summaries()); diff != "" {
				t.Errorf("unexpected outline (-want +got):\n%s", diff)
			}
			messages, err := req.History()
			if err != nil || len(messages) != 1 {
				t.Errorf("expected one message for one turn, got %v (%v)", messages, err)
			}
		})
	}
}

// Many calls and results share the memory of the outline; they must not run into one another.
func TestOutlineOfManyCalls(t *testing.T) {
	body := `{"model":"m","messages":[`
	for i := range 100 {
		name := strings.Repeat("n", i+1)
		calls := strings.Repeat(`{"type":"tool_use","id":"`+name+`","name":"`+name+`","input":{}},`, i%7+1)
		body += `{"role":"assistant","content":[` + strings.TrimSuffix(calls, ",") + `]},`
	}
	req, err := anthropic.Codec{}.DecodeRequest([]byte(strings.TrimSuffix(body, ",") + `]}`))
	if err != nil {
		t.Fatal(err)
	}
	for i, turn := range companion.Of(req).Body.Summaries() {
		if len(turn.Calls) != i%7+1 {
			t.Fatalf("expected %d calls in turn %d, got %d", i%7+1, i, len(turn.Calls))
		}
		for _, c := range turn.Calls {
			if want := strings.Repeat("n", i+1); c.ID != want || c.Name != want {
				t.Fatalf("expected %s, got %v", want, c)
			}
		}
	}
}

func TestDeepBodyIsRefused(t *testing.T) {
	body := `{"model":"m","messages":[{"role":"user","content":[{"type":"x","y":` + strings.Repeat("[", 600) + strings.Repeat("]", 600) + `}]}]}`
	if _, err := (anthropic.Codec{}).DecodeRequest([]byte(body)); callwright.KindOf(err) != callwright.KindInvalid {
		t.Errorf("expected an invalid request, got %v", err)
	}
}

// Results inside results are left as they are: going down into them would cost their size once for each level.
func TestNestedResults(t *testing.T) {
	deep := `"x"`
	for range 100 {
		deep = `[{"type":"tool_result","tool_use_id":"t","content":` + deep + `}]`
	}
	req, err := anthropic.Codec{}.DecodeRequest([]byte(`{"model":"m","messages":[{"role":"user","content":` + deep + `}]}`))
	if err != nil {
		t.Fatal(err)
	}
	messages, err := req.History()
	if err != nil {
		t.Fatal(err)
	}
	outer, ok := messages[0].Parts[0].(callwright.Result)
	if !ok || len(outer.Parts) != 1 {
		t.Fatalf("expected a result with one part, got %#v", messages[0].Parts[0])
	}
	if _, ok := outer.Parts[0].(callwright.Opaque); !ok {
		t.Errorf("expected the inner result to be opaque, got %T", outer.Parts[0])
	}
}
