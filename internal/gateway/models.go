package gateway

import (
	"cmp"
	"context"
	"net/http"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/wire"
)

// A catalogue defines the JSON of the model list and of one model for an API.
type catalogue struct {
	wire  callwright.WireName
	list  func(ids []callwright.ModelID, entries []any) any
	entry func(id callwright.ModelID, known *caps.Caps) any
}

// catalogues has the APIs with a format of their own. The first is the default.
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

// listModels writes the list of models in the format of the client's API.
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

// showModel writes one model in the format of the client's API.
func (s *Server) showModel(client wire.Codec, x *exchange, r *http.Request) error {
	name := x.id
	if _, err := s.resolve(x, name); err != nil {
		return err
	}
	id := callwright.ModelID(name)
	return writeJSON(x, catalogueOf(client.Name()).entry(id, &s.capsOf(r.Context(), []callwright.ModelID{id})[0]))
}

// capsOf returns the known capabilities of each model, in the order of ids. A model that cannot be resolved has zero
// Caps.
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
		for _, known := range client.KnownCaps(ctx) { // use the first candidate
			all[i] = known
			break
		}
	}
	return all
}

// unknownTime is the release time of models in APIs that require one.
const unknownTime = "1970-01-01T00:00:00Z"

// openaiModel returns a model in the format of OpenAI. Its limits have the names that OpenRouter, vLLM and Groq use for
// them.
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

// anthropicModel returns a model in the format of Anthropic. An unknown limit is null.
func anthropicModel(id callwright.ModelID, known *caps.Caps) any {
	return map[string]any{"type": "model", "id": id, "display_name": id, "created_at": unknownTime,
		"max_input_tokens": limit(known.MaxContext), "max_tokens": limit(known.MaxOutput), "capabilities": nil}
}

// limit returns n, or nil for an unknown limit (n <= 0).
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
