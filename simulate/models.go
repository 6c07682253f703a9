package simulate

import (
	"encoding/json"
	"net/http"
	"strings"
)

// native is the model that behaves well.
const native = "native"

// A modelList is a way to list models: where it is asked for, and how a model and the whole list are written.
type modelList struct {
	asked  func(*http.Request) bool
	member string // that holds the models
	model  func(name string) map[string]any
	whole  func(names []string) map[string]any // further members
}

// modelLists are tried in order.
var modelLists = []modelList{
	{
		asked:  func(r *http.Request) bool { return strings.HasSuffix(r.URL.Path, "/api/tags") },
		member: "models",
		model: func(name string) map[string]any {
			return map[string]any{"name": name, "model": name, "modified_at": createdText, "size": 1, "digest": digest(name),
				"details": map[string]any{"format": "gguf", "family": "sim"}}
		},
	},
	{
		asked: func(r *http.Request) bool {
			return strings.Contains(r.URL.Path, "/v1beta") || r.Header.Get("x-goog-api-key") != "" || r.URL.Query().Has("key")
		},
		member: "models",
		model: func(name string) map[string]any {
			return map[string]any{"name": "models/" + name, "displayName": name, "inputTokenLimit": 1 << 20, "outputTokenLimit": 1 << 16,
				"supportedGenerationMethods": []string{"generateContent"}}
		},
	},
	{
		asked:  func(r *http.Request) bool { return r.Header.Get("anthropic-version") != "" },
		member: "data",
		model: func(name string) map[string]any {
			return map[string]any{"type": "model", "id": name, "display_name": name, "created_at": createdText}
		},
		whole: func(names []string) map[string]any {
			return map[string]any{"has_more": false, "first_id": names[0], "last_id": names[len(names)-1]}
		},
	},
	{
		asked:  func(*http.Request) bool { return true },
		member: "data",
		model: func(name string) map[string]any {
			return map[string]any{"object": "model", "id": name, "created": created, "owned_by": "sim"}
		},
		whole: func([]string) map[string]any { return map[string]any{"object": "list"} },
	},
}

// listModels names a well-behaved model, one for every fault, every family and every strict profile, in the shape that
// the client asks for by path or header.
func listModels(w http.ResponseWriter, r *http.Request) {
	names := []string{native}
	for _, f := range Faults() {
		names = append(names, f.Model())
	}
	for _, f := range families {
		names = append(names, f.Name+like)
	}
	for _, p := range Profiles() {
		names = append(names, p.Model())
	}
	for _, l := range modelLists {
		if !l.asked(r) {
			continue
		}
		var models []map[string]any
		for _, n := range names {
			models = append(models, l.model(n))
		}
		list := map[string]any{}
		if l.whole != nil {
			list = l.whole(names)
		}
		list[l.member] = models
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(list) // the client may be gone
		return
	}
}

// isKnown reports whether the server lists a model of this name, or could.
func isKnown(model string) bool {
	last := model[strings.LastIndexByte(model, '/')+1:]
	if _, ok := familyOf(model); ok || last == native || strings.HasPrefix(last, strictPrefix) {
		return true
	}
	_, ok := ParseFault(model)
	return ok
}

// noSuchModel returns each provider's error for the name of an unknown model. On Responses this is a 400.
func noSuchModel(wire, model string) *failure {
	f := &failure{status: http.StatusNotFound}
	switch wire {
	case OpenAI, Responses:
		f.message, f.param, f.code = "The model `"+model+"` does not exist or you do not have access to it.", "model", "model_not_found"
		if wire == Responses {
			f.status = http.StatusBadRequest
		}
	case Anthropic:
		f.message = "model: " + model
	case Gemini:
		f.message = "models/" + model + " is not found for API version v1beta, or is not supported for generateContent."
	case Ollama:
		f.message = "model '" + model + "' not found"
	}
	return f
}
