package gateway

import (
	"cmp"
	"context"
	"net/http"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/wire"
)

// A catalogue is how the clients of a wire read about models.
type catalogue struct {
	wire  callwright.WireName
	list  func(ids []callwright.ModelID, entries []any) any
	entry func(id callwright.ModelID, known *caps.Caps) any
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
func (s *Server) listModels(client wire.Codec, x *exchange, r *http.Request) error {
	c := catalogueOf(client.Name())
	ids := s.modelsInScope(x, s.cfg.Models.List(r.Context()))
	known := s.capsOf(r.Context(), ids)
	entries := make([]any, len(ids))
	for i, id := range ids {
		entries[i] = c.entry(id, &known[i])
	}
	return writeJSON(x, c.list(ids, entries))
}

// showModel describes one model in the client's own shape.
func (s *Server) showModel(client wire.Codec, x *exchange, r *http.Request) error {
	name := x.id
	if _, err := s.resolve(x, name); err != nil {
		return err
	}
	id := callwright.ModelID(name)
	return writeJSON(x, catalogueOf(client.Name()).entry(id, &s.capsOf(r.Context(), []callwright.ModelID{id})[0]))
}

// capsOf returns the known facts of each of the models.
func (s *Server) capsOf(ctx context.Context, ids []callwright.ModelID) []caps.Caps {
	if k, ok := s.cfg.Models.(Knower); ok {
		return k.KnownCaps(ctx, ids)
	}
	all := make([]caps.Caps, len(ids))
	for i, id := range ids {
		client, err := s.cfg.Models.Resolve(string(id))
		if err != nil {
			continue
		}
		for _, known := range client.KnownCaps(ctx) { // the first is who is asked
			all[i] = known
			break
		}
	}
	return all
}

// unknownTime stands where an API wants the time of a model's release.
const unknownTime = "1970-01-01T00:00:00Z"

// openaiModel has the limits under the names that hosts of this API have for them: OpenRouter's, vLLM's, Groq's.
func openaiModel(id callwright.ModelID, known *caps.Caps) any {
	provider, _ := id.Split()
	m := map[string]any{"id": id, "object": "model", "created": 0, "owned_by": cmp.Or(provider, "callwright")}
	if n := known.MaxContext; n > 0 {
		m["context_length"], m["max_model_len"], m["context_window"] = n, n, n
	}
	if n := known.MaxOutput; n > 0 {
		m["max_completion_tokens"] = n
	}
	return m
}

func anthropicModels(ids []callwright.ModelID, entries []any) any {
	list := map[string]any{"data": entries, "has_more": false, "first_id": nil, "last_id": nil}
	if len(ids) > 0 {
		list["first_id"], list["last_id"] = ids[0], ids[len(ids)-1]
	}
	return list
}

// anthropicModel has null for a limit that is not known, as that API does.
func anthropicModel(id callwright.ModelID, known *caps.Caps) any {
	return map[string]any{"type": "model", "id": id, "display_name": id, "created_at": unknownTime,
		"max_input_tokens": limit(known.MaxContext), "max_tokens": limit(known.MaxOutput), "capabilities": nil}
}

// limit returns a number, nil for one that is not known.
func limit(n int) any {
	if n <= 0 {
		return nil
	}
	return n
}

func modelsOnly(_ []callwright.ModelID, entries []any) any { return map[string]any{"models": entries} }

func geminiModel(id callwright.ModelID, known *caps.Caps) any {
	var can []string
	for _, v := range verbs {
		can = append(can, v.name)
	}
	m := map[string]any{"name": "models/" + id, "version": "", "displayName": id, "supportedGenerationMethods": can}
	if known.MaxContext > 0 {
		m["inputTokenLimit"] = known.MaxContext
	}
	if known.MaxOutput > 0 {
		m["outputTokenLimit"] = known.MaxOutput
	}
	return m
}
