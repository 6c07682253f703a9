package conformance

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// geminiForm is the generateContent API. Documentation: https://ai.google.dev/api/generate-content and
// https://ai.google.dev/gemini-api/docs/function-calling

var geminiForm = form{
	name: Gemini, title: "Gemini generateContent", list: "/models",
	key: func(h http.Header, key string) { h.Set("X-Goog-Api-Key", key) },
	urls: func(b base, model string, stream bool) []string {
		verb := ":generateContent"
		if stream {
			verb = ":streamGenerateContent?alt=sse"
		}
		path := "/models/" + strings.ReplaceAll(url.PathEscape(strings.TrimPrefix(model, "models/")), "%2F", "/") + verb
		return b.candidateURLs("/v1beta", path)
	},
	write: writeGemini, whole: wholeGemini, stream: streamGemini,
	refusal: func(t tree) string {
		if t.isList() { // streams without server-sent events return a list
			t = t.at(0)
		}
		if why := checkErrorObject(t, "message", "status"); why != "" || t.at("error", "code").isNumber() {
			return why
		}
		return `"error" has no number "code"`
	},
	models: func(t tree) []string {
		names := collectTexts(t, "models", "name")
		for i, n := range names {
			names[i] = strings.TrimPrefix(n, "models/")
		}
		return names
	},
	finishCalls: finishStop,
}

var geminiFinishes = func() map[string]string {
	kinds := map[string]string{"STOP": finishStop, "MAX_TOKENS": finishLength}
	for _, other := range strings.Fields(`SAFETY RECITATION LANGUAGE OTHER BLOCKLIST PROHIBITED_CONTENT SPII MALFORMED_FUNCTION_CALL IMAGE_SAFETY
		UNEXPECTED_TOOL_CALL TOO_MANY_TOOL_CALLS IMAGE_PROHIBITED_CONTENT NO_IMAGE IMAGE_RECITATION IMAGE_OTHER CONTINUATION MISSING_THOUGHT_SIGNATURE`) {
		kinds[other] = finishOther
	}
	return kinds
}()

func writeGemini(a *request, _ string, most int) map[string]any {
	body := map[string]any{"contents": geminiContents(a)}
	for _, m := range a.messages {
		if m.role == "system" {
			body["systemInstruction"] = map[string]any{"parts": []any{map[string]any{"text": m.text}}}
		}
	}
	config := map[string]any{"maxOutputTokens": most}
	if a.format != "" {
		config["responseMimeType"], config["responseJsonSchema"] = "application/json", tool{schema: a.format}.parameters()
	}
	if a.think {
		config["thinkingConfig"] = map[string]any{"includeThoughts": true}
	}
	body["generationConfig"] = config
	if a.tools != nil {
		var tools []any
		for _, t := range a.tools {
			tools = append(tools, map[string]any{"name": t.name, "description": t.about, "parametersJsonSchema": t.parameters()})
		}
		body["tools"] = []any{map[string]any{"functionDeclarations": tools}}
	}
	mode := map[string]any{}
	switch a.choice {
	case "":
		if a.allowed == nil {
			return body
		}
		mode["mode"], mode["allowedFunctionNames"] = "ANY", a.allowed
	case "auto", "none":
		mode["mode"] = strings.ToUpper(a.choice)
	case "required":
		mode["mode"] = "ANY"
	default:
		mode["mode"], mode["allowedFunctionNames"] = "ANY", []string{a.choice}
	}
	body["toolConfig"] = map[string]any{"functionCallingConfig": mode}
	return body
}

func geminiContents(a *request) []any {
	var out []any
	for i, m := range a.messages {
		switch m.role {
		case "system":
		case "tool":
			if i > 0 && a.messages[i-1].role == "tool" {
				last := out[len(out)-1].(map[string]any)
				last["parts"] = append(last["parts"].([]any), geminiResult(m.result))
				continue
			}
			out = append(out, map[string]any{"role": "user", "parts": []any{geminiResult(m.result)}})
		case "assistant":
			var parts []any
			if m.text != "" {
				parts = append(parts, map[string]any{"text": m.text})
			}
			for _, c := range m.calls {
				body := map[string]any{"name": c.name, "args": tool{schema: c.args}.parameters()}
				if c.id != "" {
					body["id"] = c.id
				}
				part := map[string]any{"functionCall": body}
				if c.item != "" {
					part["thoughtSignature"] = c.item
				}
				parts = append(parts, part)
			}
			out = append(out, map[string]any{"role": "model", "parts": parts})
		default:
			out = append(out, map[string]any{"role": "user", "parts": []any{map[string]any{"text": m.text}}})
		}
	}
	return out
}

func geminiResult(r result) map[string]any {
	member := "output"
	if r.failed {
		member = "error"
	}
	body := map[string]any{"name": r.name, "response": map[string]any{member: r.text}}
	if r.id != "" {
		body["id"] = r.id
	}
	return map[string]any{"functionResponse": body}
}

func wholeGemini(a *answer, t tree) {
	candidate := t.at("candidates", 0)
	geminiMembers(a, t, candidate, nil)
	geminiParts(a, candidate)
	if said := candidate.at("finishReason"); !said.isNull() {
		a.finishReason = said.text()
		a.finish = kindOf(geminiFinishes, a.finishReason)
	}
	geminiUsage(a, t.at("usageMetadata"))
}

// geminiMembers appends the required members that a response or stream event lacks to lacks.
func geminiMembers(a *answer, t, candidate tree, lacks []string) []string {
	for name, ok := range map[string]bool{
		"candidates": t.at("candidates").isList() || !t.at("usageMetadata").isNull(), "modelVersion": t.at("modelVersion").isString(),
		`candidates[0].content.role "model"`: candidate.at("content").isNull() || candidate.at("content", "role").text() == "model",
	} {
		if !ok && !slices.Contains(lacks, name) {
			lacks = append(lacks, name)
		}
	}
	if !a.request.stream {
		expectMembers(a, lacks)
	}
	return lacks
}

func geminiParts(a *answer, candidate tree) {
	for _, part := range candidate.at("content", "parts").list() {
		c := part.at("functionCall")
		switch {
		case c.ok:
			args := c.at("args")
			a.expect(args.isObject() || args.isNull(), "call_form", "args is not an object but %s", short(args.raw()))
			one := call{id: c.at("id").text(), name: c.at("name").text(), args: objectText(args), item: part.at("thoughtSignature").text()}
			if !args.ok {
				one.args = "{}" // args is optional: https://ai.google.dev/api/caching#FunctionCall
			}
			a.calls = append(a.calls, one)
		case part.at("thought").isTrue():
			a.expect(part.at("text").isString(), "reasoning_form", "a thought has no text")
			a.reasoning += part.at("text").text()
		default:
			a.text += part.at("text").text()
		}
	}
}

func geminiUsage(a *answer, u tree) {
	in, ok1 := u.at("promptTokenCount").count()
	total, ok2 := u.at("totalTokenCount").count()
	out, _ := u.at("candidatesTokenCount").count()
	thoughts, _ := u.at("thoughtsTokenCount").count()
	a.usage = usage{in, out + thoughts, total, ok1 && ok2}
}

func streamGemini(a *answer, events []event) {
	finishes, late := 0, false
	var lacks []string
	for _, e := range events {
		if e.tree.at("error").isObject() {
			a.err = errInStream(e.data)
			return
		}
		candidate := e.tree.at("candidates", 0)
		lacks = geminiMembers(a, e.tree, candidate, lacks)
		late = late || finishes > 0 && len(candidate.at("content", "parts").list()) > 0
		geminiParts(a, candidate)
		if said := candidate.at("finishReason"); !said.isNull() {
			finishes++
			a.finishReason = said.text()
			a.finish = kindOf(geminiFinishes, a.finishReason)
		}
		if u := e.tree.at("usageMetadata"); u.ok {
			geminiUsage(a, u)
		}
	}
	expectMembers(a, lacks)
	a.expect(finishes > 0, "stream_end", "no event has a finishReason")
	a.expect(finishes <= 1, "finish_one", "%d events have a finishReason", finishes)
	a.expect(!late, "stream_order", "a part follows the finishReason")
}
