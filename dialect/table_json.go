package dialect

import (
	"github.com/callwright/callwright/dialect/internal/definition"
	"github.com/callwright/callwright/dialect/internal/render"
	"github.com/callwright/callwright/dialect/internal/result"
)

// jsonRows are formats whose calls are JSON objects with the tool name.
var jsonRows = []Format{
	{
		Name: "hermes", Fault: "F02", Families: "hermes qwen qwq nous", Doc: "A JSON object with name and arguments in a tag, one tag per call.",
		Repairs: "A lost opening or closing tag, an extra opening tag in front, a missing or extra last brace, a Python dict in place of JSON, any other body in the tag.",
		Marks: []Mark{
			{"<tool_call>", "</tool_call>", Wrap}, {"<tools>", "</tools>", Wrap},
			{"[TOOL_REQUEST]", "[END_TOOL_REQUEST]", Wrap}, {"[TOOL_REQUEST]", "[TOOL_REQUEST_END]", Wrap},
			{"<tool_response>", "</tool_response>", Result}, {"<think>", "</think>", Think},
		},
		renderer: render.TaggedJSON("<tool_call>\n", "\n</tool_call>"), results: result.Tag("tool_response"),
	},
	{
		Name: "ernie45", Fault: "F02", Families: "ernie", kin: "hermes",
		Doc: "As hermes; the prompt opens the reasoning tag, and the model closes it.", Repairs: "As hermes, and reasoning that is closed twice.",
		renderer: render.TaggedJSON("<tool_call>\n", "\n</tool_call>\n"), results: result.Tag("tool_response"),
	},
	{
		Name: "longcat", Fault: "F02", Families: "longcat",
		Doc: "As hermes, with its own tag; or the name, followed by pairs of a key tag and a value tag.", Repairs: "As hermes and glm45.",
		Marks: []Mark{
			{"<longcat_tool_call>", "</longcat_tool_call>", Wrap}, {"<longcat_think>", "</longcat_think>", Think},
			{"<longcat_arg_key>", "</longcat_arg_key>", Key}, {"<longcat_arg_value>", "</longcat_arg_value>", Value},
		},
		renderer: render.TaggedJSON("<longcat_tool_call>", "</longcat_tool_call>"), results: result.Tag("longcat_tool_response"),
	},
	{
		Name: "granite4", Fault: "F02", Families: "granite-4", kin: "hermes", Doc: "As hermes; the arguments may be a string that contains JSON.",
		Repairs:  "As hermes, and arguments that are encoded twice.",
		renderer: render.TaggedJSON("<tool_call>\n", "\n</tool_call>"), results: result.Tag("tool_response"),
	},
	{
		Name: "granite20b_fc", Fault: "F02", Families: "granite-20b-functioncalling",
		Doc: "A marker before each JSON object, without an end marker.", Repairs: "Several objects after one marker.",
		Marks:    []Mark{{"<function_call>", "</function_call>", Wrap}},
		renderer: render.TaggedJSON("<function_call> ", ""), results: result.Tag("tool_response"),
	},
	{
		Name: "granite3", Fault: "F02", Families: "granite", Doc: "A marker, followed by a JSON list of calls.",
		Repairs: "A tag of plain text in place of the marker; a broken element does not affect the others.", open: true,
		Marks:    []Mark{{"<|tool_call|>", "<|/tool_call|>", Section}},
		renderer: render.ListedJSON("<|tool_call|>[", "]"), tools: definition.List("", ""), results: result.Tag("tool_response"),
	},
	{
		Name: "xai_tool_call", Fault: "F02", Families: "grok",
		Doc: "A JSON object with name and arguments in a tag with a namespace.", Repairs: "Any other body in the tag.",
		Marks: []Mark{
			{"<x.ai:tool_call>", "</x.ai:tool_call>", Wrap}, {"<xai:tool_call>", "</xai:tool_call>", Wrap},
			{"<xai:function_call>", "</xai:function_call>", Wrap},
			{"<x.ai:function_call>", "</x.ai:function_call>", Wrap},
		},
		renderer: render.TaggedJSON("<x.ai:tool_call>", "</x.ai:tool_call>"), results: result.Tag("tool_response"),
	},
	{
		Name: "tool_tag", Fault: "F02", Doc: "A tag named tool, or with the name of the tool, around JSON or around one tag per argument.",
		Repairs: "Arguments as attributes or nested tags, JSON or one line of plain text in the tag, JSON in the opening tag itself.",
		Marks: []Mark{
			{"<tool>", "</tool>", Wrap}, {"<tool_use>", "</tool_use>", Wrap}, {"<tool_code>", "</tool_code>", Wrap},
			{"<call>", "</call>", Wrap}, {"<call_record>", "</call_record>", Wrap}, {"<toolcall>", "</toolcall>", Wrap},
			{"<functioncall>", "</functioncall>", Wrap},
			{"[tool]", "[end]", Wrap}, {"[args]", "", Separate}, {"<tool_input>", "</tool_input>", Value},
			{"<arg>", "</arg>", Value}, {"<argument>", "</argument>", Value}, {"<tool_result>", "</tool_result>", Result},
			{"<tool_results>", "</tool_results>", Result},
		},
		renderer: render.TaggedJSON("<tool>", "</tool>"), results: result.Tag("tool_result"),
	},
	{
		Name: "envelope", Fault: "F01", Doc: "The whole answer is one JSON object: the calls, the visible text, and whether more work is needed.",
		Repairs: "Broken JSON, as far as it can be repaired.",
		whole:   true, renderer: render.Envelope{}, results: result.JSON,
	},
	{
		Name: "scratchpad", Fault: "F01", kin: "bare_json",
		Doc:     "The whole answer is one JSON object: one tool with its arguments, or the answer, and a scratchpad.",
		Repairs: "Broken JSON, as far as it can be repaired.",
		whole:   true, renderer: render.Scratchpad{}, results: result.JSON,
	},
	{
		Name: "markdown_fence", Fault: "F01", Families: "rwkv", Doc: "A code fence that contains the JSON object of a call.",
		Repairs:  "A fence without an end, a fence on a single line, a heading that announces the call.",
		renderer: render.TaggedJSON("```json\n", "\n```"), results: result.Tag("tool_response"),
	},
	{
		Name: "tool_fence", Fault: "F01", kin: "markdown_fence",
		Doc:     "A code fence with the language tool. Its lines have the name and the arguments of a call. Continue's clients ask for this format.",
		Example: "```tool\nTOOL_NAME: get_weather\nBEGIN_ARG: city\nParis\nEND_ARG\n```",
		Repairs: "A fence without an end, lines in lower case.",
	},
	{
		Name: "bracket_note", Fault: "F01", kin: "bare_json",
		Doc:     "A note in brackets on its own line, with the name and the arguments as attributes, or only a name. Models write it if their history shows calls in this form.",
		Example: `[Calling tool="get_weather" city="Paris"]`, Repairs: "The words of the note in upper or lower case.",
	},
	{
		Name: "bare_json", Fault: "F01", Doc: "The JSON object of a call, or a list of them, on its own line.",
		Repairs:  "The common names of a call's members, whole answers of other APIs as text, a tool name on the line above its arguments.",
		renderer: render.TaggedJSON("", ""), results: result.Tag("tool_response"),
	},
	{
		Name: "llama3_json", Fault: "F01", Families: "llama", kin: "bare_json",
		Doc:     "A JSON object with name and parameters, one call per turn, after an optional token.",
		Repairs: "Several objects, with or without separators between them.", open: true,
		Marks:    []Mark{{"<|python_tag|>", "", Section}},
		renderer: render.JSON{Name: "name", Args: "parameters"}, tools: definition.WriteIndented, results: result.Outputs,
	},
	{
		Name: "xlam", Fault: "F01", Families: "xlam", kin: "bare_json",
		Doc: "A JSON list of calls, bare, fenced, or after another family's marker.", Repairs: "Any wrapper around the list.",
		renderer: render.ListedJSON("[", "]"), tools: definition.List("", ""), results: result.Tag("tool_response"),
	},
	{
		Name: "jamba", Fault: "F02", Families: "jamba", kin: "hunyuan_a13b", Doc: "A JSON list of calls in one tag.",
		Repairs:  "A broken element does not affect the others.",
		renderer: render.ListedJSON(" <tool_calls>[\n    ", "\n]</tool_calls>"), results: result.Tag("tool_response"),
	},
	{
		Name: "hunyuan_a13b", Fault: "F02", Families: "hunyuan", Doc: "A JSON list of calls in one tag.",
		Repairs:  "A broken element does not affect the others.",
		Marks:    []Mark{{"<tool_calls>", "</tool_calls>", Wrap}},
		renderer: render.ListedJSON("<tool_calls>[", "]</tool_calls>"), results: result.Tag("tool_response"),
	},
	{
		Name: "minimax_m1", Fault: "F07", Families: "minimax-m1", kin: "hunyuan_a13b",
		Doc: "JSON objects of calls, one per line, in one tag.", Repairs: "A broken line does not affect the others.",
		renderer: render.JSON{Open: "<tool_calls>\n", Shut: "\n</tool_calls>", Name: "name", Args: "arguments", Block: true},
		results:  result.Tag("tool_response"),
	},
	{
		Name: "nemotron_toolcall", Fault: "F02", Families: "nemotron", Doc: "A JSON list of calls in one tag.",
		Repairs:  "One object in place of the list.",
		Marks:    []Mark{{"<TOOLCALL>", "</TOOLCALL>", Wrap}, {"<TOOL_RESPONSE>", "</TOOL_RESPONSE>", Result}},
		renderer: render.ListedJSON("<TOOLCALL>[", "]</TOOLCALL>"),
		tools:    definition.List("<AVAILABLE_TOOLS>", "</AVAILABLE_TOOLS>"), results: result.List("<TOOL_RESPONSE>", "</TOOL_RESPONSE>"),
	},
	{
		Name: "pangu", Fault: "F02", Families: "pangu", kin: "lfm2", Doc: "A JSON list of calls between two tokens.",
		Repairs:  "A missing end token.",
		renderer: render.ListedJSON("<|tool_call_start|>[", "]<|tool_call_end|>"), results: result.Tag("tool_response"),
	},
	{
		Name: "phi4_mini", Fault: "F01", Families: "phi-4 phi4", kin: "bare_json",
		Doc: "The word functools, followed by a JSON list of calls.", Repairs: "Text after the list.",
		renderer: render.ListedJSON("functools[", "]"), tools: definition.List("<|tool|>", "<|/tool|>"), results: result.JSON,
	},
	{
		Name: "hyperclovax", Fault: "F01", Families: "hyperclovax", kin: "bare_json",
		Doc:      "A recipient, followed by a JSON list of calls; or the tool as the recipient, followed by its arguments.",
		Repairs:  "The short form of the recipient.",
		renderer: render.ListedJSON("-> tool/function_call\n[", "]<|im_end|>"), results: result.JSON,
	},
	{
		Name: "internlm2", Fault: "F02", Families: "internlm intern-s1",
		Doc: "A JSON object with name and parameters between special tokens.", Repairs: "A missing end token.",
		Marks:    []Mark{{"<|action_start|>", "<|action_end|>", Section}, {"<|plugin|>", "", Separate}, {"<|interpreter|>", "", Separate}},
		renderer: render.JSON{Open: "<|action_start|><|plugin|>", Shut: "<|action_end|>", Name: "name", Args: "parameters"},
		tools:    definition.List("", ""), results: result.JSON,
	},
	{
		Name: "apertus", Fault: "F02", Families: "apertus",
		Doc: "A JSON list of objects whose only key is the tool's name, between two tokens.", Repairs: "A missing end token.",
		Marks:    []Mark{{"<|tools_prefix|>", "<|tools_suffix|>", Section}, {"<|inner_prefix|>", "<|inner_suffix|>", Think}},
		renderer: render.JSON{Open: "<|tools_prefix|>[", Shut: "]<|tools_suffix|>", Join: ", ", Block: true},
		tools:    definition.List("", ""), results: result.List("", ""),
	},
	{
		Name: "gigachat3", Fault: "F02", Families: "gigachat", Doc: "A message with the role of a function call, or a token, then a JSON object.",
		Repairs: "An end-of-text token after the object.", open: true,
		Marks:    []Mark{{"<|message_sep|>function call<|role_sep|>", "", Section}, {"<|function_call|>", "", Section}},
		renderer: render.TaggedJSON("<|message_sep|>\n\nfunction call<|role_sep|>\n", ""), tools: definition.List("", ""), results: result.JSON,
	},
	{
		Name: "cohere_cmd3", Fault: "F02", Families: "command",
		Doc:     "A JSON list of numbered calls between two tokens; text and reasoning have their own tokens.",
		Repairs: "Missing commas, a broken element, text without its tokens, citation tags.",
		Marks: []Mark{
			{"<|START_ACTION|>", "<|END_ACTION|>", Section}, {"<|START_RESPONSE|>", "<|END_RESPONSE|>", Noise},
			{"<|START_THINKING|>", "<|END_THINKING|>", Think},
			{"<|START_TOOL_RESULT|>", "<|END_TOOL_RESULT|>", Result}, {"<|CHATBOT_TOKEN|>", "", Noise},
			{"<|START_OF_TURN_TOKEN|>", "", Noise}, {"<co>", "</co>", Cite},
		},
		renderer: cohereJSON, tools: definition.List("# Available Tools\n", ""), results: result.Cohere,
	},
	{
		Name: "cohere_cmd4", Fault: "F02", Families: "command-a-2", kin: "cohere_cmd3",
		Doc: "As cohere_cmd3, with another token around the text.", Repairs: "As cohere_cmd3.",
		Marks:    []Mark{{"<|START_TEXT|>", "<|END_TEXT|>", Noise}},
		renderer: cohereJSON, tools: definition.List("# Available Tools\n", ""), results: result.Cohere,
	},
	{
		Name: "inkling", Fault: "F02", Families: "inkling",
		Doc:     "Blocks for reasoning, text and calls; the block of a call contains a JSON object with name and args.",
		Repairs: "Blocks that are not closed, a header before the block.",
		Marks: []Mark{
			{"<|content_invoke_tool_json|>", "<|end_message|>", Section}, {"<|content_thinking|>", "<|end_message|>", Think},
			{"<|content_text|>", "<|end_message|>", Noise},
			{"<|message_model|>", "", Noise}, {"<|content_invoke_tool_text|>", "", Noise},
			{"<|content_tool_error|>", "", Noise}, {"<|content_model_end_sampling|>", "", Noise},
		},
		renderer: render.JSON{Open: "<|content_invoke_tool_json|>", Shut: "<|end_message|>", Join: "<|message_model|>",
			Name: "name", Args: "args"}, results: result.JSON,
	},
}

var cohereJSON = render.JSON{Open: "<|START_ACTION|>[\n    ", Shut: "\n]<|END_ACTION|>", Join: ",\n    ", ID: "tool_call_id",
	Name: "tool_name", Args: "parameters", Block: true}
