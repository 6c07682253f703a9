package simulate

import (
	"encoding/json"
	"net/http"
	"strings"
)

// native is the name of the model without faults.
const native = "native"

// A modelList is an API for listing models. asked reports whether a request uses it, and model encodes one model.
type modelList struct {
	asked  func(*http.Request) bool
	member string // the member that contains the list
	model  func(name string) map[string]any
	whole  func(names []string) map[string]any // further members of the response
}

// modelLists are the APIs; the first whose asked returns true is used.
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

// listModels writes the list of models: native, one model per fault, family and strict profile. The path and the
// headers select the API.
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
		_ = json.NewEncoder(w).Encode(list) // a write error means that the client is gone
		return
	}
}

// isKnown reports whether a model name is listed or is a valid combination of faults, families and profiles.
func isKnown(model string) bool {
	last := model[strings.LastIndexByte(model, '/')+1:]
	if _, ok := familyOf(model); ok || last == native || strings.HasPrefix(last, strictPrefix) {
		return true
	}
	_, ok := ParseFault(model)
	return ok
}

// noSuchModel returns the wire's error for an unknown model: status 404, or 400 on Responses.
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
