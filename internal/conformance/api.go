package conformance

import (
	"net/http"
	"slices"
	"strings"
)

// The names of the supported APIs, equal to the names of their wires.
const (
	Chat      = "openai"
	Responses = "responses"
	Anthropic = "anthropic"
	Gemini    = "gemini"
	Ollama    = "ollama"
)

// A form defines how an API encodes requests and responses.
type form struct {
	name  string
	title string

	// urls returns the candidate URLs of a request below the URL given by the user, best first.
	urls func(b base, model string, stream bool) []string
	// list is the path of the model list. It is appended to the URL of requests without their last path segments.
	list string
	key  func(h http.Header, key string)

	write   func(a *request, model string, most int) map[string]any
	whole   func(a *answer, t tree)
	stream  func(a *answer, events []event)
	refusal func(t tree) string // returns the defect in the body of an error response, "" for none
	models  func(t tree) []string

	lines       bool // a stream has one JSON object per line
	finishCalls string
}

// forms lists all APIs in the order in which Find tries them.
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

// Title returns the display name of an API, "" for an unknown one.
func Title(api string) string {
	if f := formOf(api); f != nil {
		return f.title
	}
	return ""
}

// A base is the URL of a server as given by the user, and root without a trailing version such as /v1.
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

// candidateURLs returns the URLs to try for a path, best first: path below the given URL, and below root + version.
func (b base) candidateURLs(version, path string) []string {
	out := []string{b.root + version + path, b.given + path}
	if b.given != b.root || !isBareHost(b.given) {
		slices.Reverse(out)
	}
	return slices.Compact(out)
}

// isBareHost reports whether a URL has no path.
func isBareHost(address string) bool {
	_, rest, _ := strings.Cut(address, "://")
	return !strings.Contains(rest, "/")
}

func bearer(h http.Header, key string) { h.Set("Authorization", "Bearer "+key) }

// collectTexts returns the string values of a member of all objects in a list.
func collectTexts(t tree, list, member string) []string {
	var out []string
	for _, m := range t.at(list).list() {
		if name := m.at(member).text(); name != "" {
			out = append(out, name)
		}
	}
	return out
}

// checkErrorObject implements form.refusal for APIs whose error is {"error":{...}} with the given string members.
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
