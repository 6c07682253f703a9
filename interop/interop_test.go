package interop_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/interop"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// A document is a tool, a call or a result in one format.
type document struct {
	format interop.Form
	kind   string
	text   string
}

const args = `{"path":"/tmp/a","n":9223372036854775807,"x":0.1000,"deep":{"b":[1,{"c":null}],"a":""}}`

func quoted(s string) string { return string(jsonx.AppendQuote(nil, s)) }

var documents = []document{
	{interop.OpenAI, "call", `{"id":"call_1","type":"function","function":{"name":"f","arguments":` + quoted(" "+args) + `}}`},
	{interop.OpenAI, "call", `{"id":"call_1","type":"function","function":{"name":"f","arguments":"{\"a\":"},"extra_content":{"google":{"thought_signature":"c2ln"}}}`},
	{interop.OpenAI, "call", `{"index":0,"id":"","type":"function","function":{"name":"f","arguments":""}}`},
	{interop.OpenAI, "call", `{"id":"call_1","type":"custom","custom":{"name":"patch","input":"*** Begin"}}`},
	{interop.OpenAI, "tool", `{"type":"function","function":{"name":"f","description":"","parameters":` + args + `,"strict":false}}`},
	{interop.OpenAI, "tool", `{"type":"function","function":{"name":"f"}}`},
	{interop.OpenAI, "tool", `{"type":"custom","custom":{"name":"patch","description":"d","format":{"type":"grammar","grammar":{"syntax":"lark","definition":"s: x"}}}}`},
	{interop.OpenAI, "tool", `{"type":"web_search","user_location":{"type":"approximate"}}`},
	{interop.OpenAI, "result", `{"role":"tool","tool_call_id":"call_1","content":"ok"}`},
	{interop.OpenAI, "result", `{"role":"tool","tool_call_id":"call_1","name":"f","content":[{"type":"text","text":"ok"}]}`},
	{interop.OpenAI, "result", `{"role":"tool","tool_call_id":"call_1","content":[]}`},
	{interop.OpenAI, "result", `{"role":"tool","tool_call_id":"call_1","content":null}`},
	{interop.Responses, "call", `{"type":"function_call","id":"fc_1","call_id":"call_1","name":"f","arguments":` + quoted(args) + `,"namespace":"ns","status":"completed"}`},
	{interop.Responses, "call", `{"type":"custom_tool_call","call_id":"call_1","name":"patch","input":""}`},
	{interop.Responses, "tool", `{"type":"function","name":"f","description":"d","parameters":null,"strict":true,"defer_loading":true}`},
	{interop.Responses, "tool", `{"type":"namespace","name":"ns","tools":[{"type":"function","name":"f"}]}`},
	{interop.Responses, "result", `{"type":"function_call_output","call_id":"call_1","output":"ok"}`},
	{interop.Responses, "result", `{"type":"custom_tool_call_output","call_id":"call_1","output":"ok"}`},
	{interop.Responses, "result", `{"type":"function_call_output","call_id":"c","output":[{"type":"input_text","text":"a"},{"type":"input_image","image_url":"data:image/png;base64,AAAA","detail":"low"},{"type":"input_image","image_url":"https://x/y"},{"type":"input_file","file_id":"f"}]}`},
	{interop.Anthropic, "call", `{"type":"tool_use","id":"toolu_1","name":"f","input":` + args + `}`},
	{interop.Anthropic, "tool", `{"name":"f","type":"custom","description":"d","input_schema":{"type":"object"},"strict":true,"cache_control":{"type":"ephemeral"}}`},
	{interop.Anthropic, "tool", `{"type":"bash_20250124","name":"bash"}`},
	{interop.Anthropic, "result", `{"type":"tool_result","tool_use_id":"toolu_1","content":"no","is_error":true}`},
	{interop.Anthropic, "result", `{"type":"tool_result","tool_use_id":"toolu_1","content":[{"type":"text","text":"a","cache_control":{"type":"ephemeral"}},{"type":"image","source":{"type":"base64","media_type":"image/png","data":"AAAA"}},{"type":"image","source":{"type":"url","url":"https://x/y"}},{"type":"document","source":{"type":"text"}}],"is_error":false}`},
	{interop.Gemini, "call", `{"functionCall":{"id":"ab12","name":"f","args":` + args + `},"thoughtSignature":"c2ln"}`},
	{interop.Gemini, "tool", `{"name":"f","description":"d","parameters":{"type":"OBJECT"},"response":{"type":"STRING"}}`},
	{interop.Gemini, "tool", `{"name":"f","parametersJsonSchema":{"type":"object"}}`},
	{interop.Gemini, "result", `{"functionResponse":{"name":"f","response":{"output":"{\"a\":1}"}}}`},
	{interop.Gemini, "result", `{"functionResponse":{"id":"ab12","name":"f","response":{"error":"no"}}}`},
	{interop.Gemini, "result", `{"functionResponse":{"id":"ab12","name":"f","response":{"temp":4.50,"output":"x"},"parts":[{"inlineData":{"mimeType":"image/png","data":"AA"}}]}}`},
	{interop.Ollama, "call", `{"id":"call_1","function":{"index":0,"name":"f","arguments":` + args + `}}`},
	{interop.Ollama, "call", `{"function":{"name":"f","arguments":{}}}`},
	{interop.Ollama, "tool", `{"type":"function","function":{"name":"f","description":"d","parameters":{"type":"object"}}}`},
	{interop.Ollama, "result", `{"role":"tool","tool_name":"f","content":"ok"}`},
	{interop.MCP, "call", `{"name":"f","arguments":` + args + `,"_meta":{"progressToken":7}}`},
	{interop.MCP, "call", `{"name":"f"}`},
	{interop.MCP, "tool", `{"name":"f","title":"F","description":"d","inputSchema":{"type":"object"},"outputSchema":{"type":"object"},"annotations":{"readOnlyHint":true}}`},
	{interop.MCP, "result", `{"content":[{"type":"text","text":"a","annotations":{"priority":1}},{"type":"image","data":"AAAA","mimeType":"image/png"},{"type":"audio","data":"AAAA","mimeType":"audio/wav"},{"type":"resource_link","uri":"file:///a","name":"a"}],"structuredContent":{"n":1.0},"isError":false}`},
	{interop.MCP, "result", `{"content":[],"isError":true}`},
	{interop.Generic, "call", `{"tool_call_id":"1","tool_name":"f","parameters":` + args + `}`},
	{interop.Generic, "tool", `{"tool_name":"f","description":"d","parameters":{"type":"object"}}`},
	{interop.Generic, "result", `{"tool_call_id":"1","tool_name":"f","content":"no","is_error":true}`},
}

// again reads a document and writes it in the same format.
func again(f interop.Form, kind, text string) (out []byte, notes []callwright.Note, err error) {
	switch kind {
	case "call":
		c, err := f.ReadCall([]byte(text))
		if err != nil {
			return nil, nil, err
		}
		return f.WriteCall(c)
	case "tool":
		t, err := f.ReadTool([]byte(text))
		if err != nil {
			return nil, nil, err
		}
		return f.WriteTool(t)
	}
	r, err := f.ReadResult([]byte(text))
	if err != nil {
		return nil, nil, err
	}
	return f.WriteResult(r)
}

// whole reports whether every member of was stands in now with the same value; further ones are those that the format requires.
func whole(was, now []byte) bool {
	if jsonx.Equal(was, now) {
		return true
	}
	if jsonx.KindOf(was) != jsonx.Object || jsonx.KindOf(now) != jsonx.Object {
		return false
	}
	for k, v := range jsonx.Members(was) {
		if w, ok := jsonx.Find(now, k.String()); !ok || !whole(v, w) {
			return false
		}
	}
	return true
}

func TestDocumentsKeepEveryMember(t *testing.T) {
	for _, d := range documents {
		t.Run(d.format.Name+"/"+d.kind, func(t *testing.T) {
			out, notes, err := again(d.format, d.kind, d.text)
			if err != nil {
				t.Fatalf("%s: %v", d.text, err)
			}
			if !whole([]byte(d.text), out) || len(notes) > 0 {
				t.Errorf("\n%s became\n%s\nnotes %v", d.text, out, notes)
			}
			if strings.Contains(d.text, "1.0") != strings.Contains(string(out), "1.0") || strings.Contains(d.text, "0.1000") != strings.Contains(string(out), "0.1000") {
				t.Errorf("the digits of\n%s changed:\n%s", d.text, out)
			}
		})
	}
}

// sprinkle adds unknown members to objects of a document.
func sprinkle(t *rapid.T, v []byte) []byte {
	switch jsonx.KindOf(v) {
	case jsonx.Object:
		l, err := jsonx.ParseObject(v)
		if err != nil {
			t.Fatal(err)
		}
		for i := range l {
			l[i].Value = sprinkle(t, l[i].Value)
		}
		if rapid.IntRange(0, 3).Draw(t, "add") == 0 {
			value := rapid.SampledFrom([]string{`1e400`, `null`, `{"a":[]}`, `"ü\u0000"`, `[{}]`, `-0.0`}).Draw(t, "value")
			l = slices.Insert(l, rapid.IntRange(0, len(l)).Draw(t, "at"), jsonx.Member{Key: "x_" + rapid.StringMatching(`[a-zß.]{0,3}`).Draw(t, "key"), Value: []byte(value)})
		}
		return l.Append(nil)
	case jsonx.Array:
		out := []byte{'['}
		for e := range jsonx.Elements(v) {
			if len(out) > 1 {
				out = append(out, ',')
			}
			out = append(out, sprinkle(t, e)...)
		}
		return append(out, ']')
	}
	return v
}

// Format -> vocabulary -> format keeps members that nobody knows, wherever they stand.
func TestUnknownMembersStay(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := rapid.SampledFrom(documents).Draw(t, "document")
		text := sprinkle(t, []byte(d.text))
		out, notes, err := again(d.format, d.kind, string(text))
		if err != nil || !whole(text, out) || len(notes) > 0 {
			t.Fatalf("%s %s\n%s became\n%s\n%v %v", d.format.Name, d.kind, text, out, notes, err)
		}
	})
}

// lost reports whether a note says that a member was left out.
func lost(notes []callwright.Note, path string) bool {
	return slices.ContainsFunc(notes, func(n callwright.Note) bool {
		return n.Rule == "format.left_out" && n.Path == path && n.Risk == callwright.RiskImplied && n.Why != ""
	})
}

// agree checks one member of what was written and read back: it is the same, or a note says that it was left out and it is empty.
func agree(t *rapid.T, f interop.Form, notes []callwright.Note, path, was, now string) {
	if lost(notes, path) {
		was = ""
	}
	if was != now {
		t.Fatalf("%s: %s was %q and is %q; notes %v", f.Name, path, was, now, notes)
	}
}

var word = rapid.StringMatching(`[a-z_"é\n]{0,6}`)

// Vocabulary -> format -> vocabulary keeps what the format has a place for; a note or an error says what it has not.
func TestCallsThroughFormats(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := rapid.SampledFrom(interop.All()).Draw(t, "format")
		c := callwright.Call{ID: word.Draw(t, "id"), Name: "f" + word.Draw(t, "name"), Signature: word.Draw(t, "signature")}
		if rapid.Bool().Draw(t, "custom") {
			c.Type, c.Input = callwright.CustomTool, word.Draw(t, "input")
		} else {
			c.Arguments = json.RawMessage(rapid.SampledFrom([]string{args, `{}`, `{"a":1.0}`, `{"a":`}).Draw(t, "arguments"))
		}
		c.Origin.Wire = rapid.SampledFrom([]callwright.WireName{f.Wire, "elsewhere"}).Draw(t, "wire")
		out, notes, err := f.WriteCall(c)
		if err != nil {
			k := callwright.KindOf(err)
			if k != callwright.KindUnsupported && c.Type == callwright.CustomTool || k != callwright.KindInvalid && c.Type == callwright.FunctionTool || jsonx.Valid(c.Arguments) == nil {
				t.Fatalf("%s: %v for %v", f.Name, err, c)
			}
			return
		}
		got, err := f.ReadCall(out)
		if err != nil {
			t.Fatalf("%s: %s: %v", f.Name, out, err)
		}
		agree(t, f, notes, "/id", c.ID, got.ID)
		agree(t, f, notes, "/signature", c.Signature, got.Signature)
		agree(t, f, nil, "", c.Name+string(c.Type)+c.Input+string(c.Arguments), got.Name+string(got.Type)+got.Input+string(got.Arguments))
		if c.Signature != "" && c.Origin.Wire != f.Wire && got.Signature != "" {
			t.Fatalf("%s: a signature of another origin was written: %s", f.Name, out)
		}
	})
}

func TestToolsThroughFormats(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := rapid.SampledFrom(interop.All()).Draw(t, "format")
		tool := callwright.Tool{Name: "f" + word.Draw(t, "name"), Description: word.Draw(t, "description")}
		tool.Type = rapid.SampledFrom([]callwright.ToolType{callwright.FunctionTool, callwright.CustomTool, callwright.HostedTool}).Draw(t, "type")
		if tool.Type == callwright.FunctionTool {
			tool.Schema = json.RawMessage(`{"type":"object","properties":{"b":{"maximum":1.50},"a":{}}}`)
			strict := rapid.Bool().Draw(t, "strict")
			tool.Strict = rapid.SampledFrom([]*bool{nil, &strict}).Draw(t, "given")
		}
		out, notes, err := f.WriteTool(tool)
		if err != nil {
			if callwright.KindOf(err) != callwright.KindUnsupported || tool.Type == callwright.FunctionTool {
				t.Fatalf("%s: %v for %v", f.Name, err, tool)
			}
			return
		}
		got, err := f.ReadTool(out)
		if err != nil {
			t.Fatalf("%s: %s: %v", f.Name, out, err)
		}
		strict := func(t callwright.Tool) string {
			if t.Strict == nil {
				return ""
			}
			return fmt.Sprint(*t.Strict)
		}
		agree(t, f, notes, "/strict", strict(tool), strict(got))
		agree(t, f, notes, "/description", tool.Description, got.Description)
		agree(t, f, nil, "", tool.Name+string(tool.Type)+string(tool.Schema), got.Name+string(got.Type)+string(got.Schema))
	})
}

func TestResultsThroughFormats(t *testing.T) {
	parts := rapid.Custom(func(t *rapid.T) callwright.Part {
		switch rapid.IntRange(0, 3).Draw(t, "part") {
		case 0:
			return callwright.Image{MediaType: "image/png", Data: "AAAA"}
		case 1:
			return callwright.File{MediaType: "audio/wav", Data: "AAAA"}
		default:
			return callwright.Text{Text: word.Draw(t, "text")}
		}
	})
	show := func(parts []callwright.Part) string {
		var b strings.Builder
		for _, p := range parts {
			switch p := p.(type) {
			case callwright.Image:
				fmt.Fprintf(&b, "[%s %s]", p.MediaType, p.Data)
			case callwright.File:
				fmt.Fprintf(&b, "[%s %s]", p.MediaType, p.Data)
			}
		}
		return b.String()
	}
	rapid.Check(t, func(t *rapid.T) {
		f := rapid.SampledFrom(interop.All()).Draw(t, "format")
		r := callwright.Result{CallID: word.Draw(t, "id"), Name: word.Draw(t, "name"), IsError: rapid.Bool().Draw(t, "failed"), Parts: rapid.SliceOfN(parts, 1, 4).Draw(t, "parts")}
		out, notes, err := f.WriteResult(r)
		if err != nil {
			t.Fatal(err)
		}
		got, err := f.ReadResult(out)
		if err != nil {
			t.Fatalf("%s: %s: %v", f.Name, out, err)
		}
		agree(t, f, notes, "/id", r.CallID, got.CallID)
		agree(t, f, notes, "/name", r.Name, got.Name)
		if lost(notes, "/is_error") == (r.IsError == got.IsError) && r.IsError {
			t.Fatalf("%s: failed %t became %t, notes %v", f.Name, r.IsError, got.IsError, notes)
		}
		agree(t, f, nil, "", r.Text(), got.Text())
		if was, now := show(r.Parts), show(got.Parts); was != now && !lost(notes, "/content") {
			t.Fatalf("%s: %s became %s, notes %v", f.Name, was, now, notes)
		}
	})
}

func TestAcrossFormats(t *testing.T) {
	for _, tc := range []struct {
		name     string
		from, to interop.Form
		kind     string
		text     string
		want     string
		left     []string
	}{
		{"text to object", interop.OpenAI, interop.Anthropic, "call", `{"id":"c","type":"function","function":{"name":"f","arguments":"{\"a\": 1.0}"}}`, `{"type":"tool_use","id":"c","name":"f","input":{"a": 1.0}}`, nil},
		{"an id that has no place", interop.Anthropic, interop.MCP, "call", `{"type":"tool_use","id":"c","name":"f","input":{}}`, `{"name":"f","arguments":{}}`, []string{"/id"}},
		{"a signature stays at home", interop.Gemini, interop.OpenAI, "call", `{"functionCall":{"name":"f","args":{}},"thoughtSignature":"s"}`, `{"type":"function","function":{"name":"f","arguments":"{}"}}`, []string{"/signature"}},
		{"a tool of MCP", interop.MCP, interop.Anthropic, "tool", `{"name":"f","title":"F","inputSchema":{"type":"object"}}`, `{"type":"custom","name":"f","input_schema":{"type":"object"}}`, []string{""}},
		{"a result of MCP", interop.MCP, interop.OpenAI, "result", `{"content":[{"type":"text","text":"a"},{"type":"image","data":"AA","mimeType":"image/png"}],"isError":true}`,
			`{"role":"tool","content":[{"type":"text","text":"a"}]}`, []string{"/is_error", "/content"}},
		{"one text of MCP", interop.MCP, interop.Responses, "result", `{"content":[{"type":"text","text":"a"}]}`, `{"type":"function_call_output","output":"a"}`, nil},
		{"a failure", interop.Anthropic, interop.Gemini, "result", `{"type":"tool_result","tool_use_id":"c","content":"no","is_error":true}`, `{"functionResponse":{"id":"c","response":{"error":"no"}}}`, nil},
		{"text members of another wire", interop.Anthropic, interop.Ollama, "result", `{"type":"tool_result","tool_use_id":"c","content":[{"type":"text","text":"a","cache_control":{}}]}`,
			`{"role":"tool","tool_call_id":"c","content":"a"}`, []string{""}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			var out []byte
			var notes []callwright.Note
			var err error
			switch tc.kind {
			case "call":
				var c callwright.Call
				if c, err = tc.from.ReadCall([]byte(tc.text)); err == nil {
					out, notes, err = tc.to.WriteCall(c)
				}
			case "tool":
				var tool callwright.Tool
				if tool, err = tc.from.ReadTool([]byte(tc.text)); err == nil {
					out, notes, err = tc.to.WriteTool(tool)
				}
			default:
				var r callwright.Result
				if r, err = tc.from.ReadResult([]byte(tc.text)); err == nil {
					out, notes, err = tc.to.WriteResult(r)
				}
			}
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(tc.want, string(out)); d != "" {
				t.Errorf("(-want +got)\n%s", d)
			}
			var left []string
			for _, n := range notes {
				left = append(left, n.Path)
			}
			if d := cmp.Diff(tc.left, left); d != "" {
				t.Errorf("left out (-want +got)\n%s", d)
			}
		})
	}
}

// The texts of one result stay apart in every format: as elements of their own, or with a newline between them.
func TestTextsOfAResult(t *testing.T) {
	for _, f := range interop.All() {
		for _, failed := range []bool{false, true} {
			out, _, err := f.WriteResult(callwright.Result{CallID: "c1", Name: "look", IsError: failed,
				Parts: []callwright.Part{callwright.Text{Text: "12"}, callwright.Text{Text: "34"}}})
			if err == nil && strings.Contains(string(out), "1234") {
				t.Errorf("%s: %s", f.Name, out)
			}
		}
	}
}

func TestRefused(t *testing.T) {
	for _, tc := range []struct {
		name, path string
		read       func() error
	}{
		{"no JSON", "", func() error { _, err := interop.OpenAI.ReadCall([]byte(`{`)); return err }},
		{"no object", "", func() error { _, err := interop.MCP.ReadTool([]byte(`[]`)); return err }},
		{"another type", "", func() error { _, err := interop.Anthropic.ReadCall([]byte(`{"type":"text","text":"x"}`)); return err }},
		{"no name", "/function/name", func() error { _, err := interop.Ollama.ReadCall([]byte(`{"function":{"arguments":{}}}`)); return err }},
		{"arguments that are no text", "/function/arguments", func() error {
			_, err := interop.OpenAI.ReadCall([]byte(`{"function":{"name":"f","arguments":{}}}`))
			return err
		}},
		{"a schema that is none", "/inputSchema", func() error { _, err := interop.MCP.ReadTool([]byte(`{"name":"f","inputSchema":7}`)); return err }},
		{"content that is none", "/content", func() error { _, err := interop.Ollama.ReadResult([]byte(`{"content":7}`)); return err }},
	} {
		t.Run(tc.name, func(t *testing.T) {
			err := tc.read()
			e, ok := err.(*callwright.Error)
			if !ok || e.Kind != callwright.KindInvalid || e.Path != tc.path {
				t.Errorf("got %v, want one of kind invalid at %q", err, tc.path)
			}
		})
	}
}

func FuzzRead(f *testing.F) {
	for _, d := range documents {
		f.Add([]byte(d.text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		for _, form := range interop.All() {
			for _, kind := range []string{"call", "tool", "result"} {
				out, _, err := again(form, kind, string(text))
				if err == nil && jsonx.Valid(out) != nil {
					t.Errorf("%s %s wrote what is no JSON: %s", form.Name, kind, out)
				}
			}
		}
	})
}

// A conversation of messages, calls and results is read and written back without a loss.
func TestHistory(t *testing.T) {
	const list = `[{"role":"user","content":"Weather?"},{"tool_call_id":"c1","tool_name":"get_weather","parameters":{"n":12345678901234567890}},{"tool_call_id":"c1","tool_name":"get_weather","content":"3"},{"role":"assistant","content":"3 degrees.","id":7}]`
	history, err := interop.Generic.ReadHistory([]byte(list))
	if err != nil {
		t.Fatal(err)
	}
	out, notes, err := interop.Generic.WriteHistory(history)
	if err != nil || string(out) != list || len(notes) > 0 {
		t.Errorf("got %s, %v, %v", out, notes, err)
	}
	for text, want := range map[string]string{
		`{}`:                              "",
		`[1]`:                             "/0",
		`[{"role":"user"}]`:               "/0/content",
		`[{"role":"king","content":"a"}]`: "/0/role",
		`[{"role":"user","content":"a"},{"tool_call_id":"c"}]`: "/1/tool_name",
	} {
		_, err := interop.Generic.ReadHistory([]byte(text))
		if e, ok := errors.AsType[*callwright.Error](err); !ok || e.Path != want {
			t.Errorf("%s: got %v, want an error at %q", text, err, want)
		}
	}
}
