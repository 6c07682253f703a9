package conformance

import (
	"net/http"
	"slices"
	"strings"
)

// The APIs, by the names of their wires.
const (
	Chat      = "openai"
	Responses = "responses"
	Anthropic = "anthropic"
	Gemini    = "gemini"
	Ollama    = "ollama"
)

// A form is how an API writes requests and answers.
type form struct {
	name  string
	title string

	// urls are the addresses of a request below a root address and a base address, best first.
	urls func(b base, model string, stream bool) []string
	// list is the path of the list of models below the prefix of the answers' address.
	list string
	key  func(h http.Header, key string)

	write   func(a *ask, model string, most int) map[string]any
	whole   func(a *answer, t tree)
	stream  func(a *answer, events []event)
	refusal func(t tree) string // the break in the body of an error, "" for none
	models  func(t tree) []string

	lines       bool // a stream has one JSON object a line
	finishCalls string
}

// forms are in the order in which they are looked for.
var forms = []*form{&chatForm, &responsesForm, &anthropicForm, &geminiForm, &ollamaForm}

// APIs returns the names of all APIs.
func APIs() []string {
	var out []string
	for _, f := range forms {
		out = append(out, f.name)
	}
	return out
}

func formOf(api string) *form {
	i := slices.IndexFunc(forms, func(f *form) bool { return f.name == api })
	if i < 0 {
		return nil
	}
	return forms[i]
}

// Title is the name of an API for people, "" for an unknown one.
func Title(api string) string {
	if f := formOf(api); f != nil {
		return f.title
	}
	return ""
}

// A base is the address of a server as the user gave it, and without the version at its end.
type base struct{ given, root string }

func newBase(address string) base {
	given := strings.TrimRight(address, "/")
	root := given
	for _, version := range []string{"/v1beta", "/v1", "/api"} {
		if cut, ok := strings.CutSuffix(given, version); ok {
			root = cut
			break
		}
	}
	return base{given, root}
}

// candidateURLs are the addresses of a path below the given address, and below a version of the root.
func (b base) candidateURLs(version, path string) []string {
	out := []string{b.root + version + path, b.given + path}
	if b.given != b.root || !isBareHost(b.given) {
		slices.Reverse(out)
	}
	return slices.Compact(out)
}

// isBareHost reports that an address has no path.
func isBareHost(address string) bool {
	_, rest, _ := strings.Cut(address, "://")
	return !strings.Contains(rest, "/")
}

func bearer(h http.Header, key string) { h.Set("Authorization", "Bearer "+key) }

// collectTexts are the texts of a member of the elements of a list.
func collectTexts(t tree, list, member string) []string {
	var out []string
	for _, m := range t.at(list).list() {
		if name := m.at(member).text(); name != "" {
			out = append(out, name)
		}
	}
	return out
}

// checkErrorObject is the refusal of APIs whose error is an object with a message.
func checkErrorObject(t tree, members ...string) string {
	if !t.at("error").isObject() {
		return `the body has no object "error"`
	}
	for _, m := range members {
		if !t.at("error", m).isString() {
			return `"error" has no text "` + m + `"`
		}
	}
	return ""
}
