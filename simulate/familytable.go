package simulate

// Values of Share.Source for probabilities that are assumed because no number is published.
const (
	assumedRare   = "assumed: reported as rare, without public numbers"
	assumedSome   = "assumed: reported by several projects, without public numbers"
	assumedWay    = "assumed: all variants are equally frequent"
	assumedCommon = "assumed: reported by many projects, without public numbers"
)

// transport are the faults that every provider shows occasionally, such as status 429.
var transport = []Share{
	share("429", rare*5, assumedSome),
	share("503", rare*2, assumedRare),
	share("midstream-cut", rare, assumedRare),
}

var families = []Family{
	{Name: "openai", Doc: "OpenAI's models over their own API, with native calls", Mix: Mix{Faults: append([]Share{
		// Native calls of a hosted model with a reliable parser: 0.42 % violate their schema, 0.28 % have an undeclared name.
		share("wrong_then_right", 0.0042, "Accenture/mcp-bench#12: 99.58 % of the calls comply with their schema"),
		share("bad_name-unknown", 0.0028, "Accenture/mcp-bench#12: 99.72 % of the names are valid"),
		share("finish-stop_with_calls", often, "ENTERPILOT/GoModel#124, mastra#14187; "+assumedCommon),
		share("optional_placeholder-null", often, "can1357/oh-my-pi#2981, moltis#283; "+assumedCommon),
		share("optional_placeholder-empty", some, "can1357/oh-my-pi#2981; "+assumedSome),
		share("stringify-array", some, "earendil-works/pi#5697; "+assumedSome),
		share("bad_name-prefix", some, "opencode#10558; "+assumedSome),
		share("empty_turn", rare, "hermes-agent#6488; "+assumedRare),
		share("intent_no_call", rare, "OpenHands/software-agent-sdk#1896; "+assumedRare),
		share("truncate-at", rare, "QwenLM/qwen-code#2021; "+assumedRare),
		share("json_damage-missing_brace", rare, "mastra#14033; "+assumedRare),
		share("id-dup", rare, "continuedev/continue#12627; "+assumedRare),
	}, transport...)}},

	{Name: "claude", Doc: "Claude behind an endpoint that returns its calls as text", Mix: Mix{
		// Formats of text calls: nearly all blocks in the two archives that were counted have no wrapper.
		Forms: []Share{
			share("anthropic_invoke-unwrapped", 0.6, "anthropics/claude-code#77061, #75326: all blocks of two archives; "+assumedCommon),
			share("anthropic_invoke-plain", 0.35, "the format of Anthropic's own prompt; assumed"),
			share("anthropic_invoke-array", 0.05, assumedSome),
		},
		Faults: append([]Share{
			share("anthropic_invoke-wrong_closer", 0.00125, "anthropics/claude-code#83088: 27 of 21,682 calls"),
			share("intent_no_call", 0.00395, "anthropics/claude-code#70544: 0.395 % of the calls in the main sessions had no effect"),
			share("stringify-array", often, "openclaw#96966, 45 in one GAIA run; "+assumedCommon),
			share("stringify-object", some, "openclaw#96966; "+assumedSome),
			share("companion_text-native", 0.2, "assumed: Claude announces its calls in text"),
			share("quoted_markup", rare, "sgl-project/sglang#38624; "+assumedRare),
			share("truncate-at", rare, "LibreChat-AI/agents#280; "+assumedRare),
			share("empty_turn", rare, "dust-tt/dust#29820; "+assumedRare),
		}, transport...)}},

	{Name: "llama", Doc: "Llama 3 behind an engine without a tool call parser", Mix: Mix{
		// Llama's documentation shows three formats for calls; the prompt determines which one a model uses. The templates
		// use JSON with "parameters".
		Forms: []Share{
			share("text_json-keys_parameters", 0.7, "llama.com, JSON based tool calling, and atwmarshall/dead-reckoning#30; the share is assumed"),
			share("text_json-prose_before", 0.1, assumedCommon),
			share("text_json-fence", 0.1, assumedCommon),
			share("pythonic", 0.05, "llama.com, zero shot tool calling; the share is assumed"),
			share("hermes", 0.05, "NVIDIA/NemoClaw#2731; the share is assumed"),
		},
		Faults: append([]Share{
			share("stringify-number", 0.05, "oracle/langchain-oracle#52, HunorLaczko/ha-groq-cloud-api#20; "+assumedCommon+
				"; five times as high for a small model"),
			share("stringify-array", 0.03, "the same; assumed"),
			share("wrong_then_right", 0.0042, "Accenture/mcp-bench#12: 99.58 % of the calls comply with their schema"),
			share("bad_name-unknown", 0.02, "atwmarshall/dead-reckoning#30; "+assumedCommon+"; twice as high for a small model"),
			share("intent_no_call", 0.02, "ollama/ollama#6355; "+assumedCommon+"; twice as high for a small model"),
			share("json_damage-missing_brace", often, "ollama/ollama#11381; "+assumedCommon),
			share("json_damage-python", some, assumedSome),
			share("key_rename", some, assumedSome),
			share("repeat", some, "opencode#28596; "+assumedSome),
			share("empty_turn-after_tool", some, "ollama/ollama#6355; "+assumedSome),
			share("truncate-lie_finish", rare, assumedRare),
		}, transport...)}},

	{Name: "qwen", Doc: "Qwen 3 Coder behind an engine whose parser fails sometimes", Mix: Mix{
		Forms: []Share{
			share("qwen3xml-orphan", 0.15, "vitali87/code-graph-rag#236: 15 to 20 % of the runs with a long prompt"),
			share("qwen3xml", 0.025, "the same"),
		},
		Faults: append([]Share{
			share("bad_name-unknown", 0.0028, "Accenture/mcp-bench#12: 99.72 % of the names are valid"),
			share("wrong_then_right", 0.0042, "Accenture/mcp-bench#12: 99.58 % of the calls comply with their schema"),
			share("engine500_with_payload", some, "ggml-org/llama.cpp#20260; "+assumedSome),
			share("in_think-only", some, "vllm#55759; "+assumedSome),
			share("repeat", some, "opencode#28596; "+assumedSome),
		}, transport...)}},

	{Name: "kimi", Doc: "Kimi K2 at a provider with faulty calls", Mix: Mix{
		Forms: []Share{share("kimi-sectionless", some, "vllm#31207; "+assumedSome), share("kimi", some, "hermes-agent#24534; "+assumedSome)},
		Faults: append([]Share{
			share("wrong_then_right", 0.194, "MoonshotAI/K2-Vendor-Verifier#9: 222 of 1,144 calls violate their schema"),
			share("id-per_round", often, "hermes-agent#88324; "+assumedCommon),
		}, transport...)}},

	{Name: "small", Doc: "a model of 0.5 to 1.5 billion parameters on a local server, which repeats its mistakes", Mix: Mix{
		// In 420 conversations with two models of the Qwen2.5-Coder series (test/live/testdata), 14 needed a correction, 3 of
		// 100. 5 of the 14 were cut in a repetition that recurred after each correction. The shares are ten times as high, so
		// that a thousand conversations have enough cases. No data shows which change ends the faulty arguments, so the ways
		// are assumed to be equally frequent.
		Faults: []Share{
			share("bad_name-unknown", 0.10, "test/live/testdata: 4 of 420, multiplied by 10"),
			share("wrong_then_right", 0.05, "test/live/testdata: 2 of 420 were right after a correction, multiplied by 10"),
		},
		Habits: []Share{
			share("stubborn-loop", 0.12, "test/live/testdata: 5 of 420, multiplied by 10"),
			share("stubborn-marked", 0.05, assumedWay),
			share("stubborn-named", 0.05, assumedWay),
			share("stubborn-schema", 0.05, assumedWay),
			share("stubborn-warm", 0.05, assumedWay),
		},
	}},
}

// share returns a Share for the fault with the given model name, such as "bad_name-prefix".
func share(name string, p float64, source string) Share {
	return Share{Fault: faultIn(name), P: p, Source: source}
}
