package prompt

// defaultSentences contains the sentences of templates whose source has no such sentences.
var defaultSentences = Sentences{
	Must:    "You must call a tool.\n",
	MustOne: "You must call the tool $(tool).\n",
	Single:  "Make at most one call in an answer.\n",
}

// general is the Text for dialects and model families without a Text of their own.
var general = Text{
	Name: "general", Version: 2, Slots: Bracketed,
	Body: "# Tools\n\nYou can call these tools:\n$(tools)\n\nTo call a tool, write exactly this and nothing after it:\n$(call)\n$(rules)",
	Sentences: Sentences{
		Must: defaultSentences.Must, MustOne: defaultSentences.MustOne, Single: defaultSentences.Single,
		None:    "If no tool is needed, answer in plain text.\n",
		Several: "Several calls may be made in one answer, one after the other.\n",
	},
}

// templates is the URL of the chat templates in llama.cpp. With native calls, servers write the prompt by these
// templates.
const templates = "https://github.com/ggml-org/llama.cpp/blob/master/models/templates/"

// qwenBody is the Body of Qwen templates, from the chat templates of Qwen 2.5 and Qwen 3.
const qwenBody = "# Tools\n\nYou may call one or more functions to assist with the user query.\n\n" +
	"You are provided with function signatures within <tools></tools> XML tags:\n$(tools)\n\n" +
	"For each function call, return a json object with function name and arguments within <tool_call></tool_call> XML tags:\n" +
	"<tool_call>\n{\"name\": <function-name>, \"arguments\": <args-json-object>}\n</tool_call>"

// Sentences of the variants of the qwen template.
const (
	oneCallEach = "When the request asks for several things, make one function call for each of them, each within its own <tool_call></tool_call> XML tags.\n"
	noneFits    = "If none of the functions fits the request, answer in plain text.\n"
)

// texts lists all templates of the mode text. Models were trained on the chat template of their family, so its words
// are used unchanged.
var texts = []Text{
	general,
	{
		Name: "qwen", Version: 1, Formats: "hermes", Source: templates + "Qwen-Qwen2.5-7B-Instruct.jinja",
		Body:      qwenBody,
		Sentences: defaultSentences,
	},
	// Qwen2.5-Coder models write a call as one object in a Markdown code block, whichever tags the prompt requests, and
	// then end the answer. A JSON array in the code block has all calls.
	{
		Name: "qwen-coder", Version: 1, Formats: "hermes", AlsoParses: "markdown_fence", Families: "qwen2.5-coder qwen-2.5-coder",
		Body: "# Tools\n\nYou may call one or more functions to assist with the user query.\n\n" +
			"You are provided with function signatures within <tools></tools> XML tags:\n$(tools)\n\n" +
			"To call functions, return a json list with an object for each function call, with function name and arguments, in a code block:\n" +
			"```json\n[{\"name\": <function-name>, \"arguments\": <args-json-object>}]\n```",
		Sentences: defaultSentences,
	},
	{
		Name: "hermes", Version: 1, Formats: "hermes", Families: "hermes-2 hermes-3 nous",
		Source: templates + "NousResearch-Hermes-3-Llama-3.1-8B-tool_use.jinja",
		Body: "You are a function calling AI model. You are provided with function signatures within <tools></tools> XML tags. " +
			"You may call one or more functions to assist with the user query. Don't make assumptions about what values to plug into functions. " +
			"Here are the available tools: $(tools)" +
			`Use the following pydantic model json schema for each tool call you will make: {"properties": {"name": {"title": "Name", "type": "string"}, ` +
			`"arguments": {"title": "Arguments", "type": "object"}}, "required": ["name", "arguments"], "title": "FunctionCall", "type": "object"}` + "\n" +
			"For each function call return a json object with function name and arguments within <tool_call></tool_call> XML tags as follows:\n" +
			"<tool_call>\n{\"name\": <function-name>, \"arguments\": <args-dict>}\n</tool_call>",
		Sentences: defaultSentences,
	},
	{
		Name: "smollm2", Version: 1, Formats: "hermes", Families: "smollm2",
		Source: "https://huggingface.co/HuggingFaceTB/SmolLM2-1.7B-Instruct/blob/main/instructions_function_calling.md",
		Body: "You are an expert in composing functions. You are given a question and a set of possible functions. \n" +
			"Based on the question, you will need to make one or more function/tool calls to achieve the purpose. \n" +
			"If none of the functions can be used, point it out and refuse to answer. \n" +
			"If the given question lacks the parameters required by the function, also point it out.\n\n" +
			"You have access to the following tools:\n$(tools)\n\n" +
			"The output MUST strictly adhere to the following format, and NO other text MUST be included.\n" +
			"The example format is as follows. Please make sure the parameter type is correct. If no function call is needed, please make the tool calls an empty list '[]'.\n" +
			"<tool_call>[\n{\"name\": \"func_name1\", \"arguments\": {\"argument1\": \"value1\", \"argument2\": \"value2\"}},\n... (more tool calls as required)\n]</tool_call>",
		Sentences: defaultSentences,
	},
	{
		Name: "granite4", Version: 1, Formats: "granite4", Source: templates + "ibm-granite-granite-4.0.jinja",
		Body: "You are a helpful assistant with access to the following tools. You may call one or more tools to assist with the user query.\n\n" +
			"You are provided with function signatures within <tools></tools> XML tags:\n$(tools)\n\n" +
			"For each tool call, return a json object with function name and arguments within <tool_call></tool_call> XML tags:\n" +
			"<tool_call>\n{\"name\": <function-name>, \"arguments\": <args-json-object>}\n</tool_call>. " +
			"If a tool does not exist in the provided list of tools, notify the user that you do not have the ability to fulfill the request.",
		Sentences: defaultSentences,
	},
	{
		Name: "granite3", Version: 1, Formats: "granite3", Source: templates + "ibm-granite-granite-3.3-2B-Instruct.jinja",
		Body: "You are a helpful assistant with access to the following tools. When a tool is required to answer the user's query, respond only with <|tool_call|> " +
			"followed by a JSON list of tools used. If a tool does not exist in the provided list of tools, notify the user that you do not have the ability " +
			"to fulfill the request.\n\n$(tools)\n\nA list with one call:\n$(call)",
		Sentences: defaultSentences,
	},
	{
		Name: "llama3", Version: 1, Formats: "llama3_json", Source: templates + "meta-llama-Llama-3.2-3B-Instruct.jinja",
		Body: "You have access to the following functions. To call a function, please respond with JSON for a function call." +
			`Respond in the format {"name": function name, "parameters": dictionary of argument name and its value}.` +
			"Do not use variables.\n\n$(tools)\n",
		Sentences: defaultSentences,
	},
	{
		Name: "gemma3", Version: 1, Formats: "pythonic", Families: "gemma",
		Source: "https://ai.google.dev/gemma/docs/capabilities/function-calling",
		Body: "You have access to functions. If you decide to invoke any of the function(s),\nyou MUST put it in the format of\n" +
			"[func_name1(params_name1=params_value1, params_name2=params_value2...), func_name2(params)]\n\n" +
			"You SHOULD NOT include any other text in the response if you call a function\n$(tools)",
		Sentences: defaultSentences,
	},
	{
		Name: "llama4", Version: 1, Formats: "llama4_pythonic", Source: "https://www.llama.com/docs/model-cards-and-prompt-formats/llama4/",
		Body: "You are a helpful assistant and an expert in function composition. You can answer general questions using your internal knowledge " +
			"OR invoke functions when necessary. Follow these strict guidelines:\n\n1. FUNCTION CALLS:\n" +
			"- ONLY use functions that are EXPLICITLY listed in the function list below\n" +
			"- If ALL required parameters are present AND the query EXACTLY matches a listed function's purpose: output ONLY the function call(s)\n" +
			"- Use exact format: [func_name1(param1=value1, param2=value2), func_name2(...)]\n\n$(tools)",
		Sentences: defaultSentences,
	},
	{
		Name: "qwen3-coder", Version: 1, Formats: "qwen3_coder nemotron3", Source: templates + "NVIDIA-Nemotron-3-Nano-30B-A3B-BF16.jinja",
		Body: "# Tools\n\nYou have access to the following functions:\n\n$(tools)\n\n" +
			"If you choose to call a function ONLY reply in the following format with NO suffix:\n\n" +
			"<tool_call>\n<function=example_function_name>\n<parameter=example_parameter_1>\nvalue_1\n</parameter>\n<parameter=example_parameter_2>\n" +
			"This is the value for the second parameter\nthat can span\nmultiple lines\n</parameter>\n</function>\n</tool_call>\n\n<IMPORTANT>\nReminder:\n" +
			"- Function calls MUST follow the specified format: an inner <function=...></function> block must be nested within <tool_call></tool_call> XML tags\n" +
			"- Required parameters MUST be specified\n" +
			"- You may provide optional reasoning for your function call in natural language BEFORE the function call, but NOT after\n" +
			"- If there is no function call available, answer the question like normal with your current knowledge and do not tell the user about function calls\n" +
			"</IMPORTANT>",
		Sentences: defaultSentences,
	},
	{
		Name: "step3.5", Version: 1, Formats: "step3p5", Source: templates + "StepFun3.5-Flash.jinja",
		Body: "# Tools\n\nYou have access to the following functions in JSONSchema format:\n\n$(tools)\n\n" +
			"If you choose to call a function ONLY reply in the following format with NO suffix:\n\n" +
			"<tool_call>\n<function=example_function_name>\n<parameter=example_parameter_1>\nvalue_1\n</parameter>\n<parameter=example_parameter_2>\n" +
			"This is the value for the second parameter\nthat can span\nmultiple lines\n</parameter>\n</function>\n</tool_call>\n\n<IMPORTANT>\nReminder:\n" +
			"- Function calls MUST follow the specified format: an inner <function=...>\n...\n</function> block must be nested within <tool_call>\n...\n</tool_call> XML tags\n" +
			"- Required parameters MUST be specified\n</IMPORTANT>",
		Sentences: defaultSentences,
	},
	{
		Name: "glm", Version: 1, Formats: "glm45 glm47", Source: templates + "GLM-4.6.jinja",
		Body: "# Tools\n\nYou may call one or more functions to assist with the user query.\n\n" +
			"You are provided with function signatures within <tools></tools> XML tags:\n$(tools)\n\n" +
			"For each function call, output the function name and arguments within the following XML format:\n" +
			"<tool_call>{function-name}\n<arg_key>{arg-key-1}</arg_key>\n<arg_value>{arg-value-1}</arg_value>\n" +
			"<arg_key>{arg-key-2}</arg_key>\n<arg_value>{arg-value-2}</arg_value>\n...\n</tool_call>",
		Sentences: defaultSentences,
	},
	{
		Name: "deepseek-v3.1", Version: 1, Formats: "deepseek_v31", Source: "https://huggingface.co/deepseek-ai/DeepSeek-V3.1#toolcall",
		Body: "## Tools\nYou have access to the following tools:\n\n$(tools)\n\nIMPORTANT: ALWAYS adhere to this exact format for tool use:\n" +
			"<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>tool_call_name<｜tool▁sep｜>tool_call_arguments<｜tool▁call▁end｜>{additional_tool_calls}<｜tool▁calls▁end｜>\n\n" +
			"Where:\n- `tool_call_name` must be an exact match to one of the available tools\n" +
			"- `tool_call_arguments` must be valid JSON that strictly follows the tool's Parameters Schema\n" +
			"- For multiple tool calls, chain them directly without separators or spaces",
		Sentences: defaultSentences,
	},
	{
		Name: "deepseek-v3.2", Version: 1, Formats: "deepseek_v32", Source: templates + "deepseek-ai-DeepSeek-V3.2.jinja",
		Body: "## Tools\n\nYou have access to a set of tools you can use to answer the user's question.\n" +
			"You can invoke functions by writing a \"<｜DSML｜function_calls>\" block like the following as part of your reply to the user:\n" +
			"<｜DSML｜function_calls>\n<｜DSML｜invoke name=\"$FUNCTION_NAME\">\n" +
			"<｜DSML｜parameter name=\"$PARAMETER_NAME\" string=\"true|false\">$PARAMETER_VALUE</｜DSML｜parameter>\n...\n</｜DSML｜invoke>\n" +
			"<｜DSML｜invoke name=\"$FUNCTION_NAME2\">\n...\n</｜DSML｜invoke>\n</｜DSML｜function_calls>\n\n" +
			"String and scalar parameters should be specified as is without any escaping or quotes, while lists and objects should use JSON format. " +
			"The \"string\" attribute should be set to \"true\" for string type parameters and \"false\" for other types (numbers, booleans, arrays, objects).\n\n" +
			"Here are the functions available in JSONSchema format:\n$(tools)",
		Sentences: defaultSentences,
	},
	{
		Name: "minimax-m2", Version: 1, Formats: "minimax_m2", Source: templates + "MiniMax-M2.jinja",
		Body: "# Tools\nYou may call one or more tools to assist with the user query.\nHere are the tools available in JSONSchema format:\n\n$(tools)\n\n" +
			"When making tool calls, use XML format to invoke tools and pass parameters:\n\n<minimax:tool_call>\n<invoke name=\"tool-name-1\">\n" +
			"<parameter name=\"param-key-1\">param-value-1</parameter>\n<parameter name=\"param-key-2\">param-value-2</parameter>\n...\n</invoke>\n</minimax:tool_call>",
		Sentences: defaultSentences,
	},
	{
		Name: "minimax-m1", Version: 1, Formats: "minimax_m1", Source: templates + "MiniMax-M1.jinja",
		Body: "You are provided with these tools:\n$(tools)\n\nIf you need to call tools, please respond with <tool_calls></tool_calls> XML tags, and provide tool-name " +
			"and json-object of arguments, following the format below:\n<tool_calls>\n{\"name\": <tool-name>, \"arguments\": <args-json-object>}\n...\n</tool_calls>",
		Sentences: defaultSentences,
	},
	{
		Name: "nemotron", Version: 1, Formats: "nemotron_toolcall", Source: templates + "NVIDIA-Nemotron-Nano-v2.jinja",
		Body: "You can use the following tools to assist the user if required:\n$(tools)\n\nIf you decide to call any tool(s), use the following format:\n" +
			"<TOOLCALL>[{{\"name\": \"tool_name1\", \"arguments\": \"tool_args1\"}}, {{\"name\": \"tool_name2\", \"arguments\": \"tool_args2\"}}]</TOOLCALL>\n\n" +
			"The user will execute tool-calls and return responses from tool(s) in this format:\n<TOOL_RESPONSE>[{{\"tool_response1\"}}, {{\"tool_response2\"}}]</TOOL_RESPONSE>\n\n" +
			"Based on the tool responses, you can call additional tools if needed, correct tool calls if any errors are found, or just respond to the user.",
		Sentences: defaultSentences,
	},
	{
		Name: "gpt-oss", Version: 1, Formats: "harmony", Source: templates + "openai-gpt-oss-120b.jinja",
		Body: "# Tools\n\n## functions\n\n$(tools)\n\nCalls to these tools must go to the commentary channel: 'functions'. A call is written like this:\n$(call)",
		Sentences: Sentences{
			Must: defaultSentences.Must, MustOne: defaultSentences.MustOne, Single: defaultSentences.Single,
			None: general.None, Several: general.Several,
		},
	},
	{
		Name: "general+capitals", Version: 1, Variant: true, Slots: Capitals, Body: general.Body, Sentences: general.Sentences,
	},
	{
		Name: "general+declared", Version: 1, Variant: true, Slots: Declared, Body: general.Body, Sentences: general.Sentences,
	},
	{
		Name: "general+signatures", Version: 1, Variant: true, List: Signatures, Body: general.Body, Sentences: general.Sentences,
	},
	{
		Name: "general+adaptive", Version: 1, Variant: true, List: Adaptive, Body: general.Body, Sentences: general.Sentences,
	},
	{
		Name: "qwen+several", Version: 1, Variant: true, Formats: "hermes", Body: qwenBody,
		Sentences: Sentences{Must: defaultSentences.Must, MustOne: defaultSentences.MustOne, Single: defaultSentences.Single, Several: oneCallEach},
	},
	{
		Name: "qwen+none", Version: 1, Variant: true, Formats: "hermes", Body: qwenBody,
		Sentences: Sentences{Must: defaultSentences.Must, MustOne: defaultSentences.MustOne, Single: defaultSentences.Single, None: noneFits},
	},
	{
		Name: "qwen+both", Version: 1, Variant: true, Formats: "hermes", Body: qwenBody,
		Sentences: Sentences{Must: defaultSentences.Must, MustOne: defaultSentences.MustOne, Single: defaultSentences.Single, Several: oneCallEach, None: noneFits},
	},
	{
		Name: "qwen+signatures", Version: 1, Variant: true, Formats: "hermes", List: Signatures, Body: qwenBody, Sentences: defaultSentences,
	},
}
