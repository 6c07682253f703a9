package dialect

import (
	"github.com/callwright/callwright/dialect/internal/definition"
	"github.com/callwright/callwright/dialect/internal/render"
	"github.com/callwright/callwright/dialect/internal/result"
)

// tagRows are formats with a tag, or a pair of tags, for each argument.
var tagRows = []Format{
	{
		Name: "anthropic_invoke", Fault: "F07", Families: "claude",
		Doc:     "An invoke tag with the name and a parameter tag for each argument, in one block.",
		Repairs: "A lost outer tag, any namespace before the tags, a missing closing tag of a parameter, the older form with a separate tag for the name.",
		Marks: []Mark{
			{"<function_calls>", "</function_calls>", Wrap}, {"<invoke>", "</invoke>", Wrap}, {"<parameter>", "</parameter>", Value},
			{"<function_results>", "</function_results>", Result}, {"<thinking>", "</thinking>", Think},
		},
		renderer: render.Invokes("<function_calls>\n", "\n</function_calls>"), results: result.Functions,
	},
	{
		Name: "qwen3_coder", Fault: "F03", Families: "qwen3-coder qwen3.5 qwen3.6 qwen3.7 qwen3.8 mimo iquest",
		Doc:      "A function tag with the name after an equals sign, and a parameter tag for each argument.",
		Repairs:  "A lost outer tag, missing closing tags, a missing closing bracket after the name, two functions in one outer tag.",
		Marks:    []Mark{{"<function>", "</function>", Wrap}, {"<function_invocation>", "</function_invocation>", Wrap}},
		renderer: render.Functions("<tool_call>\n", "\n</tool_call>"), tools: definition.Elements, results: result.Tag("tool_response"),
	},
	{
		Name: "seed_oss", Fault: "F03", Families: "seed-oss",
		Doc: "As qwen3_coder, with its own outer tag and reasoning tag.", Repairs: "As qwen3_coder.",
		Marks: []Mark{
			{"<seed:tool_call>", "</seed:tool_call>", Wrap}, {"<seed:think>", "</seed:think>", Think},
		},
		renderer: render.Functions("<seed:tool_call>\n", "\n</seed:tool_call>"), tools: definition.Elements, results: result.Tag("tool_response"),
	},
	{
		Name: "step3p5", Fault: "F03", Families: "step-3.5", kin: "qwen3_coder", Doc: "As qwen3_coder.", Repairs: "As qwen3_coder.",
		renderer: render.Functions("<tool_call>\n", "\n</tool_call>"), tools: definition.Elements, results: result.Tag("tool_response"),
	},
	{
		Name: "nemotron3", Fault: "F03", Families: "nemotron-3 nemotron-nano-3", kin: "qwen3_coder",
		Doc: "As qwen3_coder; a call may come before the end of the reasoning.", Repairs: "As qwen3_coder.",
		renderer: render.Functions("<tool_call>\n", "\n</tool_call>"), tools: definition.Elements, results: result.Tag("tool_response"),
	},
	{
		Name: "minicpm5_xml", Fault: "F03", Families: "minicpm", kin: "qwen3_coder",
		Doc:     "A function tag with the name as an attribute, and a param tag for each argument.",
		Repairs: "A tokenizer's symbols for white space, tags without their space, values in CDATA, all arguments in one wrapper.",
		Marks:   []Mark{{"<param>", "</param>", Value}},
		renderer: render.Tags{Call: `<function name="%s">`, CallEnd: "</function>", Value: `<param name="%s">`,
			ValueEnd: "</param>"}, results: result.Tag("tool_response"),
	},
	{
		Name: "minimax_m2", Fault: "F07", Families: "minimax", Doc: "As anthropic_invoke, with its own outer tag.",
		Repairs:  "As anthropic_invoke; between brackets, JSON or a hash with flags for arguments.",
		Marks:    []Mark{{"<minimax:tool_call>", "</minimax:tool_call>", Wrap}, {"[TOOL_CALL]", "[/TOOL_CALL]", Wrap}},
		renderer: render.Invokes("<minimax:tool_call>\n", "\n</minimax:tool_call>"), tools: definition.WriteTagged,
		results: result.Each("<response>", "</response>"),
	},
	{
		Name: "minimax_m3", Fault: "F07", Families: "minimax-m3",
		Doc:      "One element per parameter, with a marker before each tag. Objects are nested elements. Lists are item elements or repeated elements.",
		Repairs:  "Text between the elements, lost markers, JSON as the content of an element.",
		Marks:    []Mark{{"]<]minimax[>[", "", Prefix}, {"<mm:think>", "</mm:think>", Think}},
		renderer: render.Elements{Head: "]<]minimax[>["}, tools: definition.WriteTagged, results: result.Each("<response>", "</response>"),
	},
	{
		Name: "dots", Fault: "F07", Families: "dots", Doc: "As anthropic_invoke, with its own outer tag.",
		Repairs:  "A JSON body; a broken block does not affect the next one.",
		Marks:    []Mark{{"<dots_function_call>", "</dots_function_call>", Wrap}},
		renderer: render.Invokes("<dots_function_call>\n", "\n</dots_function_call>"), results: result.Tag("tool_response"),
	},
	{
		Name: "step3", Fault: "F07", Families: "step-3 step3", kin: "deepseek_v3",
		Doc:     "As anthropic_invoke, with a namespace before the tags and special tokens around them.",
		Repairs: "Similar characters in place of the bars of the tokens.",
		renderer: render.Tags{Open: "<｜tool_calls_begin｜>", Shut: "<｜tool_calls_end｜>",
			Call: `<｜tool_call_begin｜><steptml:invoke name="%s">`, CallEnd: "</steptml:invoke><｜tool_call_end｜>",
			Value: `<steptml:parameter name="%s">`, ValueEnd: "</steptml:parameter>"}, results: result.Tag("tool_response"),
	},
	{
		Name: "deepseek_v32", Fault: "F05", Families: "deepseek-v3.2", kin: "anthropic_invoke", bars: "DSML",
		Doc:      "As anthropic_invoke, with a namespace in bars; each parameter states whether it is a string.",
		Marks:    []Mark{{"<toolcalls>", "</toolcalls>", Wrap}},
		Repairs:  "A lost or different block, a block name written as one word, tags without their last bracket, spaced or doubled bars, missing closing tags, all arguments in one wrapper.",
		renderer: render.NewBarredTags("DSML", "function_calls"), tools: definition.List("<functions>\n", "\n</functions>"),
		results: result.Block("function_results", "result"),
	},
	{
		Name: "deepseek_v4", Fault: "F05", Families: "deepseek-v4", kin: "anthropic_invoke deepseek_v32", bars: "DSML",
		Doc: "As deepseek_v32, with another block.", Repairs: "As deepseek_v32, and a call that ends the reasoning.",
		renderer: render.NewBarredTags("DSML", "tool_calls"), tools: definition.List("<functions>\n", "\n</functions>"),
		results: result.Block("function_results", "result"),
	},
	{
		Name: "gigachat35", Fault: "F05", Families: "gigachat-3.5 gigachat3.5", kin: "anthropic_invoke", bars: "GCML",
		Doc: "As deepseek_v32, with another namespace.", Repairs: "As deepseek_v32.",
		renderer: render.NewBarredTags("GCML", "tool_calls"), tools: definition.List("<functions>\n", "\n</functions>"),
		results: result.Block("function_results", "result"),
	},
	{
		Name: "muse_glimmer", Fault: "F07", Families: "glimmer", kin: "anthropic_invoke",
		Doc:     "Messages with recipients; a message to a tool contains a call as in anthropic_invoke.",
		Repairs: "A missing or wrong recipient, a repeated name, a token in place of the end of a tag, a JSON body.",
		renderer: render.Recipient{Body: render.Tags{Open: "<atem:function_calls>\n", Shut: "\n</atem:function_calls>",
			Call: `<atem:invoke name="%s">`, CallEnd: "</atem:invoke>",
			Value: `<atem:parameter name="%s">`, ValueEnd: "</atem:parameter>"}}, results: result.Tag("tool_response"),
	},
	{
		Name: "kimi_k3", Fault: "F04", Families: "kimi-k3",
		Doc:     "Tags whose brackets are special tokens; channels for reasoning, text and calls; a type for each argument.",
		Repairs: "White space around names, names without a separator, a channel that the prompt opened.",
		Marks: []Mark{
			{"<|open|>tools<|sep|>", "<|close|>tools<|sep|>", Section}, {"<|open|>call<|sep|>", "<|close|>call<|sep|>", Wrap},
			{"<|open|>argument<|sep|>", "<|close|>argument<|sep|>", Value},
			{"<|open|>think<|sep|>", "<|close|>think<|sep|>", Think},
			{"<|open|>response<|sep|>", "<|close|>response<|sep|>", Noise}, {"<|open|>message<|sep|>", "<|close|>message<|sep|>", Noise},
		},
		renderer: render.XTML{}, tools: definition.List("", ""), results: result.Kimi,
	},
	{
		Name: "glm45", Fault: "F06", Families: "glm", kin: "hermes", Doc: "The name, followed by pairs of a key tag and a value tag, in one tag.",
		Repairs: "Missing opening and closing tags of keys and values, a missing end, a lost opening tag before a name on its own line.",
		repeats: keepLast,
		Marks: []Mark{{"<arg_key>", "</arg_key>", Key}, {"<arg_value>", "</arg_value>", Value}, {"<tool_sep>", "", Separate},
			{"<arg_type>", "</arg_type>", Aside}},
		renderer: render.Pairs{Call: "<tool_call>%s\n", CallEnd: "</tool_call>",
			Pair: "<arg_key>%s</arg_key>\n<arg_value>%s</arg_value>\n", Join: "\n"}, results: result.Tag("tool_response"),
	},
	{
		Name: "glm47", Fault: "F06", Families: "glm-4.7 glm-5", kin: "glm45 hermes", Doc: "As glm45, on one line.",
		Repairs: "As glm45.", repeats: keepLast,
		renderer: inlinePairs, results: result.Tag("tool_response"),
	},
	{
		Name: "ling3", Fault: "F06", Families: "ling-3", kin: "glm45 hermes", Doc: "As glm47.", Repairs: "As glm45.", repeats: keepLast,
		renderer: inlinePairs, results: result.Tag("tool_response"),
	},
	{
		Name: "poolside_v1", Fault: "F06", Families: "poolside laguna", kin: "glm45 hermes", Doc: "As glm45.", repeats: keepLast,
		Repairs: "As glm45; JSON in the tag, with or without the name before it; the tag of a user's turn in place of the call's tag; a call repeated inside of itself.",
		Marks:   []Mark{{"<user>", "</user>", Wrap}},
		renderer: render.Pairs{Call: "<tool_call>%s\n", CallEnd: "</tool_call>",
			Pair: "<arg_key>%s</arg_key>\n<arg_value>%s</arg_value>\n", Join: "\n"}, results: result.Tag("tool_response"),
	},
	{
		Name: "telechat4", Fault: "F06", Families: "telechat-4 telechat4", kin: "glm45 hermes",
		Doc: "As glm47, with its own tags for keys and values.", Repairs: "As glm45.", repeats: keepLast,
		Marks: []Mark{{"<param_key>", "</param_key>", Key}, {"<param_value>", "</param_value>", Value}},
		renderer: render.Pairs{Call: "<tool_call>%s", CallEnd: "</tool_call>",
			Pair: "<param_key>%s</param_key><param_value>%s</param_value>"}, results: result.Tag("tool_response"),
	},
	{
		Name: "iquestcoder", Fault: "F06", Families: "iquest-coder-v2", kin: "glm45", Doc: "As glm47, with its own tag.",
		Repairs: "As glm45.", repeats: keepLast,
		Marks: []Mark{{"<iquestcoder_tool_call>", "</iquestcoder_tool_call>", Wrap}},
		renderer: render.Pairs{Call: "<iquestcoder_tool_call>%s", CallEnd: "</iquestcoder_tool_call>",
			Pair: "<arg_key>%s</arg_key><arg_value>%s</arg_value>"}, results: result.Tag("tool_response"),
	},
	{
		Name: "hy_v3", Fault: "F06", Families: "hunyuan-v3 hy3", kin: "glm45 hermes",
		Doc: "As glm45, with a separator after the name, in one block.", Repairs: "As glm45; a token that ends the call.",
		repeats: keepLast,
		Marks:   []Mark{{"<tool_call>", "<end_of_tool_call>", Wrap}},
		renderer: render.Pairs{Open: "<tool_calls>", Shut: "</tool_calls>", Call: "<tool_call>%s<tool_sep>\n",
			CallEnd: "</tool_call>", Pair: "<arg_key>%s</arg_key>\n<arg_value>%s</arg_value>\n", Join: "\n"},
		results: result.Tag("tool_response"),
	},
	{
		Name: "hy_v4", Fault: "F06", Families: "hunyuan-v4 hy4", kin: "glm45 hermes",
		Doc: "As hy_v3, without the separator; each tag may have a suffix.", Repairs: "As glm45.", repeats: keepLast,
		renderer: render.Pairs{Open: "<tool_calls>", Shut: "</tool_calls>", Call: "<tool_call>%s", CallEnd: "</tool_call>",
			Pair: "<arg_key>%s</arg_key><arg_value>%s</arg_value>"}, results: result.Tag("tool_response"),
	},
	{
		Name: "k2_horizon", Fault: "F06", Families: "k2-horizon", kin: "glm45 hermes",
		Doc:     "As glm47, in one block, with a namespace before the tags; JSON objects are possible in place of the pairs.",
		Repairs: "Types between keys and values.", repeats: keepLast,
		renderer: render.Pairs{Open: "<ifm|tool_calls>", Shut: "</ifm|tool_calls>", Call: "<ifm|tool_call>%s",
			CallEnd: "</ifm|tool_call>", Pair: "<ifm|arg_key>%s</ifm|arg_key><ifm|arg_value>%s</ifm|arg_value>", Join: "\n"},
		results: result.Tag("tool_response"),
	},
	{
		Name: "solar_open2", Fault: "F06", Families: "solar-open", Doc: "The name, followed by keys and values, between special tokens.",
		Repairs: "A lost end token of an argument, a repeated argument.", repeats: keepFirst,
		Marks: []Mark{
			{"<|tool_call:start|>", "<|tool_call:end|>", Section}, {"<|tool_arg:start|>", "", Key},
			{"<|tool_arg:value|>", "<|tool_arg:end|>", Value}, {"<|think:start|>", "<|think:end|>", Think},
		},
		renderer: render.Pairs{Call: "<|tool_call:start|>%s\n", CallEnd: "<|tool_call:end|>",
			Pair: "<|tool_arg:start|>%s<|tool_arg:value|>%s<|tool_arg:end|>\n"}, results: result.Tag("tool_response"),
	},
}

var inlinePairs = render.Pairs{Call: "<tool_call>%s", CallEnd: "</tool_call>", Pair: "<arg_key>%s</arg_key><arg_value>%s</arg_value>"}
