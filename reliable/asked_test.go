package reliable_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/dialect"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/reliable"
)

// An askedForm is a way of asking for calls, and an answer in the form that is asked for.
type askedForm struct {
	name   string
	mode   caps.Mode
	model  callwright.ModelID
	opts   []reliable.Option
	answer func(sent *callwright.Request) string
}

// askedForms are all ways but native calls.
func askedForms() []askedForm {
	arguments := []string{`{"city":"Oslo"}`, `{"city":"Bergen","days":3}`}
	var forms []askedForm
	for _, n := range []int{1, 2} {
		for _, f := range dialect.Formats() {
			if !f.Renders() {
				continue
			}
			calls := make([]dialect.RenderedCall, n)
			for i := range calls {
				calls[i] = dialect.RenderedCall{Name: "get_weather", ID: fmt.Sprintf("functions.get_weather:%d", i), Arguments: []byte(arguments[i])}
			}
			text := f.RenderCalls(calls)
			for _, said := range []string{"", "I will look.\n"} {
				forms = append(forms, askedForm{fmt.Sprintf("%s, %d calls, %q", f.Name, n, said), caps.Text, "lab/m", []reliable.Option{reliable.WithDialect(f.Name)}, func(*callwright.Request) string { return said + text }})
			}
		}
		for _, mode := range []caps.Mode{caps.JSONSchema, caps.JSONObject} {
			forms = append(forms, askedForm{fmt.Sprintf("%s, %d calls", mode, n), mode, "lab/m", nil, func(*callwright.Request) string {
				var list []string
				for _, a := range arguments[:n] {
					list = append(list, `{"name":"get_weather","arguments":`+a+`}`)
				}
				return `{"toolCalls":[` + strings.Join(list, ",") + `]}`
			}})
		}
		forms = append(forms, askedForm{fmt.Sprintf("a fence, %d calls", n), caps.Text, "lab/qwen2.5-coder-7b", nil, func(*callwright.Request) string {
			var list []string
			for _, a := range arguments[:n] {
				list = append(list, `{"name": "get_weather", "arguments": `+a+`}`)
			}
			return "```json\n[" + strings.Join(list, ",\n") + "]\n```"
		}})
	}
	return forms
}

// Calls in the form that was asked for are no failure: no note has a class, reading them loses nothing, whole and streamed, and they are trusted as native ones.
func TestAskedFormIsNoFault(t *testing.T) {
	known := caps.Caps{JSONSchema: caps.Yes, JSONObject: caps.Yes}
	for _, f := range askedForms() {
		for way, deliver := range deliveries {
			for _, finish := range []callwright.Finish{callwright.FinishStop, ""} {
				var text string
				m := &scripted{name: f.model, caps: known}
				text = f.answer(nil)
				m.answers = []any{[]callwright.Event{callwright.Begin{}, callwright.TextDelta{Text: text}, callwright.End{Finish: finish}}}
				req := ask(callwright.Choice{})
				req.Tools = append(req.Tools, callwright.Tool{Name: "read_file", Schema: []byte(`{"type":"object","properties":{"path":{"type":"string"}},"required":["path"]}`)})
				opts := append([]reliable.Option{reliable.WithModes(f.mode), reliable.WithOneMode()}, f.opts...)
				resp, err := deliver(reliable.New(m, opts...), req)
				if err != nil || len(resp.Calls()) == 0 || len(m.asked) != 1 {
					t.Errorf("%s, %s, finish %q: %v after %d requests: %s", f.name, way, finish, err, len(m.asked), text)
					continue
				}
				for _, c := range resp.Calls() {
					if jsonx.Valid(c.Arguments) != nil {
						t.Errorf("%s, %s: %s", f.name, way, c.Arguments)
					}
				}
				for _, n := range resp.Report.Notes {
					if n.Stage != callwright.StageOutbound && n.Stage != callwright.StagePlan && (n.Fault != "" || n.Risk != "" && n.Risk != callwright.RiskLossless) {
						t.Errorf("%s, %s, finish %q: %+v", f.name, way, finish, n)
					}
				}
				if resp.Confidence != 1 {
					t.Errorf("%s, %s: confidence %v", f.name, way, resp.Confidence)
				}
			}
		}
	}
}
