package dialect

// table are the formats, in the order in which their marks are tried. A mark that several formats share stands in the
// first of them.
var table = []Format{
	{
		Name: "hermes", Families: "hermes qwen qwq nous longcat ernie granite-4",
		Doc: "A JSON object with name and arguments in a tag, one tag a call.",
		Marks: []Mark{
			{"<tool_call>", "</tool_call>", Wrap}, {"<tools>", "</tools>", Wrap}, {"<longcat_tool_call>", "</longcat_tool_call>", Wrap},
			{"<tool_response>", "</tool_response>", Result}, {"<think>", "</think>", Think},
		},
		voice: jsonVoice{open: "<tool_call>\n", shut: "\n</tool_call>", name: "name", args: "arguments"}, results: tagResults("tool_response"),
	},
	{
		Name: "anthropic_invoke", Families: "claude",
		Doc: "An invoke tag with the name, a parameter tag for each argument, in one block.",
		Marks: []Mark{
			{"<function_calls>", "</function_calls>", Wrap}, {"<invoke>", "</invoke>", Wrap}, {"<parameter>", "</parameter>", Value},
			{"<function_results>", "</function_results>", Result}, {"<thinking>", "</thinking>", Think}, {"<param>", "</param>", Value},
		},
		voice: tagVoice{open: "<function_calls>\n", shut: "\n</function_calls>", call: `<invoke name="%s">`, callEnd: "</invoke>",
			value: `<parameter name="%s">`, valueEnd: "</parameter>"}, results: functionResults,
	},
	{
		Name: "kimi_k2", Families: "kimi moonshot",
		Doc: "Special tokens around a section, around each call, and between the call's id and its JSON arguments.",
		Marks: []Mark{
			{"<|tool_calls_section_begin|>", "<|tool_calls_section_end|>", Section}, {"<|tool_call_section_begin|>", "<|tool_call_section_end|>", Section},
			{"<|tool_call_begin|>", "<|tool_call_end|>", Section}, {"<|tool_call_argument_begin|>", "<|tool_call_argument_end|>", Separate},
		},
		voice: headVoice{open: "<|tool_calls_section_begin|>", shut: "<|tool_calls_section_end|>", call: "<|tool_call_begin|>", sep: "<|tool_call_argument_begin|>",
			callEnd: "<|tool_call_end|>", ids: true}, results: kimiResults,
	},
	{
		Name: "xai_tool_call", Families: "grok",
		Doc: "A JSON object with name and arguments in a tag with a namespace.",
		Marks: []Mark{
			{"<x.ai:tool_call>", "</x.ai:tool_call>", Wrap}, {"<xai:tool_call>", "</xai:tool_call>", Wrap}, {"<xai:function_call>", "</xai:function_call>", Wrap},
			{"<x.ai:function_call>", "</x.ai:function_call>", Wrap},
		},
		voice: jsonVoice{open: "<x.ai:tool_call>", shut: "</x.ai:tool_call>", name: "name", args: "arguments"}, results: tagResults("tool_response"),
	},
	{
		Name: "tool_tag", Families: "",
		Doc: "A tag called tool, or after the tool, around JSON or around one tag an argument.",
		Marks: []Mark{
			{"<tool>", "</tool>", Wrap}, {"<tool_use>", "</tool_use>", Wrap}, {"<function_call>", "</function_call>", Wrap},
			{"[tool]", "[end]", Wrap}, {"[args]", "", Separate}, {"<tool_result>", "</tool_result>", Result}, {"<tool_results>", "</tool_results>", Result},
		},
		voice: jsonVoice{open: "<tool>", shut: "</tool>", name: "name", args: "arguments"}, results: tagResults("tool_result"),
	},
	{
		Name: "envelope", Families: "",
		Doc:   "One JSON object is the whole answer: the calls, the visible text, and whether more work is needed.",
		whole: true, voice: envelopeVoice{}, results: jsonResults,
	},
	{
		Name: "scratchpad", Families: "",
		Doc:   "One JSON object is the whole answer: one tool with its arguments, or the answer, and a scratchpad.",
		whole: true, voice: scratchpadVoice{}, results: jsonResults,
	},
	{
		Name: "markdown_fence", Families: "rwkv",
		Doc:   "A code fence that holds the JSON object of a call.",
		voice: jsonVoice{open: "```json\n", shut: "\n```", name: "name", args: "arguments"}, results: tagResults("tool_response"),
	},
	{
		Name: "bare_json", Families: "",
		Doc:   "The JSON object of a call, or a list of them, on a line of its own.",
		voice: jsonVoice{name: "name", args: "arguments"}, results: tagResults("tool_response"),
	},
	{
		Name: "pythonic", Families: "olmo",
		Doc: "A list of calls in Python's way.",
		Marks: []Mark{
			{"<|python_start|>", "<|python_end|>", Section}, {"<|tool_call_start|>", "<|tool_call_end|>", Section},
			{"<|tool_response_start|>", "<|tool_response_end|>", Result},
		},
		voice: pythonVoice{}, results: tagResults("tool_response"),
	},
	{
		Name: "deepseek_v3", Families: "deepseek",
		Doc: "Special tokens around a section and each call; the name stands before a fence of JSON arguments.",
		Marks: []Mark{
			{"<|tool_calls_begin|>", "<|tool_calls_end|>", Section}, {"<|tool_call_begin|>", "<|tool_call_end|>", Section},
			{"<|tool_sep|>", "", Separate}, {"<|tool_outputs_begin|>", "<|tool_outputs_end|>", Result}, {"<|tool_output_begin|>", "<|tool_output_end|>", Result},
		},
		voice: headVoice{open: "<｜tool▁calls▁begin｜>", shut: "<｜tool▁calls▁end｜>", call: "<｜tool▁call▁begin｜>function<｜tool▁sep｜>", sep: "\n```json\n",
			callEnd: "\n```<｜tool▁call▁end｜>"}, results: deepseekResults,
	},
	{
		Name: "mistral", Families: "mistral mixtral devstral magistral ministral codestral pixtral",
		Doc: "A marker, the name, a marker and the JSON arguments; or a marker and a JSON list of calls.",
		Marks: []Mark{
			{"[TOOL_CALLS]", "[/TOOL_CALLS]", Section}, {"[ARGS]", "", Separate}, {"[CALL_ID]", "", Separate}, {"[THINK]", "[/THINK]", Think},
		},
		voice: headVoice{call: "[TOOL_CALLS]", sep: "[ARGS]"}, results: mistralResults,
	},
	{
		Name: "harmony", Families: "gpt-oss",
		Doc: "Messages with channels; a message to a function is a call.",
		Marks: []Mark{
			{"<|start|>", "", Channel}, {"<|channel|>", "", Channel}, {"<|message|>", "", Channel}, {"<|end|>", "", Channel}, {"<|call|>", "", Channel},
			{"<|return|>", "", Channel}, {"<|constrain|>", "", Channel},
		},
		voice: harmonyVoice{}, results: harmonyResults,
	},
	{
		Name: "llama3", Families: "llama",
		Doc: "A JSON object with name and parameters, one call a turn, after an optional token.",
		Marks: []Mark{
			{"<|python_tag|>", "", Section},
		},
		voice: jsonVoice{name: "name", args: "parameters"}, results: tagResults("tool_response"),
	},
	{
		Name: "qwen3_coder", Families: "qwen3-coder qwen3.5 qwen3.6 mimo-v2 iquest nemotron-3 step-3.5 seed-oss",
		Doc: "A function tag with the name after an equals sign, and a parameter tag for each argument.",
		Marks: []Mark{
			{"<function>", "</function>", Wrap}, {"<seed:tool_call>", "</seed:tool_call>", Wrap}, {"<seed:think>", "</seed:think>", Think},
		},
		voice: tagVoice{open: "<tool_call>\n", shut: "\n</tool_call>", call: "<function=%s>", callEnd: "</function>", value: "<parameter=%s>", valueEnd: "</parameter>",
			lines: true, each: true}, results: tagResults("tool_response"),
	},
	{
		Name: "glm45", Families: "glm ling hyperclovax poolside laguna",
		Doc: "The name, then pairs of a key tag and a value tag, in one tag.",
		Marks: []Mark{
			{"<arg_key>", "</arg_key>", Key}, {"<arg_value>", "</arg_value>", Value}, {"<tool_sep>", "", Separate},
		},
		voice: pairVoice{}, results: tagResults("tool_response"),
	},
	{
		Name: "tool_calls_tag", Families: "jamba hunyuan minimax-m1",
		Doc: "JSON objects of calls, one a line or in a list, in one tag.",
		Marks: []Mark{
			{"<tool_calls>", "</tool_calls>", Wrap}, {"<minimax:tool_call>", "</minimax:tool_call>", Wrap}, {"<TOOLCALL>", "</TOOLCALL>", Wrap},
			{"<dots_function_call>", "</dots_function_call>", Wrap},
		},
		voice: jsonVoice{open: "<tool_calls>", shut: "</tool_calls>", name: "name", args: "arguments", block: true}, results: tagResults("tool_response"),
	},
	{
		Name: "gemma", Families: "gemma",
		Doc: "The word call, the name, and the arguments in braces, with tokens for the quotes of strings.",
		Marks: []Mark{
			{"<|tool_call>", "<tool_call|>", Section}, {"<start_function_call>", "<end_function_call>", Section}, {"<|tool_response>", "<tool_response|>", Result},
			{"<start_function_response>", "<end_function_response>", Result}, {"<|turn>", "<turn|>", Noise}, {"<|channel>", "<channel|>", Think},
		},
		bare:  true,
		voice: delimitedVoice{open: "<|tool_call>", shut: "<tool_call|>", quote: `<|"|>`}, results: tagResults("tool_response"),
	},
	{
		Name: "token_json", Families: "granite internlm apertus command gigachat",
		Doc: "JSON objects of calls, one or a list, between special tokens.",
		Marks: []Mark{
			{"<|tool_call|>", "<|/tool_call|>", Section}, {"<|tools_prefix|>", "<|tools_suffix|>", Section}, {"<|START_ACTION|>", "<|END_ACTION|>", Section},
			{"<|action_start|>", "<|action_end|>", Section}, {"<|plugin|>", "", Separate}, {"<|function_call|>", "", Section},
			{"<|START_RESPONSE|>", "<|END_RESPONSE|>", Noise}, {"<|START_TEXT|>", "<|END_TEXT|>", Noise}, {"<|START_TOOL_RESULT|>", "<|END_TOOL_RESULT|>", Result},
		},
		voice: jsonVoice{open: "<|tool_call|>[", shut: "]", join: ", ", name: "name", args: "arguments", block: true}, results: tagResults("tool_response"),
	},
	{
		Name: "template", Families: "",
		Doc: "What chat templates leave in texts, and other spellings of reasoning. Nothing is rendered in it.",
		Marks: []Mark{
			{"<|im_start|>", "<|im_end|>", Noise}, {"<|endoftext|>", "", Noise}, {"<|eot_id|>", "", Noise}, {"<|eom_id|>", "", Noise}, {"<|eot|>", "", Noise},
			{"<|start_header_id|>", "<|end_header_id|>", Noise}, {"<|end_of_text|>", "", Noise}, {"<|begin_of_text|>", "", Noise},
			{"<|end_of_sentence|>", "<|begin_of_sentence|>", Noise}, {"<s>", "", Noise}, {"<|endofturn|>", "", Noise}, {"<end_of_turn>", "", Noise},
			{"<start_of_turn>", "", Noise}, {"<|EOT|>", "", Noise}, {"<|user|>", "<|assistant|>", Noise}, {"<|observation|>", "<|system|>", Noise},
			{"<thought>", "</thought>", Think}, {"<reasoning>", "</reasoning>", Think}, {"<mm:think>", "</mm:think>", Think},
			{"<|START_THINKING|>", "<|END_THINKING|>", Think}, {"<|think|>", "<|/think|>", Think},
		},
	},
}
