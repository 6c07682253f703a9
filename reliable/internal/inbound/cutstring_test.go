package inbound_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/dialect"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/reliable/internal/inbound"
	"github.com/callwright/callwright/reliable/internal/judge"
	"github.com/callwright/callwright/schema"
	"pgregory.net/rapid"
)

// inJSON is what the text of a call has whose arguments are JSON.
var inJSON = regexp.MustCompile(`"content": ?"§`)

// A call that was cut inside a string of its JSON is not run, and its raw text is what the model wrote, byte for byte, from the beginning of the call to
// the cut: in every format with JSON, whatever the string holds but marks, in pieces of any length, for every reason to end in it. What was said
// before it is said. Where the format has no marks, the whole is text, as it came.
func TestCutString(t *testing.T) {
	const write = `{"type":"object","properties":{"path":{"type":"string"},"content":{"type":"string"}},"required":["path"]}`
	tools, err := judge.NewToolset([]callwright.Tool{{Name: "write", Schema: []byte(write)}}, schema.NewCache(8))
	if err != nil {
		t.Fatal(err)
	}
	refused := map[string]bool{}
	for _, f := range dialect.Formats() {
		if !f.Renders() {
			continue
		}
		t.Run(f.Name, rapid.MakeCheck(func(t *rapid.T) {
			content := "§" + strings.Join(rapid.SliceOfN(rapid.SampledFrom([]string{
				"a", " ", "\n", `"`, `\`, `\n`, "{", "}", "]", "</b>", "<", "```", "é", "{\"name\":\"write\"}", "\\u00e9", "'", ",", `"}}`, "C:\\new",
			}), 1, 8).Draw(t, "content"), "") + "¶"
			value := jsonx.AppendQuote(nil, content)
			text := f.RenderCalls([]dialect.RenderedCall{{Name: "write", ID: "call_1", Arguments: []byte(`{"path":"a","content":` + string(value) + `}`)}})
			if !inJSON.MatchString(text) {
				return
			}
			text = text[:rapid.IntRange(strings.Index(text, "§")+len("§"), strings.Index(text, "¶")).Draw(t, "cut")]
			lead := rapid.SampledFrom([]string{"", "I write it.\n"}).Draw(t, "lead")
			a, _ := answer(t, func(set *inbound.Setup) { set.Toolset, set.Attempt = tools, owner{tools} })
			rest := lead + text
			var events []callwright.Event
			for rest != "" {
				n := rapid.IntRange(1, len(rest)).Draw(t, "piece")
				events, rest = append(events, callwright.TextDelta{Text: rest[:n]}), rest[n:]
			}
			take(a, append(events, callwright.End{Finish: rapid.SampledFrom([]callwright.Finish{callwright.FinishLength, callwright.FinishContentFilter, callwright.FinishStop}).Draw(t, "finish")})...)
			whole, said, raw := lead+text, a.Outcome.Visible.String(), ""
			if len(a.Outcome.Good) > 0 || len(a.Outcome.Invalid) > 1 {
				t.Fatalf("%q: run %+v, refused %+v", whole, a.Outcome.Good, a.Outcome.Invalid)
			}
			for _, c := range a.Outcome.Invalid {
				refused[f.Name] = true
				if raw = c.Raw; c.Why != callwright.InvalidTruncated {
					t.Fatalf("%q: %+v", whole, c)
				}
			}
			if said != whole && (raw == "" || !strings.HasSuffix(whole, raw) || len(raw) > len(text) || !strings.Contains(raw, "§") || strings.TrimSpace(said) != strings.TrimSpace(lead)) {
				t.Fatalf("%q\nraw  %q\nsaid %q", whole, raw, said)
			}
		}))
	}
	if len(refused) < 20 {
		t.Errorf("calls of %d formats are refused", len(refused))
	}
}

// The same holds for a native call.
func TestCutNativeString(t *testing.T) {
	const args = `{"city":"a \"b\" \\ \u00e9 }]</tool_call>`
	for cut := len(`{"city":"`); cut <= len(args); cut++ {
		for _, finish := range []callwright.Finish{callwright.FinishLength, callwright.FinishContentFilter} {
			a, _ := answer(t, nil)
			take(a, append(call("c", "get_weather", args[:cut]), callwright.End{Finish: finish})...)
			if len(a.Outcome.Good) > 0 || len(a.Outcome.Invalid) != 1 || a.Outcome.Invalid[0].Raw != args[:cut] || a.Outcome.Invalid[0].Why != callwright.InvalidTruncated {
				t.Errorf("%s, %s: run %+v, refused %+v", args[:cut], finish, a.Outcome.Good, a.Outcome.Invalid)
			}
		}
	}
}
