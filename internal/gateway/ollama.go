package gateway

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"net/http"
	"strings"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/provider"
	"github.com/callwright/callwright/internal/wire"
)

// ollamaModel returns a model in the format of Ollama's model list. The digest is a hash of the name, because clients
// display its first characters.
func ollamaModel(id callwright.ModelID, _ *caps.Caps) any {
	digest := sha256.Sum256([]byte(id))
	return map[string]any{
		"name": id, "model": id, "modified_at": unknownTime, "size": 0, "digest": hex.EncodeToString(digest[:]), "details": ollamaDetails,
	}
}

// ollamaDetails is the member details of each model. Clients expect its members, but their values are unknown.
var ollamaDetails = map[string]any{
	"parent_model": "", "format": "", "family": "", "families": []string{}, "parameter_size": "", "quantization_level": "",
}

// describeModel writes the description of one model in the format of Ollama's /api/show. Every model supports tools,
// because the gateway emulates them if necessary.
func (s *Server) describeModel(_ wire.Codec, x *exchange, r *http.Request) error {
	body, err := s.readJSON(x, r)
	if err != nil {
		return err
	}
	var asked struct{ Model, Name string }
	if err := json.Unmarshal(body, &asked); err != nil {
		return &callwright.Error{Kind: callwright.KindInvalid, Message: "expected a JSON object with the member model", Err: err}
	}
	name := cmp.Or(asked.Model, asked.Name)
	if _, err := s.resolve(x, name); err != nil {
		return err
	}
	known := s.capsOf(r.Context(), []callwright.ModelID{callwright.ModelID(name)})[0]
	info := map[string]any{"general.architecture": architecture, "general.basename": name}
	if known.MaxContext > 0 {
		info[architecture+".context_length"] = known.MaxContext
	}
	return writeJSON(x, map[string]any{
		"license": "", "modelfile": "", "parameters": "", "template": "", "modified_at": unknownTime, "details": ollamaDetails,
		"model_info": info, "capabilities": capabilities(&known),
	})
}

// architecture is the key prefix of a model's limits in Ollama's model_info, such as "callwright.context_length".
const architecture = "callwright"

// capabilities returns Ollama's names for the known capabilities of a model, such as "vision".
func capabilities(known *caps.Caps) []string {
	can := []string{"completion", "tools"}
	if known.Images == caps.Yes {
		can = append(can, "vision")
	}
	if known.Reasoning != "" || known.Efforts != "" || known.ThinkingBudget == caps.Yes {
		can = append(can, "thinking")
	}
	return can
}

// listLoaded writes an empty list of loaded models in Ollama's format, because the gateway loads no models.
func (s *Server) listLoaded(_ wire.Codec, x *exchange, _ *http.Request) error {
	return writeJSON(x, modelsOnly(nil, []any{}))
}

// spokenOllama is the version of Ollama whose API is supported. Ollama clients reject servers with old versions.
const spokenOllama = "0.13.0"

func (s *Server) ollamaVersion(_ wire.Codec, x *exchange, _ *http.Request) error {
	return writeJSON(x, map[string]any{"version": spokenOllama})
}

// chatOrLoad answers requests to Ollama's /api/chat. A request without messages asks to load or unload the model. The
// gateway leaves loading to the provider and confirms such a request without doing anything.
func (s *Server) chatOrLoad(client wire.Codec, x *exchange, r *http.Request) error {
	body, err := s.readPooledJSON(x, r)
	if err != nil {
		return err
	}
	if jsonx.ValidObject(body) && isEmpty(body, "messages") {
		return s.answerLoad(x, r, body, "message", map[string]any{"role": "assistant", "content": ""})
	}
	return s.answerBody(client, x, r, body, nil)
}

// completeOrLoad answers requests to Ollama's /api/generate. A request without a prompt and images asks to load or
// unload the model and is only confirmed. A request that cannot be converted to a chat is forwarded unchanged if the
// provider is an Ollama server.
func (s *Server) completeOrLoad(client wire.Codec, x *exchange, r *http.Request) error {
	body, err := s.readJSON(x, r)
	if err != nil {
		return err
	}
	if jsonx.ValidObject(body) && isEmpty(body, "prompt") && isEmpty(body, "images") {
		return s.answerLoad(x, r, body, "response", "")
	}
	c, ok := client.(wire.Completer)
	if !ok {
		return &callwright.Error{Kind: callwright.KindNotServed, Message: "completions are not supported here: send messages to /api/chat"}
	}
	if c.NeedsSameAPI(body) {
		kind := r.Header.Get("Content-Type")
		name, err := modelOf(kind, body)
		if err != nil {
			return err
		}
		if s.takesCompletions(x, name) {
			return s.passBody(x, r, provider.GeneratePassage(), name, mediaJSON, body)
		}
	}
	return s.answerBody(c.Completes(), x, r, body, nil)
}

// takesCompletions reports whether the provider of the model supports Ollama's /api/generate.
func (s *Server) takesCompletions(x *exchange, name string) bool {
	client, err := s.resolve(x, name)
	if err != nil {
		return false
	}
	model, ok := client.First().(passer)
	return ok && model.Passes(provider.GeneratePassage())
}

// isEmpty reports whether the member is absent, null, an empty string or an empty array.
func isEmpty(body []byte, member string) bool {
	v, ok := jsonx.Find(body, member)
	switch string(jsonx.Compact(nil, v)) {
	case "null", `""`, "[]":
		return true
	}
	return !ok
}

// answerLoad confirms a request to load the model, or to unload it if its keep_alive is zero. member is the name of the
// member for content in the response, and nothing its empty value.
func (s *Server) answerLoad(x *exchange, r *http.Request, body []byte, member string, nothing any) error {
	name, _ := jsonx.Find(body, "model")
	model := jsonx.TextOf(name)
	x.asked = callwright.ModelID(model)
	if _, err := s.resolve(x, model); err != nil {
		return err
	}
	why := "load"
	keep, _ := jsonx.Find(body, "keep_alive")
	if text := strings.Trim(string(keep), `"`); text == "0" || text == "0s" || text == "0m" || text == "0h" {
		why = "unload"
	}
	return writeJSON(x, map[string]any{"model": model, "created_at": time.Now().UTC().Format(time.RFC3339Nano), member: nothing,
		"done": true, "done_reason": why})
}
