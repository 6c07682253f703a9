package dialect

import (
	"github.com/callwright/callwright/dialect/internal/definition"
	"github.com/callwright/callwright/dialect/internal/render"
	"github.com/callwright/callwright/dialect/internal/result"
)

// tokenRows are formats with special tokens around the name before a JSON object.
var tokenRows = []Format{
	{
		Name: "kimi_k2", Fault: "F04", Families: "kimi moonshot",
		Doc:     "Special tokens around a section, around each call, and between the call's id and its JSON arguments.",
		Repairs: "A lost section, other text between the tokens, an id without its index, a call without arguments.",
		Marks: []Mark{
			{"<|tool_calls_section_begin|>", "<|tool_calls_section_end|>", Section},
			{"<|tool_call_section_begin|>", "<|tool_call_section_end|>", Section},
			{"<|tool_call_begin|>", "<|tool_call_end|>", Section}, {"<|tool_call_argument_begin|>", "<|tool_call_argument_end|>", Separate},
		},
		renderer: render.Head{Open: "<|tool_calls_section_begin|>", Shut: "<|tool_calls_section_end|>",
			Call: "<|tool_call_begin|>", Sep: "<|tool_call_argument_begin|>",
			CallEnd: "<|tool_call_end|>", IDs: true}, tools: definition.List("", ""), results: result.Kimi,
	},
	{
		Name: "deepseek_v3", Fault: "F05", Families: "deepseek cogito",
		Doc:     "Special tokens around a section and around each call; the name is before a code fence with JSON arguments.",
		Repairs: "Lost tokens, similar characters in place of ｜ and ▁, a code fence without its tokens.",
		Marks: []Mark{
			{"<|tool_calls_begin|>", "<|tool_calls_end|>", Section}, {"<|tool_sep|>", "", Separate},
			{"<|tool_outputs_begin|>", "<|tool_outputs_end|>", Result}, {"<|tool_output_begin|>", "<|tool_output_end|>", Result},
		},
		renderer: render.Head{Open: "<｜tool▁calls▁begin｜>", Shut: "<｜tool▁calls▁end｜>",
			Call: "<｜tool▁call▁begin｜>function<｜tool▁sep｜>", Sep: "\n```json\n",
			CallEnd: "\n```<｜tool▁call▁end｜>"}, tools: definition.Sections, results: result.DeepSeek,
	},
	{
		Name: "deepseek_v31", Fault: "F05", Families: "deepseek-v3.1 deepseek-chat-v3.1", kin: "deepseek_v3",
		Doc: "As deepseek_v3, without the code fence.", Repairs: "Lost tokens, similar characters in place of ｜ and ▁.",
		renderer: render.Head{Open: "<｜tool▁calls▁begin｜>", Shut: "<｜tool▁calls▁end｜>", Call: "<｜tool▁call▁begin｜>",
			Sep: "<｜tool▁sep｜>", CallEnd: "<｜tool▁call▁end｜>"},
		tools: definition.Sections, results: result.Each("<｜tool▁output▁begin｜>", "<｜tool▁output▁end｜>"),
	},
	{
		Name: "mistral_args", Fault: "F09",
		Families: "devstral magistral ministral mistral-small mistral-medium mistral-large-3",
		Doc:      "A marker, the name, another marker and the JSON arguments.",
		Repairs:  "A name before the marker, a lost marker before the arguments, an id between them, text after the arguments.", open: true,
		Marks: []Mark{
			{"[TOOL_CALLS]", "[/TOOL_CALLS]", Section}, {"[ARGS]", "", Separate}, {"[CALL_ID]", "", Separate},
			{"[THINK]", "[/THINK]", Think}, {"[TOOL_RESULTS]", "[/TOOL_RESULTS]", Result},
		},
		renderer: render.Head{Call: "[TOOL_CALLS]", Sep: "[ARGS]"},
		tools:    definition.List("[AVAILABLE_TOOLS] ", "[/AVAILABLE_TOOLS]"), results: result.Mistral,
	},
	{
		Name: "mistral_array", Fault: "F09", Families: "mistral mixtral codestral pixtral", kin: "mistral_args",
		Doc: "A marker and a JSON list of calls.", Repairs: "A list without the marker, a marker without the list.",
		renderer: render.ListedJSON("[TOOL_CALLS] [", "]"), tools: definition.List("[AVAILABLE_TOOLS] ", "[/AVAILABLE_TOOLS]"),
		results: result.Mistral,
	},
	{ // https://github.com/MeetKai/functionary/blob/main/functionary/prompt_template/prompt_template_v2.py
		Name: "functionary_v2", Fault: "F04",
		Doc: "Messages with recipients. A message to a function contains its JSON arguments; a message to all is the answer.", open: true,
		Example: "<|from|>assistant\n<|recipient|>get_weather\n<|content|>{\"city\": \"Paris\"}",
		Repairs: "Missing first tokens, which may be in the prompt.",
		Marks: []Mark{
			{"<|recipient|>all<|content|>", "", Noise}, {"<|recipient|>", "", Section}, {"<|content|>", "", Separate},
			{"<|from|>", "", Noise}, {"<|stop|>", "", Noise},
		},
	},
	{
		Name: "plamo3", Fault: "F04", Families: "plamo",
		Doc:     "Special tokens around all requests, each request, its name and its JSON arguments.",
		Repairs: "A request that was cut off is removed.",
		Marks: []Mark{
			{"<|plamo:begin_tool_requests:plamo|>", "<|plamo:end_tool_requests:plamo|>", Section},
			{"<|plamo:begin_tool_request:plamo|>", "<|plamo:end_tool_request:plamo|>", Section},
			{"<|plamo:begin_tool_name:plamo|>", "<|plamo:end_tool_name:plamo|>", Separate},
			{"<|plamo:begin_tool_arguments:plamo|>", "<|plamo:end_tool_arguments:plamo|>", Separate},
			{"<|plamo:tag|>", "", Noise},
		},
		renderer: render.Head{Open: "<|plamo:begin_tool_requests:plamo|>", Shut: "<|plamo:end_tool_requests:plamo|>",
			Call:    "<|plamo:begin_tool_request:plamo|><|plamo:begin_tool_name:plamo|>",
			Sep:     "<|plamo:end_tool_name:plamo|><|plamo:begin_tool_arguments:plamo|>",
			CallEnd: "<|plamo:end_tool_arguments:plamo|><|plamo:end_tool_request:plamo|>"}, results: result.JSON,
	},
}

// headRows are formats with the name in a text header before the arguments.
var headRows = []Format{
	{
		Name: "harmony", Fault: "F08", Families: "gpt-oss", Doc: "Messages with channels; a message to a function is a call.",
		Repairs: "Headers without a channel or without the token before the body, headers that lost their tokens, text between such a header and its arguments, a tool name in place of the role or the channel.",
		Marks: []Mark{
			{"<|start|>", "", Channel}, {"<|channel|>", "", Channel}, {"<|message|>", "", Channel}, {"<|end|>", "", Channel},
			{"<|call|>", "", Channel},
			{"<|return|>", "", Channel}, {"<|constrain|>", "", Channel},
		},
		renderer: render.Harmony{}, tools: definition.Namespace, results: result.Harmony,
	},
	{
		Name: "cwm", Fault: "F02", Families: "cwm", kin: "tool_tag",
		Doc:      "A tag around the name and the only argument of the tool as plain text; or JSON arguments after the name.",
		Repairs:  "White space around the text.",
		renderer: render.Head{Call: "<tool: function>\n", Sep: " ", CallEnd: "\n</tool>\n"}, results: result.Tag("tool_response"),
	},
}

// scriptRows are formats whose calls are written in a programming language.
var scriptRows = []Format{
	{
		Name: "pythonic", Fault: "F09", Families: "toolace gemma", Doc: "A list of calls in Python syntax.",
		Repairs:  "Arguments without names, unescaped inner quotes, values that are not literals, a code fence or print() around the calls.",
		renderer: render.Python{Open: "[", Shut: "]", Join: ", "}, tools: definition.List("", ""), results: result.Tag("tool_response"),
	},
	{
		Name: "llama4_pythonic", Fault: "F09", Families: "llama-4", Doc: "As pythonic, with optional tokens around the list.",
		Repairs:  "As pythonic.",
		Marks:    []Mark{{"<|python_start|>", "<|python_end|>", Section}},
		renderer: render.Python{Open: "<|python_start|>[", Shut: "]<|python_end|>", Join: ", "}, tools: definition.WriteIndented,
		results: result.Outputs,
	},
	{
		Name: "olmo3", Fault: "F09", Families: "olmo", kin: "pythonic anthropic_invoke",
		Doc: "Python calls in one tag, one per line.", Repairs: "As pythonic.",
		renderer: render.Python{Open: "<function_calls>\n", Shut: "\n</function_calls>", Join: "\n"},
		tools:    definition.List("<functions>", "</functions>"), results: result.JSON,
	},
	{
		Name: "lfm2", Fault: "F09", Families: "lfm", Doc: "As pythonic, between special tokens.",
		Repairs: "As pythonic; lost, doubled and stray tokens, JSON in place of the list, the list repeated after its end.",
		Marks: []Mark{{"<|tool_call_start|>", "<|tool_call_end|>", Section},
			{"<|tool_response_start|>", "<|tool_response_end|>", Result}, {"<|tool_list_start|>", "<|tool_list_end|>", Noise}},
		renderer: render.Python{Open: "<|tool_call_start|>[", Shut: "]<|tool_call_end|>", Join: ", "},
		tools:    definition.List("List of tools: ", ""), results: result.Each("<|tool_response_start|>", "<|tool_response_end|>"),
	},
	{
		Name: "granite_pythonic", Fault: "F09", kin: "pythonic", Doc: "Python calls, one per line.", Repairs: "As pythonic.",
		renderer: render.Python{Open: "", Shut: "", Join: "\n"}, tools: definition.List("", ""), results: result.Tag("tool_response"),
	},
	{
		Name: "gemma4", Fault: "F09", Families: "gemma-4 gemma4",
		Doc: "The word call, the name, and the arguments in braces, with tokens as the quotes of strings.", literals: true,
		Repairs: "Missing or other quotes, an equals sign in place of the colon, parentheses in place of the braces, a missing brace, a missing start or end, unquoted text as the last value.",
		Marks: []Mark{
			{"<|tool_call>", "<tool_call|>", Section}, {"<|tool_response>", "<tool_response|>", Result},
			{"<|turn>", "<turn|>", Noise}, {"<|channel>", "<channel|>", Think},
		},
		renderer: render.Delimited{Open: "<|tool_call>", Shut: "<tool_call|>", Quote: `<|"|>`},
		tools:    definition.Declarations("<|tool>", "<tool|>", `<|"|>`),
		results:  result.NewDelimitedWriter("<|tool_response>", "<tool_response|>", `<|"|>`),
	},
	{
		Name: "gemma4_blocks", Fault: "F09", kin: "gemma4",
		Doc:     "As gemma4, with each argument in a block of lines, in the order of the tool's parameters. Smaller models write it; no model is asked for it.",
		Example: "<|tool_call>call:get_weather:\nBEGIN_ARG:\nParis\nEND_ARG<tool_call|>", Repairs: "Reasoning before or after a block.",
		Marks: []Mark{{"BEGIN_ARG:", "END_ARG", Value}},
	},
	{
		Name: "functiongemma", Fault: "F09", Families: "functiongemma", kin: "gemma4", Doc: "As gemma4, with other tokens.",
		Repairs: "As gemma4.", literals: true,
		Marks: []Mark{
			{"<start_function_call>", "<end_function_call>", Section}, {"<start_function_response>", "<end_function_response>", Result},
		},
		renderer: render.Delimited{Open: "<start_function_call>", Shut: "<end_function_call>", Quote: "<escape>"},
		tools:    definition.Declarations("<start_function_declaration>", "<end_function_declaration>", "<escape>"),
		results:  result.NewDelimitedWriter("<start_function_response>", "<end_function_response>", "<escape>"),
	},
}
