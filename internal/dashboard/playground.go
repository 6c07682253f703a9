package dashboard

import (
	"fmt"
	"net/http"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/dashboard/internal/counted"
	"github.com/callwright/callwright/internal/dashboard/internal/inplace"
	"github.com/callwright/callwright/internal/dashboard/internal/steps"
	"github.com/callwright/callwright/internal/wire/codecs"
	"github.com/callwright/callwright/interop"
	"github.com/callwright/callwright/reliable"
)

// A playgroundPage shows the calls and text parsed from model output.
type playgroundPage struct {
	Text, Tools, Model, Policy string
	Policies                   []string
	Problem                    string
	Got                        *extracted // the result, nil before a text was entered
}

// policies are the selectable policies, the most usual first.
var policies = []string{
	string(callwright.PolicyHeal), string(callwright.PolicyHealHeuristic), string(callwright.PolicyObserve),
	string(callwright.PolicyStrict), string(callwright.PolicyOff),
}

// extracted holds the results of parsing a text.
type extracted struct {
	*reliable.Extraction
	InPlace inplace.Text
	Calls   []inplace.Text
	Invalid []counted.Invalid // replaces Extraction.Invalid
	Notes   []noteRow
	Clients []inplace.Text // the response that a client of each API would receive
}

// exampleText and exampleTools are the initial input of the page: a call with repairable defects.
const (
	exampleText  = "Let me look.\n<tool_call>\n{'name': 'get_weather', 'arguments': {'city': 'Oslo', 'days': '3',}}\n</tool_call>"
	exampleTools = `[{"name": "get_weather", "description": "The weather of a city",
  "parameters": {"type": "object", "required": ["city"],
    "properties": {"city": {"type": "string"}, "days": {"type": "integer"}}}}]`
)

func (s *server) playground(w http.ResponseWriter, v *visit) {
	p := &playgroundPage{Text: exampleText, Tools: exampleTools, Policy: policies[0], Policies: policies}
	if v.Method == http.MethodPost {
		p.Text, p.Tools, p.Model, p.Policy = v.PostForm.Get("text"), v.PostForm.Get("tools"), v.PostForm.Get("model"), v.PostForm.Get("policy")
		got, err := extract(p)
		if err != nil {
			p.Problem = err.Error()
		}
		p.Got = got
	}
	s.show(w, v, http.StatusOK, "playground", "Playground", p)
}

// extract parses the calls in a text.
func extract(p *playgroundPage) (*extracted, error) {
	policy, err := callwright.ParsePolicy(p.Policy)
	if err != nil {
		return nil, err
	}
	tools, err := interop.ReadTools([]byte(p.Tools))
	if err != nil {
		return nil, err
	}
	x, err := reliable.Extract([]callwright.Event{callwright.Begin{}, callwright.TextDelta{Text: p.Text}, callwright.End{}}, tools,
		reliable.ExtractOptions{Policy: policy, Model: callwright.ModelID(p.Model)})
	if err != nil {
		return nil, err
	}
	out := &extracted{Extraction: x, InPlace: inplace.MarkChanges("", p.Text, x.Notes), Notes: noteRows(counted.Notes(x.Notes)),
		Invalid: counted.InvalidCalls(x.Invalid)}
	for _, c := range counted.Calls(x.Calls) {
		text := steps.Parts([]callwright.Part{c.Call}, nil)
		if c.N > 1 {
			text[0].Title += fmt.Sprintf(" × %d", c.N)
		}
		out.Calls = append(out.Calls, text...)
	}
	out.Clients = encodeForClients(x, p.Model)
	return out, nil
}

// encodeForClients returns the response that a client of each API would receive.
func encodeForClients(x *reliable.Extraction, model string) []inplace.Text {
	resp := &callwright.Response{ID: "answer", Model: model, Finish: x.Finish}
	if resp.Model == "" {
		resp.Model = "model"
	}
	if x.Reasoning != "" {
		resp.Parts = append(resp.Parts, callwright.Reasoning{Text: x.Reasoning})
	}
	if x.Content != "" {
		resp.Parts = append(resp.Parts, callwright.Text{Text: x.Content})
	}
	for _, c := range x.Calls {
		resp.Parts = append(resp.Parts, c)
	}
	var out []inplace.Text
	for _, codec := range codecs.All() {
		body, _, err := codec.EncodeResponse(nil, resp)
		if err != nil {
			body = []byte(err.Error())
		}
		out = append(out, inplace.Plain(string(codec.Name()), inplace.Pretty(body)))
	}
	return out
}
