package gateway

import (
	"cmp"
	"net/http"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/wire"
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
	ids := s.inScope(r, s.cfg.Models.List(r.Context()))
	entries := make([]any, len(ids))
	for i, id := range ids {
		entries[i] = c.entry(id)
	}
	return writeJSON(w, c.list(ids, entries))
}

// showModel describes one model in the client's own shape.
func (s *Server) showModel(client wire.Codec, w http.ResponseWriter, r *http.Request) error {
	name := r.PathValue("id")
	if _, err := s.resolve(r, name); err != nil {
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
