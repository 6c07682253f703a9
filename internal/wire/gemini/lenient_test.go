package gemini_test

import (
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/google/go-cmp/cmp"
)

// One value stands for a list of one, numbers may come as text, and null is a member that is not set: it means the same, and goes to
// the provider as it came.
func TestFormsThatMeanTheSame(t *testing.T) {
	const q = `{"role":"user","parts":[{"text":"q"}]}`
	for name, c := range map[string]struct{ came, same, sent string }{
		"one content":        {`{"contents":` + q + `}`, `{"contents":[` + q + `]}`, ""},
		"one part":           {`{"contents":[{"role":"user","parts":{"text":"q"}}]}`, `{"contents":[` + q + `]}`, ""},
		"one of both":        {`{"contents":{"parts":{"text":"q"}}}`, `{"contents":[{"parts":[{"text":"q"}]}]}`, ""},
		"one instruction":    {`{"systemInstruction":{"parts":{"text":"be"}},"contents":[` + q + `]}`, `{"systemInstruction":{"parts":[{"text":"be"}]},"contents":[` + q + `]}`, ""},
		"instruction, text":  {`{"system_instruction":"be","contents":[` + q + `]}`, `{"system_instruction":{"parts":[{"text":"be"}]},"contents":[` + q + `]}`, `{"system_instruction":{"parts":[{"text":"be"}]},"contents":[` + q + `]}`},
		"one tool":           {`{"contents":[` + q + `],"tools":{"functionDeclarations":{"name":"f"}}}`, `{"contents":[` + q + `],"tools":[{"functionDeclarations":[{"name":"f"}]}]}`, ""},
		"one hosted tool":    {`{"contents":[` + q + `],"tools":{"googleSearch":{}}}`, `{"contents":[` + q + `],"tools":[{"googleSearch":{}}]}`, ""},
		"one text":           {`{"contents":[` + q + `],"generationConfig":{"stopSequences":"x"}}`, `{"contents":[` + q + `],"generationConfig":{"stopSequences":["x"]}}`, ""},
		"one name":           {`{"contents":[` + q + `],"toolConfig":{"functionCallingConfig":{"mode":"ANY","allowedFunctionNames":"f"}}}`, `{"contents":[` + q + `],"toolConfig":{"functionCallingConfig":{"mode":"ANY","allowedFunctionNames":["f"]}}}`, ""},
		"numbers as text":    {`{"contents":[` + q + `],"generationConfig":{"maxOutputTokens":"7","temperature":"0.50","seed":"9007199254740993","thinkingConfig":{"thinkingBudget":"128"}}}`, `{"contents":[` + q + `],"generationConfig":{"maxOutputTokens":7,"temperature":0.50,"seed":9007199254740993,"thinkingConfig":{"thinkingBudget":128}}}`, ""},
		"parts that are not": {`{"contents":[{"role":"user","parts":[{"text":"q","inlineData":null,"fileData":null,"functionCall":null,"functionResponse":null,"thought":null,"thoughtSignature":null}]}]}`, `{"contents":[` + q + `]}`, ""},
		"a result's parts":   {`{"contents":[{"role":"user","parts":[{"functionResponse":{"name":"f","response":{"output":"x"},"parts":{"inlineData":{"mimeType":"image/png","data":"iVBORw0KGgo="}}}}]}]}`, `{"contents":[{"role":"user","parts":[{"functionResponse":{"name":"f","response":{"output":"x"},"parts":[{"inlineData":{"mimeType":"image/png","data":"iVBORw0KGgo="}}]}}]}]}`, ""},
	} {
		t.Run(name, func(t *testing.T) {
			a, b := decoded(t, c.came), decoded(t, c.same)
			dropExtra := cmp.Options{cmp.FilterPath(func(p cmp.Path) bool { return p.Last().String() == ".Extra" }, cmp.Ignore()),
				cmp.FilterPath(func(p cmp.Path) bool { return p.Last().String() == ".ResultImages" }, cmp.Ignore())}
			for _, v := range []struct{ got, want any }{{a.Summaries(), b.Summaries()}, {history(t, a), history(t, b)}, {declared(t, a), declared(t, b)}, {a.Params, b.Params}} {
				if diff := cmp.Diff(v.want, v.got, dropExtra); diff != "" {
					t.Errorf("(-want +got)\n%s", diff)
				}
			}
			want := c.sent
			if want == "" {
				want = c.came
			}
			if out, _ := encoded(t, a, caps.Caps{}); out != want {
				t.Errorf("sent\n%s\nwant\n%s", out, want)
			}
		})
	}
}

func history(t *testing.T, req *callwright.Request) []callwright.Message {
	t.Helper()
	msgs, err := req.History()
	if err != nil {
		t.Fatal(err)
	}
	return msgs
}

func declared(t *testing.T, req *callwright.Request) []callwright.Tool {
	t.Helper()
	tools, err := req.DeclaredTools()
	if err != nil {
		t.Fatal(err)
	}
	return tools
}
