package classes_test

import "strings"

// Calls that stand in the provider's answer as text.

// oslo are the arguments of most scenes, weather is their call.
const oslo = `{"city":"Oslo"}`

var weather = []call{{name: "get_weather", args: oslo}}

// A written call is an answer's text, the calls that it means, and the text that is left.
type written struct {
	class, name string
	said        string
	calls       []call
	rest        string
	named       string // as in want
}

// inText are scenes of written calls on every API.
func inText(all []written) (out []scene) {
	for _, w := range all {
		calls := w.calls
		if calls == nil {
			calls = weather
		}
		out = append(out, scene{class: w.class, name: w.name, at: apis, ask: question("get_weather", "read_file", "run_command", "write_file", "shell", "list_all"),
			replies: []reply{{answer: answer{text: w.said}}}, want: want{calls: calls, text: w.rest, named: w.named}})
	}
	return out
}

func reading(path string) call { return call{name: "read_file", args: text(m{"path": path})} }

func running(command string) call {
	return call{name: "run_command", args: text(m{"command": command})}
}

const (
	dsmlCall   = "<｜DSML｜tool_calls>\n<｜DSML｜invoke name=\"run_command\">\n<｜DSML｜parameter name=\"command\" string=\"true\">ls -la && pwd</｜DSML｜parameter>\n</｜DSML｜invoke>\n</｜DSML｜tool_calls>"
	invokeCall = "<invoke name=\"run_command\">\n<parameter name=\"command\">ls</parameter>\n</invoke>"
	m3         = "]<]minimax[>["
)

var (
	lsPwd = []call{running("ls -la && pwd")}
	ls    = []call{running("ls")}
)

var textScenes = inText([]written{
	{class: "F01", name: "bare", said: `{"name": "get_weather", "arguments": {"city": "Oslo"}}`},
	{class: "F01", name: "fenced", said: "```json\n{\"name\": \"get_weather\", \"arguments\": {\"city\": \"Oslo\"}}\n```"},
	{class: "F01", name: "after a sentence, other keys", said: "Let me look.\n\n```json\n{\"tool\": \"get_weather\", \"args\": {\"city\": \"Oslo\"}}\n```", rest: "Let me look."},
	{class: "F01", name: "function and parameters", said: `{"function": "get_weather", "parameters": {"city": "Oslo"}}`},
	{class: "F01", name: "a list of two", said: `[{"name": "get_weather", "input": {"city": "Oslo"}}, {"name": "read_file", "input": {"path": "a.txt"}}]`, calls: []call{weather[0], reading("a.txt")}},
	{class: "F01", name: "an array of words as argument", said: `{"name": "shell", "arguments": {"command": ["ls", "-la"]}}`, calls: []call{{name: "shell", args: `{"command":["ls","-la"]}`}}},

	{class: "F02", name: "plain", said: "<tool_call>\n{\"name\": \"get_weather\", \"arguments\": {\"city\": \"Oslo\"}}\n</tool_call>"},
	{class: "F02", name: "unclosed", said: "I will look.\n<tool_call>\n{\"name\": \"get_weather\", \"arguments\": {\"city\": \"Oslo\"}}", rest: "I will look."},
	{class: "F02", name: "two in one tag", said: "<tool_call>\n{\"name\": \"get_weather\", \"arguments\": {\"city\": \"Oslo\"}}\n{\"name\": \"get_weather\", \"arguments\": {\"city\": \"Rome\"}}\n</tool_call>",
		calls: []call{weather[0], {name: "get_weather", args: `{"city":"Rome"}`}}},
	{class: "F02", name: "other keys", said: "<tool_call>{\"name\": \"get_weather\", \"parameters\": {\"city\": \"Oslo\"}}</tool_call>"},
	{class: "F02", name: "name before the object", said: "<tool_call>get_weather\n{\"city\": \"Oslo\"}\n</tool_call>"},
	{class: "F02", name: "text on both sides", said: "First.\n<tool_call>{\"name\": \"get_weather\", \"arguments\": {\"city\": \"Oslo\"}}</tool_call>\nLast.", rest: "First. Last."},

	{class: "F03", name: "plain", said: "<tool_call>\n<function=run_command>\n<parameter=command>\ncd /srv/dev && git status\n</parameter>\n</function>\n</tool_call>", calls: []call{running("cd /srv/dev && git status")}},
	{class: "F03", name: "without the outer tag, after text", said: "Checking.\n<function=read_file>\n<parameter=path>\n/etc/hostname\n</parameter>\n<parameter=offset>\n3\n</parameter>\n</function>",
		calls: []call{{name: "read_file", args: `{"path":"/etc/hostname","offset":3}`}}, rest: "Checking."},
	{class: "F03", name: "attributes of one tag", said: "<tool_calls><read_file path=\"/etc/hostname\" /></tool_calls>", calls: []call{reading("/etc/hostname")}, named: "F02"},
	{class: "F03", name: "a closing tag alone behind", said: "<function=get_weather>\n<parameter=city>\nOslo\n</parameter>\n</function>\n</tool_call>"},

	{class: "F04", name: "section", said: "<|tool_calls_section_begin|><|tool_call_begin|>functions.read_file:0<|tool_call_argument_begin|>{\"path\":\"a.txt\"}<|tool_call_end|><|tool_calls_section_end|>", calls: []call{reading("a.txt")}},
	{class: "F04", name: "without a section's begin", said: "functions.get_weather:0<|tool_call_argument_begin|>{\"city\": \"Oslo\"}<|tool_call_end|><|tool_calls_section_end|>"},
	{class: "F04", name: "without functions and call end", said: "get_weather:0<|tool_call_argument_begin|>{\"city\": \"Oslo\"}<|tool_calls_section_end|>"},
	{class: "F04", name: "two after text", said: "Both.<|tool_calls_section_begin|><|tool_call_begin|>functions.get_weather:0<|tool_call_argument_begin|>{\"city\":\"Oslo\"}<|tool_call_end|><|tool_call_begin|>functions.read_file:1<|tool_call_argument_begin|>{\"path\":\"b\"}<|tool_call_end|><|tool_calls_section_end|>",
		calls: []call{weather[0], reading("b")}, rest: "Both."},
	{class: "F04", name: "open and close", said: "<|open|>tools<|sep|>\n<|open|>call tool=\"get_weather\" index=\"1\"<|sep|>\n<|open|>argument key=\"city\" type=\"string\"<|sep|>Oslo<|close|>argument<|sep|>\n<|close|>call<|sep|>\n<|close|>tools<|sep|>"},
	{class: "F04", name: "open and close, the call's mark lost", said: "<|open|>toolscall tool=\"get_weather\" index=\"1\"<|sep|>\n<|open|>argument key=\"city\" type=\"string\"<|sep|>Oslo<|close|>argument<|sep|>\n<|close|>call<|sep|>"},

	{class: "F05", name: "section", said: dsmlCall, calls: lsPwd},
	{class: "F05", name: "double bar", said: strings.ReplaceAll(dsmlCall, "｜", "‖"), calls: lsPwd},
	{class: "F05", name: "two bars", said: strings.ReplaceAll(dsmlCall, "｜", "｜｜"), calls: lsPwd},
	{class: "F05", name: "bars of ASCII with blanks", said: strings.ReplaceAll(dsmlCall, "｜DSML｜", " | DSML | "), calls: lsPwd},
	{class: "F05", name: "bars of ASCII twice", said: strings.ReplaceAll(dsmlCall, "｜", "||"), calls: lsPwd},
	{class: "F05", name: "section by another name", said: strings.ReplaceAll(dsmlCall, "tool_calls", "function_calls"), calls: lsPwd},
	{class: "F05", name: "section with a shorter name", said: strings.ReplaceAll(dsmlCall, "tool_calls", " calls"), calls: lsPwd},
	{class: "F05", name: "invoke without a section, after text", said: "hello" + strings.TrimSuffix(strings.TrimPrefix(dsmlCall, "<｜DSML｜tool_calls>"), "</｜DSML｜tool_calls>"), calls: lsPwd, rest: "hello"},
	{class: "F05", name: "section without an end", said: strings.TrimSuffix(dsmlCall, "\n</｜DSML｜tool_calls>"), calls: lsPwd},
	{class: "F05", name: "JSON in a tag, closed as an argument", said: "<tool>{\"name\": \"get_weather\", \"arguments\": {\"city\": \"Oslo\"}}</parameter></tool>", named: "F02"},

	{class: "F06", name: "keys and values", said: "<tool_call>get_weather\n<arg_key>city</arg_key>\n<arg_value>Oslo</arg_value>\n</tool_call>"},
	{class: "F06", name: "in one line, two arguments", said: "<tool_call>read_file<arg_key>path</arg_key><arg_value>/home/a</arg_value><arg_key>offset</arg_key><arg_value>7</arg_value></tool_call>",
		calls: []call{{name: "read_file", args: `{"path":"/home/a","offset":7}`}}},
	{class: "F06", name: "no argument", said: "<tool_call>list_all</tool_call>", calls: []call{{name: "list_all", args: "{}"}}, named: "F02"},

	{class: "F07", name: "minimax", said: "<minimax:tool_call>\n" + invokeCall + "\n</minimax:tool_call>", calls: ls},
	{class: "F07", name: "another wrapper", said: "<tool_calls>\n" + invokeCall + "\n</tool_calls>", calls: ls},
	{class: "F07", name: "function_calls after text", said: "I'll run it.\n\n<function_calls>\n" + invokeCall + "\n</function_calls>", calls: ls, rest: "I'll run it."},
	{class: "F07", name: "without a wrapper", said: invokeCall, calls: ls},
	{class: "F07", name: "marks before each tag", said: m3 + "<tool_call>\n" + m3 + "<invoke name=\"read_file\">" + m3 + "<path>C:\\x\\y.txt" + m3 + "</path>" + m3 + "</invoke>\n" + m3 + "</tool_call>",
		calls: []call{reading(`C:\x\y.txt`)}},

	{class: "F08", name: "all tokens", said: "<|channel|>commentary to=functions.get_weather <|constrain|>json<|message|>{\"city\":\"Oslo\"}<|call|>"},
	{class: "F08", name: "tokens stripped", said: "commentary to=functions.get_weather json{\"city\":\"Oslo\"}"},
	{class: "F08", name: "recipient on the channel of analysis", said: "<|channel|>analysis to=functions.get_weather code<|message|>{\"city\":\"Oslo\"}<|call|>"},
	{class: "F08", name: "thoughts before the call", said: "<|channel|>analysis<|message|>We need the weather.<|end|><|start|>assistant<|channel|>commentary to=functions.get_weather <|constrain|>json<|message|>{\"city\":\"Oslo\"}<|call|>"},

	{class: "F09", name: "a line in brackets", said: "[Calling tool: get_weather({\"city\": \"Oslo\"})]"},
	{class: "F09", name: "mark before the name", said: "[TOOL_CALLS]get_weather{\"city\": \"Oslo\"}"},
	{class: "F09", name: "mark between name and arguments", said: "get_weather[ARGS]{\"city\":\"Oslo\"}"},
	{class: "F09", name: "labels", said: "TOOL_NAME: read_file\nARGUMENTS: {\"path\": \"a.txt\"}", calls: []call{reading("a.txt")}, named: "F01"},
	{class: "F09", name: "list after the mark", said: "[TOOL_CALLS][{\"name\": \"get_weather\", \"arguments\": {\"city\": \"Oslo\"}}]"},
})
