package simulate

import (
	"slices"
	"strings"
)

// responsesMembers are the permitted top-level fields of a Responses request.
var responsesMembers = strings.Fields(`model input instructions stream stream_options tools tool_choice parallel_tool_calls text
	reasoning include max_output_tokens max_tool_calls store previous_response_id conversation background context_management
	truncation prompt service_tier metadata temperature top_p top_logprobs prompt_cache_key prompt_cache_options
	prompt_cache_retention safety_identifier user client_metadata`)

// responsesParts are the permitted content types of a message, by role.
var responsesParts = map[string][]string{
	"assistant": {"output_text", "refusal"},
	"user":      {"input_text", "input_image", "input_file", "input_audio"},
	"system":    {"input_text", "input_image", "input_file"},
	"developer": {"input_text", "input_image", "input_file"},
}

// responsesIDs are the required prefixes of item ids, by item type.
var responsesIDs = map[string]string{"message": "msg", "": "msg", "function_call": "fc", "custom_tool_call": "ctc", "reasoning": "rs"}

var responsesChecks = []check{
	responsesCheck("unknown-member", "members that the API does not have", "unknown_parameter", func(doc *node) *failure {
		if names := unknown(doc, responsesMembers); names != nil {
			return no(names[0], "Unknown parameter: '%s'.", names[0])
		}
		return nil
	}),
	responsesCheck("max-output-tokens", "room for at least 16 tokens", "integer_below_min_value", func(doc *node) *failure {
		n := doc.at("max_output_tokens").number()
		if n == "" || len(n) > 2 || len(n) == 2 && n >= "16" {
			return nil
		}
		return no("max_output_tokens", "Invalid 'max_output_tokens': integer below minimum value. Expected a value >= 16, but got %s instead.", n)
	}),
	responsesCheck("tools", "functions are flat, their names are words of at most 128 characters", "", func(doc *node) *failure {
		for _, t := range elements(doc.at("tools"), "tools[%d]") {
			if t.get("type").str() != "function" {
				continue
			}
			if !t.node.has("name") {
				return no(t.at+".name", "Missing required parameter: '%s.name'.", t.at).as("missing_required_parameter")
			}
			if f := openAIName(t.at+".name", t.get("name").str(), 128); f != nil {
				return f
			}
			if f := openAIFunction(t.node, t.at+".parameters"); f != nil {
				return f.as("invalid_function_parameters")
			}
		}
		return nil
	}),
	responsesCheck("strict-format", "schemas of strict answers keep to the subset", "invalid_json_schema", func(doc *node) *failure {
		form := doc.at("text", "format")
		if !form.at("strict").isTrue() {
			return nil
		}
		if why := strictSchema(form.at("schema")); why != "" {
			return no("text.format.schema", "Invalid schema for response_format '%s': %s", form.at("name").str(), why)
		}
		return nil
	}),
	responsesCheck("choice", "a choice of tools needs tools, and the tool that is chosen", "", func(doc *node) *failure {
		choice, name := doc.at("tool_choice"), doc.at("tool_choice", "name").str()
		declared := func(t *node) bool {
			return t.at("name").str() == name || slices.ContainsFunc(t.at("tools").list(), func(n *node) bool { return n.at("name").str() == name })
		}
		switch {
		case choice.str() == "required" && len(doc.at("tools").list()) == 0:
			return no("tool_choice", "Tool choice 'required' must be specified with 'tools' parameter.")
		case name != "" && !slices.ContainsFunc(doc.at("tools").list(), declared):
			return no("tool_choice", "Tool choice 'function' not found in 'tools' parameter.")
		}
		return nil
	}),
	responsesCheck("content", "parts are of a type that the role may have", "invalid_value", func(doc *node) *failure {
		for _, m := range elements(doc.at("input"), "input[%d]") {
			for _, p := range m.under("content", ".content[%d]") {
				allowed := responsesParts[m.get("role").str()]
				if kind := p.get("type").str(); allowed != nil && !slices.Contains(allowed, kind) {
					return no(p.at, "Invalid value: '%s'. Supported values are: '%s'.", kind, strings.Join(allowed, "', '"))
				}
			}
		}
		return nil
	}),
	responsesCheck("ids", "ids of items begin as their type asks, ids of calls have 1 to 64 characters", "", func(doc *node) *failure {
		for _, item := range elements(doc.at("input"), "input[%d]") {
			id, begin := item.get("id").str(), responsesIDs[item.get("type").str()]
			if id != "" && !strings.HasPrefix(id, begin) {
				return no(item.at+".id", "Invalid '%s.id': '%s'. Expected an ID that begins with '%s'.", item.at, id, begin).as("invalid_value")
			}
			call := item.get("call_id")
			if call.is("string") && call.text == "" {
				return no(item.at+".call_id", "Invalid '%s.call_id': empty string. Expected a string with minimum length 1, but got an empty string instead.", item.at).as("empty_string")
			}
			if f := tooLong(item.at+".call_id", call.str(), 64); f != nil {
				return f
			}
		}
		return nil
	}),
	responsesCheck("arguments", "arguments are text", "invalid_type", func(doc *node) *failure {
		for _, item := range elements(doc.at("input"), "input[%d]") {
			if args := item.get("arguments"); item.get("type").str() == "function_call" && !args.is("string") {
				return no(item.at+".arguments", "Invalid type for '%s.arguments': expected a string, but got %s instead.", item.at, aKind(args))
			}
		}
		return nil
	}),
	responsesCheck("pairing", "every call has an output, and every output a call before it", "", responsesPairing),
	responsesCheck("reasoning", "reasoning stands before what it led to, and was issued here", "", responsesReasoned),
	responsesCheck("json-word", "an answer in JSON must be asked for in words too", "", func(doc *node) *failure {
		if doc.at("text", "format", "type").str() != "json_object" || doc.at("input") == nil ||
			strings.Contains(strings.ToLower(doc.at("input").raw), "json") {
			return nil
		}
		return no("input", "Response input messages must contain the word 'json' in some form to use 'text.format' of type 'json_object'.")
	}),
	reasoningCheck(Responses, "sampling", "sampling that reasoning models refuse", reasoningSampling),
}

func responsesCheck(name, doc, code string, look func(*node) *failure) check {
	return check{CheckInfo: CheckInfo{name, Responses, "openai", doc}, code: code, examine: look}
}

func responsesPairing(doc *node) *failure {
	var open []string
	for _, item := range doc.at("input").list() {
		id := item.at("call_id").str()
		switch item.at("type").str() {
		case "function_call", "custom_tool_call":
			open = append(open, id)
		case "function_call_output", "custom_tool_call_output":
			i := slices.Index(open, id)
			if i < 0 {
				return no("input", "No tool call found for function call output with call_id %s.", id)
			}
			open = slices.Delete(open, i, i+1)
		}
	}
	if len(open) > 0 {
		return no("input", "No tool output found for function call %s.", open[0])
	}
	return nil
}

// responsesReasoned checks reasoning items: an assistant item must follow, encrypted_content must come from this
// server, and a call that the model made after reasoning needs its reasoning item. A reasoning item without
// encrypted_content is an error, because this server stores no items.
func responsesReasoned(doc *node) *failure {
	items := doc.at("input").list()
	thoughts := map[string]bool{}
	for i, item := range items {
		id := item.at("id").str()
		switch item.at("type").str() {
		case "reasoning":
			thoughts[strings.TrimPrefix(id, "rs_")] = true
			sealed := item.at("encrypted_content").str()
			switch {
			case i+1 == len(items) || !followsReasoning(items[i+1]):
				return no("input", "Item '%s' of type 'reasoning' was provided without its required following item.", id)
			case sealed == "":
				f := no("input", "Item with id '%s' not found. Items are not persisted when `store` is set to false. Try again with `store` "+
					"set to true, or remove this item from your input.", id)
				f.status = 404
				return f
			case !signedHere(Responses, sealed):
				return no("", "The encrypted content %s... could not be verified. Reason: Encrypted content could not be decrypted or parsed.", sealed[:min(len(sealed), 4)]).
					as("invalid_encrypted_content")
			}
		case "function_call":
			if of, _, marked := strings.Cut(strings.TrimPrefix(id, "fc_"), thoughtMark); marked && strings.HasPrefix(of, "sim") && !thoughts[of] {
				return no("input", "Item '%s' of type 'function_call' was provided without its required 'reasoning' item: 'rs_%s'.", id, of)
			}
		}
	}
	return nil
}

// followsReasoning reports whether an item may follow a reasoning item: the model wrote it.
func followsReasoning(item *node) bool {
	switch item.at("type").str() {
	case "function_call", "custom_tool_call", "reasoning":
		return true
	case "", "message":
		return item.at("role").str() == "assistant"
	}
	return false
}
