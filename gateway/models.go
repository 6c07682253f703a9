package gateway

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"net/http"

	callwright "github.com/callwright/callwright"
	"github.com/callwright/callwright/wire"
	"github.com/callwright/callwright/wire/codecs"
)

// A catalogue is how the clients of a wire read about models.
type catalogue struct {
	wire  callwright.WireName
	list  func(ids []callwright.ModelID, entries []any) any
	entry func(id callwright.ModelID) any
}

// catalogues has the wires with a form of their own; the first is for the others.
var catalogues = []catalogue{
	{
		wire: callwright.WireOpenAI,
		list: func(_ []callwright.ModelID, entries []any) any {
			return map[string]any{"object": "list", "data": entries}
		},
		entry: openaiModel,
	},
	{wire: callwright.WireAnthropic, list: anthropicModels, entry: anthropicModel},
	{wire: callwright.WireGemini, list: modelsOnly, entry: geminiModel},
	{wire: callwright.WireOllama, list: modelsOnly, entry: ollamaModel},
}

func catalogueOf(name callwright.WireName) *catalogue {
	for i := range catalogues {
		if catalogues[i].wire == name {
			return &catalogues[i]
		}
	}
	return &catalogues[0]
}

// listModels lists the models in the client's own shape.
func (s *Server) listModels(client wire.Codec, w http.ResponseWriter, r *http.Request) error {
	c := catalogueOf(client.Name())
	ids := s.cfg.Models.List(r.Context())
	entries := make([]any, len(ids))
	for i, id := range ids {
		entries[i] = c.entry(id)
	}
	return writeJSON(w, c.list(ids, entries))
}

// showModel describes one model in the client's own shape.
func (s *Server) showModel(client wire.Codec, w http.ResponseWriter, r *http.Request) error {
	name := r.PathValue("id")
	if _, err := s.cfg.Models.Resolve(name); err != nil {
		return err
	}
	return writeJSON(w, catalogueOf(client.Name()).entry(callwright.ModelID(name)))
}

// unknownTime stands where an API wants the time of a model's release.
const unknownTime = "1970-01-01T00:00:00Z"

func openaiModel(id callwright.ModelID) any {
	provider, _ := id.Split()
	return map[string]any{"id": id, "object": "model", "created": 0, "owned_by": cmp.Or(provider, "callwright")}
}

func anthropicModels(ids []callwright.ModelID, entries []any) any {
	list := map[string]any{"data": entries, "has_more": false, "first_id": nil, "last_id": nil}
	if len(ids) > 0 {
		list["first_id"], list["last_id"] = ids[0], ids[len(ids)-1]
	}
	return list
}

func anthropicModel(id callwright.ModelID) any {
	return map[string]any{"type": "model", "id": id, "display_name": id, "created_at": unknownTime}
}

func modelsOnly(_ []callwright.ModelID, entries []any) any { return map[string]any{"models": entries} }

func geminiModel(id callwright.ModelID) any {
	var can []string
	for _, v := range verbs {
		can = append(can, v.name)
	}
	return map[string]any{"name": "models/" + id, "version": "", "displayName": id, "supportedGenerationMethods": can}
}

// ollamaModel is a model as Ollama lists its own. The digest is one of the name: its clients show the beginning of it.
func ollamaModel(id callwright.ModelID) any {
	digest := sha256.Sum256([]byte(id))
	return map[string]any{
		"name": id, "model": id, "modified_at": unknownTime, "size": 0, "digest": hex.EncodeToString(digest[:]), "details": ollamaDetails,
	}
}

// ollamaDetails are the members of an Ollama model's details: its clients expect them, and there is nothing to say.
var ollamaDetails = map[string]any{
	"parent_model": "", "format": "", "family": "", "families": []string{}, "parameter_size": "", "quantization_level": "",
}

// describeModel is Ollama's way to ask for one model. Every model takes tools here.
func (s *Server) describeModel(_ wire.Codec, w http.ResponseWriter, r *http.Request) error {
	body, err := s.body(w, r)
	if err != nil {
		return err
	}
	var asked struct{ Model, Name string }
	if err := json.Unmarshal(body, &asked); err != nil {
		return &callwright.Error{Kind: callwright.KindInvalid, Message: "expected a JSON object with the model's name as model", Err: err}
	}
	name := cmp.Or(asked.Model, asked.Name)
	if _, err := s.cfg.Models.Resolve(name); err != nil {
		return err
	}
	return writeJSON(w, map[string]any{
		"license": "", "modelfile": "", "parameters": "", "template": "", "modified_at": unknownTime, "details": ollamaDetails,
		"model_info":   map[string]any{"general.architecture": "callwright", "general.basename": name},
		"capabilities": []string{"completion", "tools"},
	})
}

// listLoaded is Ollama's list of the models in memory: none is here.
func (s *Server) listLoaded(_ wire.Codec, w http.ResponseWriter, _ *http.Request) error {
	return writeJSON(w, modelsOnly(nil, []any{}))
}

// spokenOllama is the version of Ollama whose API is spoken. Its clients ask for it and turn away from old ones.
const spokenOllama = "0.13.0"

func (s *Server) ollamaVersion(_ wire.Codec, w http.ResponseWriter, _ *http.Request) error {
	return writeJSON(w, map[string]any{"version": spokenOllama})
}

// explain dry-runs a request of any wire. The query's parameter model wins over the model in the request, which not every API
// has there.
func (s *Server) explain(client wire.Codec, w http.ResponseWriter, r *http.Request) error {
	body, err := s.body(w, r)
	if err != nil {
		return err
	}
	if _, told := s.codecOf(r); !told {
		if c, ok := s.codec(codecs.Detect(body)); ok {
			client = c
		}
	}
	req, err := client.DecodeRequest(body)
	if err != nil {
		return err
	}
	if name := r.URL.Query().Get("model"); name != "" {
		req.Model = callwright.ModelID(name)
	}
	model, err := s.cfg.Models.Resolve(string(req.Model))
	if err != nil {
		return err
	}
	out, err := model.Explain(r.Context(), req)
	if err != nil {
		return err
	}
	return writeJSON(w, out)
}
