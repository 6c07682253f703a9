package responses_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/companion"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/wire/openai"
	"github.com/callwright/callwright/internal/wire/responses"
	"github.com/callwright/callwright/internal/wire/wiretest"
	"github.com/google/go-cmp/cmp"
)

const spaced = `{"model":"tern","input":"x","tools":[{"type":"function","name":"look","parameters":{}},` +
	`{"type":"namespace","name":"mail","tools":[{"type":"function","name":"send","parameters":{"type":"object"}},{"type":"custom","name":"raw"}]},` +
	`{"type":"local_shell"},{"type":"custom","name":"patch"}]}`

// answers are calls by their names in the vocabulary and the items that the client gets for them, without ids.
var answers = []struct {
	call callwright.Call
	want string
}{
	{callwright.Call{ID: "a", Name: "look", Arguments: json.RawMessage(`{"n":1}`)},
		`{"type":"function_call","status":"completed","call_id":"a","name":"look","arguments":"{\"n\":1}"}`},
	{callwright.Call{ID: "b", Name: "mail__send", Arguments: json.RawMessage(`{}`)},
		`{"type":"function_call","status":"completed","call_id":"b","name":"send","namespace":"mail","arguments":"{}"}`},
	{callwright.Call{ID: "c", Name: "mail__raw", Type: callwright.CustomTool, Input: "x\ny"},
		`{"type":"custom_tool_call","status":"completed","call_id":"c","name":"raw","namespace":"mail","input":"x\ny"}`},
	{callwright.Call{ID: "d", Name: "local_shell", Arguments: json.RawMessage(`{"type":"exec","command":["ls"],"env":{}}`)},
		`{"type":"local_shell_call","status":"completed","call_id":"d","action":{"type":"exec","command":["ls"],"env":{}}}`},
	{callwright.Call{ID: "e", Name: "patch", Type: callwright.CustomTool, Input: "p"},
		`{"type":"custom_tool_call","status":"completed","call_id":"e","name":"patch","input":"p"}`},
}

// TestCallsGoBackAsTheClientKnowsThem writes calls of another wire for a client of this one.
func TestCallsGoBackAsTheClientKnowsThem(t *testing.T) {
	var parts []callwright.Part
	events := []callwright.Event{callwright.Begin{ID: "chat-1", Model: "m"}}
	var want []string
	for i, a := range answers {
		parts = append(parts, a.call)
		text := string(a.call.Arguments) + a.call.Input
		events = append(events, callwright.CallBegin{Index: i, ID: a.call.ID, Name: a.call.Name, Type: a.call.Type}, callwright.CallDelta{Index: i, Text: text}, callwright.CallEnd{Index: i})
		want = append(want, a.want)
	}
	whole, _, err := responses.Codec{}.EncodeResponse(decode(t, spaced), &callwright.Response{Parts: parts, Finish: callwright.FinishCalls})
	if err != nil {
		t.Fatal(err)
	}
	e := responses.Codec{}.NewStreamEncoder(decode(t, spaced))
	stream := e.Encode(nil, callwright.Batch{Events: append(events, callwright.End{Finish: callwright.FinishCalls}), More: true})
	last := stream[bytes.LastIndex(stream, []byte("data: "))+len("data: "):]
	streamed, _ := jsonx.Find(last, "response")
	var ended []string
	for line := range strings.Lines(string(stream)) {
		if data, ok := strings.CutPrefix(line, "data: "); ok && strings.Contains(data, `"response.output_item.done"`) {
			item, _ := jsonx.Find([]byte(data), "item")
			ended = append(ended, withoutID(t, item))
		}
	}
	for name, got := range map[string][]string{"whole": itemsOf(t, whole), "streamed": itemsOf(t, streamed), "ended": ended} {
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: unexpected items (-want +got):\n%s", name, diff)
		}
	}
}

// itemsOf are the output items, without their ids.
func itemsOf(t *testing.T, response []byte) []string {
	t.Helper()
	output, _ := jsonx.Find(response, "output")
	var out []string
	for item := range jsonx.Elements(output) {
		out = append(out, withoutID(t, item))
	}
	return out
}

func withoutID(t *testing.T, item []byte) string {
	t.Helper()
	list, err := jsonx.ParseObject(item)
	if err != nil || !list.Delete("id") {
		t.Errorf("expected an item with an id, got %s", item)
	}
	return string(list.Append(nil))
}

// TestNamesOthersTake takes tools to another wire.
func TestNamesOthersTake(t *testing.T) {
	long := strings.Repeat("n", 60)
	req := decode(t, `{"model":"m","input":[{"role":"user","content":"x"},{"type":"function_call","call_id":"c","namespace":"a.b","name":"f","arguments":"{}"},{"type":"function_call_output","call_id":"c","output":"1"}],`+
		`"tools":[{"type":"namespace","name":"mcp__git__","tools":[{"type":"function","name":"log"}]},{"type":"namespace","name":"a.b","tools":[{"type":"function","name":"f"}]},`+
		`{"type":"namespace","name":"`+long+`","tools":[{"type":"function","name":"one"},{"type":"function","name":"two"}]}]}`)
	tools, err := req.DeclaredTools()
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, tool := range tools {
		if len(tool.Name) > 64 || strings.Trim(tool.Name, "abcdefghijklmnopqrstuvwxyz0123456789_") != "" || seen[tool.Name] {
			t.Errorf("expected a name of its own that all wires take, got %q", tool.Name)
		}
		seen[tool.Name] = true
	}
	if tools[0].Name != "mcp__git__log" {
		t.Errorf("expected mcp__git__log, got %q", tools[0].Name)
	}
	out, _, err := openai.Codec{}.EncodeRequest(req, "m", caps.Caps{})
	if err != nil || bytes.Count(out, []byte(tools[1].Name)) != 2 {
		t.Errorf("expected %q in the tools and the history, got %s (%v)", tools[1].Name, out, err)
	}
}

// TestNamesThatCollide sends tools that come to one name as plain functions, and tells their calls apart.
func TestNamesThatCollide(t *testing.T) {
	body := `{"model":"tern","input":[{"role":"user","content":"x"},{"type":"function_call","call_id":"c1","namespace":"a","name":"f","arguments":"{}"},{"type":"function_call","call_id":"c2","name":"a__f","arguments":"{}"},` +
		`{"type":"function_call_output","call_id":"c1","output":"1"},{"type":"function_call_output","call_id":"c2","output":"2"}],` +
		`"tools":[{"type":"namespace","name":"a","tools":[{"type":"function","name":"f","strict":false}]},{"type":"function","name":"a__f","strict":false}],"tool_choice":{"type":"function","name":"f","namespace":"a"}}`
	req := decode(t, body)
	tools, err := req.DeclaredTools()
	if err != nil || tools[0].Name == tools[1].Name || tools[1].Name != "a__f" {
		t.Fatalf("expected two names, got %v (%v)", tools, err)
	}
	out, rules := encode(t, req, caps.Caps{})
	if strings.Contains(out, "namespace") || !strings.Contains(out, `"call_id":"c1","name":"`+tools[0].Name+`"`) || !strings.Contains(out, `"call_id":"c2","name":"a__f"`) {
		t.Errorf("expected plain functions, got %s", out)
	}
	if diff := cmp.Diff([]string{"tools.flattened"}, rules); diff != "" {
		t.Errorf("unexpected notes (-want +got):\n%s", diff)
	}
	whole, _, err := responses.Codec{}.EncodeResponse(req, &callwright.Response{Parts: []callwright.Part{callwright.Call{ID: "c3", Name: tools[0].Name}, callwright.Call{ID: "c4", Name: "a__f"}}})
	if err != nil || !bytes.Contains(whole, []byte(`"call_id":"c3","name":"f","namespace":"a"`)) || !bytes.Contains(whole, []byte(`"call_id":"c4","name":"a__f","arguments"`)) {
		t.Errorf("expected the client's names, got %s (%v)", whole, err)
	}
}

// TestFullEvents holds a written stream to what clients insist on: numbers in a row, parts in order, ids that match.
func TestFullEvents(t *testing.T) {
	out := wiretest.Encode(responses.Codec{}, []callwright.Event{callwright.Begin{ID: "x", Model: "m"}, callwright.ReasoningDelta{Text: "Hm."}, callwright.TextDelta{Text: "a"}, callwright.TextDelta{Text: "b"},
		callwright.CallBegin{ID: "c", Name: "f"}, callwright.CallDelta{Text: "{}"}, callwright.CallEnd{}, callwright.End{Finish: callwright.FinishCalls}})
	want := strings.Fields(`created in_progress output_item.added reasoning_summary_part.added reasoning_summary_text.delta reasoning_summary_text.done reasoning_summary_part.done output_item.done
		output_item.added content_part.added output_text.delta output_text.delta output_text.done content_part.done output_item.done
		output_item.added function_call_arguments.delta function_call_arguments.done output_item.done completed`)
	var got []string
	open := ""
	for line := range strings.Lines(string(out)) {
		data, ok := strings.CutPrefix(line, "data: ")
		if !ok {
			continue
		}
		var ev struct {
			Type   string
			Number int                 `json:"sequence_number"`
			Item   string              `json:"item_id"`
			Whole  struct{ ID string } `json:"item"`
		}
		if err := json.Unmarshal([]byte(data), &ev); err != nil {
			t.Fatal(err)
		}
		if ev.Number != len(got) {
			t.Errorf("expected event %d, got %d", len(got), ev.Number)
		}
		if ev.Type == "response.output_item.added" {
			open = ev.Whole.ID
		}
		if ev.Item != "" && ev.Item != open || ev.Whole.ID != "" && ev.Whole.ID != open {
			t.Errorf("expected the id %s in %s", open, data)
		}
		got = append(got, strings.TrimPrefix(ev.Type, "response."))
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("unexpected events (-want +got):\n%s", diff)
	}
}

// TestToolsFoundOnTheWay declares tools that stand inside items to other wires, and not again to this one.
func TestToolsFoundOnTheWay(t *testing.T) {
	const body = `{"model":"tern","input":[{"role":"user","content":"x"},{"type":"tool_search_call","call_id":"s","execution":"client","arguments":{"query":"mail"}},` +
		`{"type":"tool_search_output","call_id":"s","execution":"client","tools":[{"type":"namespace","name":"mail","tools":[{"type":"function","name":"send","parameters":{"type":"object"}}]},{"type":"function","name":"look"}]},` +
		`{"type":"function_call","call_id":"c","namespace":"mail","name":"send","arguments":"{}"},{"type":"function_call_output","call_id":"c","output":"ok"}],` +
		`"tools":[{"type":"function","name":"look","strict":false},{"type":"tool_search","execution":"client","description":"Finds tools.","parameters":{"type":"object"}}]}`
	names := func(req *callwright.Request) (out []string) {
		tools, err := req.DeclaredTools()
		if err != nil {
			t.Fatal(err)
		}
		for _, tool := range tools {
			out = append(out, tool.Name)
		}
		return out
	}
	req := decode(t, body)
	if diff := cmp.Diff([]string{"look", "tool_search", "mail__send"}, names(req)); diff != "" {
		t.Errorf("unexpected tools (-want +got):\n%s", diff)
	}
	other, _, err := openai.Codec{}.EncodeRequest(req, "m", caps.Caps{})
	if list, _ := jsonx.Find(other, "tools"); err != nil || !bytes.Contains(list, []byte(`"name":"mail__send"`)) {
		t.Errorf("expected the tool that was found among the tools, got %s (%v)", other, err)
	}
	req.Messages, _ = req.History()
	req.Tools, _ = req.DeclaredTools()
	if again, _ := encode(t, req, caps.Caps{}); strings.Count(again, `"mail"`) != strings.Count(body, `"mail"`) {
		t.Errorf("expected the tool only where it stood, got %s", again)
	}
	whole, _, err := responses.Codec{}.EncodeResponse(req, &callwright.Response{Parts: []callwright.Part{callwright.Call{ID: "d", Name: "mail__send"}}})
	if err != nil || !bytes.Contains(whole, []byte(`"name":"send","namespace":"mail"`)) {
		t.Errorf("expected the client's name, got %s (%v)", whole, err)
	}
	changed := decode(t, strings.Replace(body, `"name":"send"`, `"name":"post"`, 1))
	tools, ok := companion.Of(req).Body.(interface{ ToolBytes() []byte })
	others, _ := companion.Of(changed).Body.(interface{ ToolBytes() []byte })
	if !ok || bytes.Equal(tools.ToolBytes(), others.ToolBytes()) {
		t.Errorf("expected other bytes for other tools, got %s", tools.ToolBytes())
	}
}
