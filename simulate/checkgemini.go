package simulate

import (
	"fmt"
	"slices"
	"strings"
)

// geminiWords are the permitted fields of each message type of Google's API, in snake case. The key "" is the request.
var geminiWords = map[string][]string{
	"": strings.Fields(`contents system_instruction tools tool_config generation_config safety_settings cached_content labels
		service_tier store model continuation_token`),
	"generation_config": strings.Fields(`temperature top_p top_k candidate_count max_output_tokens stop_sequences seed presence_penalty
		frequency_penalty response_mime_type response_schema response_json_schema response_modalities thinking_config
		response_logprobs logprobs speech_config media_resolution image_config enable_enhanced_civic_answers`),
	"tool": strings.Fields(`function_declarations google_search google_search_retrieval code_execution url_context computer_use
		file_search google_maps mcp_servers`),
	"function": strings.Fields(`name description parameters parameters_json_schema response response_json_schema behavior`),
	"content":  strings.Fields("role parts"),
	"part": strings.Fields(`text thought thought_signature inline_data file_data function_call function_response tool_call
		tool_response executable_code code_execution_result video_metadata media_resolution part_metadata`),
	"function_call":     strings.Fields("name args id partial_args will_continue"),
	"function_response": strings.Fields("name response id parts will_continue scheduling"),
	"schema": strings.Fields(`type format title description nullable enum max_items min_items properties required min_properties
		max_properties min_length max_length pattern example any_of property_ordering default items minimum maximum`),
}

// geminiData are the fields of a part that contain its data. A part needs exactly one.
var geminiData = strings.Fields(`text inlineData fileData functionCall functionResponse toolCall toolResponse executableCode codeExecutionResult`)

// geminiSentinels are the values that Google documents as replacements for a lost thought signature.
var geminiSentinels = []string{"skip_thought_signature_validator", "context_engineering_is_the_way_to_go"}

// geminiChecks are the checks of Gemini's generateContent.
var geminiChecks = []check{
	geminiCheck("unknown-member", "members that the API does not have, all of them at once", geminiUnknown),
	geminiCheck("schema", "schemas in `parameters` keep to Google's form of them", func(doc *node) *failure {
		for _, f := range geminiFunctions(doc) {
			at := f.at + ".parameters"
			if f.node.has("parameters") && f.node.has("parametersJsonSchema") {
				return no("", "* GenerateContentRequest.%s: parameters and parameters_json_schema cannot both be set", f.at)
			}
			if why := geminiSchema(f.get("parameters"), at); why != "" {
				return no("", "%s", why)
			}
		}
		return nil
	}),
	geminiCheck("functions", "at most 128 functions, each with a name of its own", func(doc *node) *failure {
		names := map[string]bool{}
		all := geminiFunctions(doc)
		for _, f := range all {
			name := f.get("name").str()
			if !isGeminiName(name) {
				return no("", "* GenerateContentRequest.%s.name: %s\n", f.at, geminiNameRule)
			}
			if names[name] {
				return no("", "Duplicate function declaration found: %s", name)
			}
			names[name] = true
		}
		if len(all) > 128 {
			return no("", "The number of function declarations must be at most 128, got %d.", len(all))
		}
		return nil
	}),
	geminiCheck("choice", "a demand needs functions, and names only those that are declared", func(doc *node) *failure {
		calling := doc.at("toolConfig", "functionCallingConfig")
		mode, all := calling.at("mode").str(), geminiFunctions(doc)
		const at = "* GenerateContentRequest.tool_config.function_calling_config.allowed_function_names"
		allowed := calling.at("allowedFunctionNames").list()
		if mode == "ANY" && len(all) == 0 {
			return no("", "Function calling config is set without function_declarations.")
		}
		if len(allowed) > 0 && mode != "ANY" && mode != "VALIDATED" {
			return no("", "%s: allowed_function_names should be set only when function calling mode is ANY or VALIDATED.\n", at)
		}
		for i, name := range allowed {
			if !slices.ContainsFunc(all, func(f element) bool { return f.get("name").str() == name.str() }) {
				return no("", "%s[%d]: function %s is not declared.\n", at, i, name.str())
			}
		}
		return nil
	}),
	geminiCheck("contents", "contents have a role and parts, parts have data", geminiContents),
	geminiCheck("order", "calls come behind a user's turn or results, with their results directly behind them, as many as they are", geminiOrder),
	{CheckInfo: CheckInfo{"json-with-tools", Gemini, "gemini-2.5", "no answer in JSON beside functions"}, examine: func(doc *node) *failure {
		mime := doc.at("generationConfig", "responseMimeType").str()
		if mime == "" || mime == "text/plain" || len(geminiFunctions(doc)) == 0 {
			return nil
		}
		return no("", "Function calling with a response mime type: '%s' is unsupported", mime)
	}},
	{CheckInfo: CheckInfo{"signature", Gemini, "gemini-3",
		"the first call of each step of the current turn is signed, here or not at all"}, examine: geminiSigned},
}

func geminiCheck(name, doc string, look func(*node) *failure) check {
	return check{CheckInfo: CheckInfo{name, Gemini, "gemini", doc}, examine: look}
}

// geminiFunctions returns all function declarations of a request, with their paths.
func geminiFunctions(doc *node) []element {
	var out []element
	for _, t := range elements(doc.at("tools"), "tools[%d]") {
		out = append(out, elements(t.get("functionDeclarations"), t.at+".function_declarations[%d]")...)
	}
	return out
}

func geminiUnknown(doc *node) *failure {
	var said, fields []string
	look := func(n *node, kind, at string) {
		for _, name := range n.names() {
			if slices.Contains(geminiWords[kind], snake(name)) {
				continue
			}
			what := fmt.Sprintf("Invalid JSON payload received. Unknown name %q", name)
			if at != "" {
				what += " at '" + at + "'"
			}
			said = append(said, what+": Cannot find field.")
			fields = append(fields, object(member{"field", quote(at)}, member{"description", quote(what + ": Cannot find field.")}))
		}
	}
	look(doc, "", "")
	look(doc.at("generationConfig"), "generation_config", "generation_config")
	for _, t := range elements(doc.at("tools"), "tools[%d]") {
		look(t.node, "tool", t.at)
	}
	for _, f := range geminiFunctions(doc) {
		look(f.node, "function", f.at)
		geminiSchemas(f.get("parameters"), f.at+".parameters", func(n *node, at string) string { look(n, "schema", at); return "" })
	}
	for _, c := range elements(doc.at("contents"), "contents[%d]") {
		look(c.node, "content", c.at)
		for _, p := range c.under("parts", ".parts[%d]") {
			look(p.node, "part", p.at)
			look(p.get("functionCall"), "function_call", p.at+".function_call")
			look(p.get("functionResponse"), "function_response", p.at+".function_response")
		}
	}
	if said == nil {
		return nil
	}
	f := no("", "%s", strings.Join(said, "\n"))
	f.details = list([]string{object(member{"@type", `"type.googleapis.com/google.rpc.BadRequest"`}, member{"fieldViolations", list(fields)})})
	return f
}

// geminiSchemas calls visit for a schema and its subschemas until a call returns an error message, and returns it.
// Paths have Google's syntax, such as "properties[0].value".
func geminiSchemas(n *node, at string, visit func(*node, string) string) string {
	if !n.is("object") {
		return ""
	}
	if why := visit(n, at); why != "" {
		return why
	}
	inner := elements(n.at("properties").values(), at+".properties[%d].value")
	if items := n.at("items"); items != nil {
		inner = append(inner, element{items, at + ".items"})
	}
	for _, e := range append(inner, elements(n.at("anyOf"), at+".any_of[%d]")...) {
		if why := geminiSchemas(e.node, e.at, visit); why != "" {
			return why
		}
	}
	return ""
}

// geminiSchema returns the first fault of a schema in Google's subset, "" if there is none.
func geminiSchema(root *node, at string) string {
	return geminiSchemas(root, at, func(n *node, at string) string {
		kind := strings.ToUpper(n.at("type").str())
		for i, value := range n.at("enum").list() {
			if !value.is("string") {
				return fmt.Sprintf("Invalid value at '%s.enum[%d]' (TYPE_STRING), %s", at, i, value.raw)
			}
		}
		at = "* GenerateContentRequest." + at
		properties, format := n.at("properties").names(), n.at("format").str()
		switch {
		case n.at("type").is("array"):
			return "Invalid JSON payload received. Unknown name \"type\" at '" + strings.TrimPrefix(at, "* GenerateContentRequest.") +
				"': Proto field is not repeating, cannot start list."
		case n.has("anyOf") && len(n.keys) > 1:
			return at + ": when using any_of, it must be the only field set\n"
		case kind == "ARRAY" && !n.has("items"):
			return at + ".items: missing field.\n"
		case kind == "OBJECT" && len(properties) == 0:
			return at + ".properties: should be non-empty for OBJECT type\n"
		case kind == "STRING" && format != "" && format != "enum" && format != "date-time":
			return at + ".format: only 'enum' and 'date-time' are supported for STRING type\n"
		case n.has("enum") && kind != "STRING":
			return at + ".enum: only allowed for STRING type\n"
		}
		for i, r := range n.at("required").list() {
			if !slices.Contains(properties, r.str()) {
				return fmt.Sprintf("%s.required[%d]: property is not defined\n", at, i)
			}
		}
		for _, name := range properties {
			if !isGeminiName(name) || strings.ContainsAny(name, ".:-") || len(name) > 64 {
				return fmt.Sprintf("%s.properties: property name %s must be alphanumeric or underscores, begin with a letter or an underscore and have at most 64 characters\n", at, name)
			}
		}
		return ""
	})
}

func geminiContents(doc *node) *failure {
	if len(doc.at("contents").list()) == 0 {
		return no("", "* GenerateContentRequest.contents: contents is not specified\n")
	}
	for _, c := range elements(doc.at("contents"), "contents[%d]") {
		if _, ok := geminiRoles[c.get("role").str()]; !ok {
			return no("", "Please use a valid role: user, model.")
		}
		if len(c.get("parts").list()) == 0 {
			return no("", "* GenerateContentRequest.%s.parts: contents.parts must not be empty.\n", c.at)
		}
		for _, p := range c.under("parts", ".parts[%d]") {
			args, result := p.get("functionCall", "args"), p.get("functionResponse")
			const kind = "(type.googleapis.com/google.protobuf.Struct)"
			switch {
			case !slices.ContainsFunc(geminiData, p.node.has):
				return no("", "* GenerateContentRequest.%s.data: required oneof field 'data' must have one initialized field\n", p.at)
			case args != nil && !args.is("object"):
				return no("", "Invalid value at '%s.function_call.args' %s, %s", p.at, kind, args.raw)
			case result == nil:
			case !result.at("response").is("object"):
				return no("", "Invalid value at '%s.function_response.response' %s", p.at, kind)
			case result.at("name").str() == "":
				return no("", "* GenerateContentRequest.%s.function_response.name: Name cannot be empty.\n", p.at)
			}
		}
	}
	return nil
}

// geminiOrder checks the order of contents: calls follow a user turn or results, and results follow their calls. It
// pairs results with calls by id, or by name without ids.
func geminiOrder(doc *node) *failure {
	var open []*node
	before := ""
	for i, c := range doc.at("contents").list() {
		if len(open) > 0 && isBlankTurn(c) {
			continue
		}
		var calls, results []*node
		for _, p := range c.at("parts").list() {
			if call := p.at("functionCall"); call != nil {
				calls = append(calls, call)
			}
			if result := p.at("functionResponse"); result != nil {
				results = append(results, result)
			}
		}
		switch {
		case len(results) > 0 && len(open) == 0:
			return no("", "Please ensure that function response turn comes immediately after a function call turn.")
		case len(results) != len(open) || !geminiPairs(open, results):
			return no("", geminiCounts)
		case len(calls) > 0 && (i == 0 || before == "assistant"):
			return no("", "Please ensure that function call turn comes immediately after a user turn or after a function response turn.")
		}
		open, before = calls, geminiRoles[c.at("role").str()]
	}
	if len(open) > 0 {
		return no("", geminiCounts)
	}
	return nil
}

// geminiPairs reports whether each call has a result, paired by id or by name.
func geminiPairs(calls, results []*node) bool {
	left := slices.Clone(results)
	for _, c := range calls {
		id := c.at("id").str()
		i := slices.IndexFunc(left, func(r *node) bool { return id != "" && r.at("id").str() == id })
		if i < 0 {
			i = slices.IndexFunc(left, func(r *node) bool {
				return r.at("name").str() == c.at("name").str() && (id == "" || r.at("id").str() == "")
			})
		}
		if i < 0 {
			return false
		}
		left = slices.Delete(left, i, i+1)
	}
	return true
}

// geminiSigned checks thought signatures in the current turn: the contents after the last user content without function
// responses.
func geminiSigned(doc *node) *failure {
	contents := elements(doc.at("contents"), "%d")
	begin := 0
	for i, c := range contents {
		has := func(p *node) bool { return p.has("functionResponse") }
		if geminiRoles[c.get("role").str()] == "user" && !slices.ContainsFunc(c.get("parts").list(), has) {
			begin = i
		}
	}
	for i := begin; i < len(contents); i++ {
		for _, p := range contents[i].get("parts").list() {
			if !p.has("functionCall") {
				continue
			}
			switch sign := p.at("thoughtSignature").str(); {
			case sign == "":
				return no("", "Unable to submit request because function call `default_api:%s` in the %d. content block is missing a `thought_signature`.",
					p.at("functionCall", "name").str(), i+1)
			case !slices.Contains(geminiSentinels, sign) && !signedHere(Gemini, sign):
				return no("", "Corrupted thought signature.")
			}
			break // only the first call of a step is signed
		}
	}
	return nil
}
