package simulate

import (
	"regexp"
	"strings"
)

// stubborn are faults of small models, which repeat a mistake after a correction unless the request changes in a way
// that affects decoding. Each fault lasts until the request has a certain property, whoever set it.
var stubborn = []row{
	fault("stubborn", "marked", "", "a required argument is missing until a correction quotes the arguments of the model",
		until(showsArguments, missing)).steady(),
	fault("stubborn", "named", "", "a required argument is missing until the tool choice names the tool, or its schema constrains the decoder", until(isToolDemanded, missing)).steady(),
	fault("stubborn", "schema", "", "a required argument is missing until the tool's schema constrains the decoder",
		until(isConstrained, missing)).steady(),
	fault("stubborn", "warm", "", "a required argument is missing unless the temperature is 0", until(cool, missing)).steady(),
	fault("stubborn", "loop", "", "at temperature 0 the call repeats itself until it is truncated, unless a penalty for repetition is set",
		until(canVary, loop)).steady().whenProvoked(),
}

// until returns a change that applies act unless ends returns true for the response.
func until(ends func(*response) bool, act func(*response)) func(*response) {
	return func(a *response) {
		if !ends(a) {
			act(a)
		}
	}
}

// memberName matches a member name in JSON text, such as `"city":`.
var memberName = regexp.MustCompile(`"\w+"\s*:`)

// showsArguments reports whether a message after the model's last turn quotes the arguments of its call: it contains
// all their member names as JSON.
func showsArguments(a *response) bool {
	history := a.seen.History
	at := len(history)
	for at > 0 && history[at-1].Role != "assistant" {
		at--
	}
	if at == 0 {
		return false
	}
	var said strings.Builder
	for _, m := range history[at:] {
		said.WriteString(m.Text)
		for _, r := range m.Results {
			said.WriteString(r.Text)
		}
	}
	wrote := history[at-1].Text
	for _, c := range history[at-1].Calls {
		wrote = c.Arguments // the arguments of the last call
	}
	if from := strings.LastIndex(wrote, `"arguments"`); from >= 0 {
		wrote = wrote[from+len(`"arguments"`):]
	}
	names := memberName.FindAllString(wrote, -1)
	for _, name := range names {
		if name = strings.TrimRight(name, ": \n"); name != `"arguments"` && !strings.Contains(said.String(), name) {
			return false
		}
	}
	return len(names) > 0
}

// isToolDemanded reports whether tool_choice requires the tool of the first call. Servers with constrained decoding
// apply the tool's schema then (https://docs.vllm.ai/en/latest/features/tool_calling.html, named function calling).
func isToolDemanded(a *response) bool {
	return len(a.calls) > 0 && a.seen.Choice == a.calls[0].name || isConstrained(a)
}

// isConstrained reports whether the request enables constrained decoding: by a response schema, a grammar or strict
// tools.
func isConstrained(a *response) bool {
	if strings.Contains(string(a.seen.Format), `"properties"`) {
		return true
	}
	doc, err := parseNode(a.seen.Body)
	if err != nil {
		return false
	}
	for _, t := range doc.at("tools").list() {
		if t.at("strict").isTrue() || t.at("function", "strict").isTrue() {
			return true
		}
	}
	return doc.has("grammar") || doc.at("structured_outputs").has("structural_tag") || doc.at("response_format", "type").str() == "structural_tag"
}

// sampling returns a sampling parameter of the request, by its name in Chat Completions. ok is false if it is missing.
func (s *Seen) sampling(name string) (text string, ok bool) {
	doc, err := parseNode(s.Body)
	if err != nil {
		return "", false
	}
	switch s.Wire {
	case Gemini:
		doc = doc.at("generationConfig")
		if name == "frequency_penalty" {
			name = "frequencyPenalty"
		}
	case Ollama:
		doc = doc.at("options")
	}
	n := doc.at(name)
	if n == nil || n.kind != "number" {
		return "", false
	}
	return n.text, true
}

func isZero(number string) bool { return strings.Trim(number, "0.-") == "" }

// cool reports whether the request sets the temperature to 0.
func cool(a *response) bool {
	t, ok := a.seen.sampling("temperature")
	return ok && isZero(t)
}

// canVary reports whether the model can leave a repetition: the temperature is not 0, or frequency_penalty is positive.
func canVary(a *response) bool {
	penalty, ok := a.seen.sampling("frequency_penalty")
	return !cool(a) || ok && !isZero(penalty) && !strings.HasPrefix(penalty, "-")
}

// loop replaces the first call by one that is truncated in a repeating string argument.
func loop(a *response) {
	if len(a.calls) == 0 {
		return
	}
	a.calls = a.calls[:1]
	a.calls[0].args = `{"city": "` + strings.Repeat("Oslo in Norway, ", 40)
	a.finish, a.capped = "length", true
}
