package simulate

import (
	"encoding/json"
	"strconv"
	"strings"
)

// A callFormat is a format for calls as text: the text around all calls, around each call, and the body of each call.
type callFormat struct {
	before      string // prose before the calls, if the turn has no text
	open, close string // before and after all calls
	start, end  string // before and after each call
	sep         string // between two calls
	after       string // prose after the calls
	name, args  string // keys of the name and the arguments in JSON bodies
	body        func(f callFormat, i int, c call) string
	mend        func(string) string // final change to the whole text, nil for none
}

// write returns the text of a turn followed by its calls in this format.
func (f callFormat) write(text string, calls []call) string {
	var b strings.Builder
	for i, c := range calls {
		if i > 0 {
			b.WriteString(f.sep)
		}
		b.WriteString(f.start + f.body(f, i, c) + f.end)
	}
	if text == "" {
		text = f.before
	}
	if text != "" {
		text += "\n\n"
	}
	out := text + f.open + b.String() + f.close + f.after
	if f.mend != nil {
		out = f.mend(out)
	}
	return out
}

// with returns a copy of the call format with a change.
func (f callFormat) with(change func(*callFormat)) callFormat {
	change(&f)
	return f
}

// Bodies of the formats: each function writes one call. i is the index of the call.

func jsonBody(f callFormat, _ int, c call) string {
	return `{"` + f.name + `": ` + quote(c.name) + `, "` + f.args + `": ` + c.args + `}`
}

func namedBody(_ callFormat, _ int, c call) string { return c.name + "\n" + c.args }

func invokeBody(_ callFormat, _ int, c call) string {
	return `<invoke name="` + c.name + "\">\n" + parameters(c, `<parameter name="`, `">`, "</parameter>\n") + "</invoke>"
}

func barredBody(_ callFormat, _ int, c call) string {
	return `<｜DSML｜invoke name="` + c.name + "\">\n" +
		parameters(c, `<｜DSML｜parameter name="`, `" string="true">`, "</｜DSML｜parameter>\n") + "</｜DSML｜invoke>"
}

func functionBody(_ callFormat, _ int, c call) string {
	return "<function=" + c.name + ">\n" + parameters(c, "<parameter=", ">\n", "\n</parameter>\n") + "</function>"
}

func llamaBody(_ callFormat, _ int, c call) string {
	return "<function=" + c.name + c.args + "</function>"
}

func kimiBody(_ callFormat, i int, c call) string {
	return "functions." + c.name + ":" + strconv.Itoa(i) + "<|tool_call_argument_begin|>" + c.args
}

func namedTagBody(_ callFormat, _ int, c call) string {
	return `<tool name="` + c.name + `">` + c.args + `</tool>`
}

func xaiBody(_ callFormat, _ int, c call) string {
	return `<xai:function_call name="` + c.name + "\">\n" + parameters(c, `<parameter name="`, `">`, "</parameter>\n") + "</xai:function_call>"
}

func glmBody(_ callFormat, _ int, c call) string {
	var b strings.Builder
	b.WriteString(c.name + "\n")
	for _, m := range membersOf(c.args) {
		b.WriteString("<arg_key>" + m.key + "</arg_key>\n<arg_value>" + plain(m.value) + "</arg_value>\n")
	}
	return b.String()
}

func harmonyBody(_ callFormat, _ int, c call) string {
	return "<|channel|>commentary to=functions." + c.name + " <|constrain|>json<|message|>" + c.args + "<|call|>"
}

func strippedHarmonyBody(_ callFormat, _ int, c call) string {
	return "commentary to=functions." + c.name + " json" + c.args
}

func pythonBody(_ callFormat, _ int, c call) string {
	var args []string
	for _, m := range membersOf(c.args) {
		args = append(args, m.key+"="+pythonLiteral(m.value))
	}
	return c.name + "(" + strings.Join(args, ", ") + ")"
}

// attributeBody writes a call as an XML element with its name and the arguments as attributes: <f a="1" />.
func attributeBody(_ callFormat, _ int, c call) string {
	var b strings.Builder
	b.WriteString("<" + c.name)
	for _, m := range membersOf(c.args) {
		b.WriteString(" " + m.key + `="` + strings.ReplaceAll(plain(m.value), `"`, "&quot;") + `"`)
	}
	return b.String() + " />"
}

func kimi3Body(_ callFormat, i int, c call) string {
	var b strings.Builder
	b.WriteString(`<|open|>toolscall tool="` + c.name + `" index="` + strconv.Itoa(i) + "\"<|sep|>\n")
	for _, m := range membersOf(c.args) {
		b.WriteString(`<|open|>argument key="` + m.key + `" type="` + kindOf(m.value) + `"<|sep|>` + plain(m.value) +
			"<|close|>argument<|sep|>\n")
	}
	return b.String() + "<|close|>call<|sep|>"
}

// minimaxMark precedes every tag in calls of MiniMax M3.
const minimaxMark = "]<]minimax[>["

func minimax3Body(_ callFormat, _ int, c call) string {
	var b strings.Builder
	b.WriteString(minimaxMark + `<invoke name="` + c.name + `">`)
	for _, m := range membersOf(c.args) {
		b.WriteString(minimaxMark + "<" + m.key + ">" + plain(m.value) + minimaxMark + "</" + m.key + ">")
	}
	return b.String() + minimaxMark + "</invoke>"
}

// parameters writes each argument as open + key + mid + value + end.
func parameters(c call, open, mid, end string) string {
	var b strings.Builder
	for _, m := range membersOf(c.args) {
		b.WriteString(open + m.key + mid + plain(m.value) + end)
	}
	return b.String()
}

// plain returns the content of a JSON string, or any other JSON value unchanged.
func plain(value string) string {
	var s string
	if json.Unmarshal([]byte(value), &s) == nil {
		return s
	}
	return value
}

// membersOf returns the members of a JSON object in order, with their raw values. It returns nil for other values.
func membersOf(object string) []member {
	d := json.NewDecoder(strings.NewReader(object))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return nil
	}
	var out []member
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return nil
		}
		var value json.RawMessage
		if d.Decode(&value) != nil {
			return nil
		}
		out = append(out, member{key.(string), string(value)})
	}
	return out
}

// joinMembers writes a JSON object with a space after each colon and comma, as models do.
func joinMembers(members []member) string {
	var parts []string
	for _, m := range members {
		parts = append(parts, quote(m.key)+": "+m.value)
	}
	return "{" + strings.Join(parts, ", ") + "}"
}

// pythonLiteral returns a JSON value as a Python literal. It is only made for sample values: it also replaces the words
// true, false and null in strings of a list.
func pythonLiteral(value string) string {
	if strings.HasPrefix(value, `"`) {
		return value
	}
	return strings.NewReplacer("true", "True", "false", "False", "null", "None").Replace(value)
}

// The formats from which the rows of the fault table are derived.
var (
	bareForm   = callFormat{sep: "\n", name: "name", args: "arguments", body: jsonBody}
	hermesForm = callFormat{sep: "\n", start: "<tool_call>\n", end: "\n</tool_call>", name: "name", args: "arguments", body: jsonBody}
	invokeForm = callFormat{open: "<function_calls>\n", close: "\n</function_calls>", sep: "\n", name: "name",
		args: "parameters", body: invokeBody}
	kimiForm = callFormat{open: "<|tool_calls_section_begin|>", close: "<|tool_calls_section_end|>",
		start: "<|tool_call_begin|>", end: "<|tool_call_end|>", body: kimiBody}
	xaiForm = callFormat{sep: "\n", start: "<x.ai:tool_call>\n", end: "\n</x.ai:tool_call>", name: "name",
		args: "arguments", body: jsonBody}
	toolForm     = callFormat{sep: "\n", start: "<tool>", end: "</tool>", name: "name", args: "arguments", body: jsonBody}
	qwenForm     = callFormat{sep: "\n", start: "<tool_call>\n", end: "\n</tool_call>", body: functionBody}
	glmForm      = callFormat{sep: "\n", start: "<tool_call>", end: "</tool_call>", body: glmBody}
	barredForm   = callFormat{open: "<｜DSML｜function_calls>\n", close: "\n</｜DSML｜function_calls>", sep: "\n", body: barredBody}
	minimaxForm  = callFormat{open: "<minimax:tool_call>\n", close: "\n</minimax:tool_call>", sep: "\n", body: invokeBody}
	harmonyForm  = callFormat{body: harmonyBody}
	pythonForm   = callFormat{open: "[", close: "]", sep: ", ", body: pythonBody}
	envelopeForm = callFormat{open: `{"toolCalls": [`, close: `], "content": "Looking it up.", "needsMoreWork": true}`,
		sep: ", ", name: "name", args: "arguments", body: jsonBody}
	documentForm  = callFormat{open: `{"toolCalls": [`, close: `]}`, sep: ", ", name: "name", args: "arguments", body: jsonBody}
	attributeForm = callFormat{open: "<tool_calls>", close: "</tool_calls>", body: attributeBody}
	kimi3Form     = callFormat{body: kimi3Body}
	minimax3Form  = callFormat{open: minimaxMark + "<tool_call>\n", close: "\n" + minimaxMark + "</tool_call>", sep: "\n", body: minimax3Body}
	logForm       = callFormat{sep: "\n", start: "[Calling tool: ", end: "]",
		body: func(_ callFormat, _ int, c call) string { return c.name + "(" + c.args + ")" }}
	imitationForm = callFormat{open: "[TOOL_CALLS] [", close: "]", sep: ", ", name: "name", args: "arguments", body: jsonBody}
)
