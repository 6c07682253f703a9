package simulate

import "strings"

// ollamaChecks are the checks of /api/chat. There are few, because Ollama ignores unknown fields.
var ollamaChecks = []check{
	ollamaCheck("ollama", "types", "content is text and arguments are objects", func(doc *node) *failure {
		for _, m := range doc.at("messages").list() {
			if content := m.at("content"); content != nil && !content.is("string") && !content.is("null") {
				return no("", "json: cannot unmarshal %s into Go struct field ChatRequest.messages.content of type string", content.kind)
			}
			for _, c := range m.at("tool_calls").list() {
				if args := c.at("function", "arguments"); args != nil && !args.is("object") {
					return no("", "json: cannot unmarshal %s into Go struct field ChatRequest.messages.tool_calls.function.arguments of type "+
						"api.ToolCallFunctionArguments", args.kind)
				}
			}
		}
		return nil
	}),
	ollamaCheck("ollama", "images", "images are plain base64", func(doc *node) *failure {
		for _, m := range doc.at("messages").list() {
			for _, image := range m.at("images").list() {
				if i := strings.IndexByte(image.str(), ':'); i >= 0 {
					return no("", "illegal base64 data at input byte %d", i)
				}
			}
		}
		return nil
	}),
	ollamaCheck("ollama", "format", "the form of an answer is json or a schema", func(doc *node) *failure {
		if form := doc.at("format"); doc.has("format") && !form.is("object") && form.str() != "json" && form.raw != `""` {
			return no("", "invalid format: %s; expected \"json\" or a valid JSON Schema object", form.raw)
		}
		return nil
	}),
	ollamaCheck("ollama-plain", "tools", "no tools", func(doc *node) *failure {
		if len(doc.at("tools").list()) > 0 {
			return no("", "registry.ollama.ai/library/%s does not support tools", doc.at("model").str())
		}
		return nil
	}),
	ollamaCheck("ollama-plain", "thinking", "no thinking", func(doc *node) *failure {
		if think := doc.at("think"); doc.has("think") && (think.is("string") || think.isTrue()) {
			return no("", "%q does not support thinking", doc.at("model").str())
		}
		return nil
	}),
}

func ollamaCheck(profile, name, doc string, look func(*node) *failure) check {
	return check{CheckInfo: CheckInfo{name, Ollama, profile, doc}, examine: look}
}
