package provider

import (
	"cmp"
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/feature"
)

// A Listing is a model in a provider's list, with the facts that the list states. The facts have the source Discovered.
type Listing struct {
	Model callwright.ModelID
	Caps  caps.Caps
}

// Models requests the provider's model list and returns it sorted by name. It does not retry. Errors are
// *callwright.Error.
func (p *Provider) Models(ctx context.Context) ([]Listing, error) {
	if p.row.ModelsPath == "" {
		return nil, &callwright.Error{
			Op: opList, Kind: callwright.KindUnsupported, Feature: feature.Models, Message: "provider " + p.cfg.Name + " lists no models",
		}
	}
	l, err := p.ownList(ctx)
	if err != nil {
		r := p.newRemote("")
		r.id = callwright.ModelID(p.cfg.Name)
		return nil, r.seal(err)
	}
	p.discoverer.remember(l)
	return l.models, nil
}

// A modelList is a provider's list of models.
type modelList struct {
	models []Listing
	owners []string // distinct values of owned_by, at most maxOwners
}

// The maximum numbers of models and owners of a list that are kept.
const (
	maxListed = 10_000
	maxOwners = 8
)

// ownList requests the provider's model list.
func (p *Provider) ownList(ctx context.Context) (*modelList, *callwright.Error) {
	entries, err := p.newRemote("").list(ctx, p.row.ModelsPath)
	if err != nil {
		during(opList, err)
		return nil, err
	}
	l := &modelList{}
	for _, raw := range entries[:min(len(entries), maxListed)] {
		var by struct {
			Owner string `json:"owned_by"`
		}
		if _ = json.Unmarshal(raw, &by); by.Owner != "" && len(l.owners) < maxOwners && !slices.Contains(l.owners, by.Owner) {
			l.owners = append(l.owners, by.Owner)
		}
		if name, known := facts(raw); name != "" {
			l.models = append(l.models, Listing{callwright.ModelID(p.cfg.Name + "/" + name), plausible(known).From(caps.Discovered)})
		}
	}
	slices.SortStableFunc(l.models, func(a, b Listing) int { return cmp.Compare(a.Model, b.Model) })
	l.models = mergeListings(l.models)
	return l, nil
}

// kind returns the row of the server type that a value of owned_by in the list identifies. It returns other, the row of
// the provider, if none does or the provider has none of OpenAI's APIs.
func (l *modelList) kind(other Row) Row {
	if other.Wire != callwright.WireOpenAI && other.Wire != callwright.WireResponses {
		return other
	}
	for i := range rows {
		if rows[i].OwnedBy != "" && slices.Contains(l.owners, rows[i].OwnedBy) {
			return rows[i]
		}
	}
	return other
}

// complete reports whether the server has no models besides the list. row is the row of the provider.
func (l *modelList) complete(row Row) bool { return len(l.models) > 0 && !l.kind(row).Partial }

// mergeListings merges adjacent entries of one model in a sorted list. Some servers list a model in two members with
// different facts.
func mergeListings(list []Listing) []Listing {
	out := list[:0]
	for _, l := range list {
		if n := len(out); n > 0 && out[n-1].Model == l.Model {
			out[n-1].Caps = l.Caps.Over(out[n-1].Caps)
			continue
		}
		out = append(out, l)
	}
	return out
}

const opList = "provider.list"

// list requests a model list and returns its entries: the elements of {"data":[...]}, of {"models":[...]}, or of an
// array.
func (r *Remote) list(ctx context.Context, path string) ([]json.RawMessage, *callwright.Error) {
	body, err := r.get(ctx, path)
	if err != nil {
		return nil, err
	}
	var list []json.RawMessage
	var object struct{ Data, Models []json.RawMessage }
	failed := json.Unmarshal(body, &list)
	if failed != nil {
		failed = json.Unmarshal(body, &object)
		list = append(object.Data, object.Models...)
	}
	if failed != nil {
		return nil, &callwright.Error{Kind: callwright.KindBadAnswer, Message: "expected a list of models", Body: body, Err: failed}
	}
	return list, nil
}

// get requests a path, which may contain a query, relative to the base address. It returns the response body.
func (r *Remote) get(ctx context.Context, path string) ([]byte, *callwright.Error) {
	return r.ask(ctx, http.MethodGet, path, nil)
}

// maxDescription is the maximum size in bytes of a provider's description of models.
const maxDescription = 8 << 20

// ask sends a body, nil for none, to a path relative to the base address. It returns the response body.
func (r *Remote) ask(ctx context.Context, method, path string, sent []byte) ([]byte, *callwright.Error) {
	path, query, _ := strings.Cut(path, "?")
	return r.askAt(ctx, method, r.p.join(path, query), sent)
}

func (r *Remote) askAt(ctx context.Context, method string, to *url.URL, sent []byte) ([]byte, *callwright.Error) {
	proto := r.p.prototype(to, "application/json")
	proto.Method = method
	a, err := r.sendAny(ctx, proto, newEncoded(sent, nil))
	if err != nil {
		return nil, err
	}
	defer a.close()
	limit := min(r.p.maxAnswer, maxDescription)
	body, failed := r.p.read(a, limit)
	switch {
	case failed == errTooLong:
		return nil, tooLong(limit)
	case failed != nil:
		return nil, r.p.transportError(ctx, a.watch, failed, true)
	}
	return body, nil
}

// A listed is an entry of a model list, with the members that various providers use for the same facts.
type listed struct {
	ID, Name string

	ContextLength    int `json:"context_length"`     // OpenRouter, Together
	ContextWindow    int `json:"context_window"`     // Groq
	MaxContextLength int `json:"max_context_length"` // Mistral, LM Studio
	MaxModelLen      int `json:"max_model_len"`      // vLLM
	MaxInputTokens   int `json:"max_input_tokens"`   // Anthropic
	InputTokenLimit  int `json:"inputTokenLimit"`    // Gemini

	MaxTokens           int `json:"max_tokens"`            // Anthropic
	MaxCompletionTokens int `json:"max_completion_tokens"` // Groq
	OutputTokenLimit    int `json:"outputTokenLimit"`      // Gemini
	TopProvider         struct {
		MaxCompletionTokens int `json:"max_completion_tokens"`
	} `json:"top_provider"` // OpenRouter

	Meta struct {
		NCtx int `json:"n_ctx"`
	} // llama-server: the context size that it was started with

	SupportedParameters []string `json:"supported_parameters"` // OpenRouter
	SupportsTools       *bool    `json:"supports_tools"`       // Fireworks

	SupportsChoice map[string]bool `json:"supports_tool_choice"` // OpenRouter, for one host
	Architecture   struct {
		InputModalities []string `json:"input_modalities"`
	} // OpenRouter
	Capabilities json.RawMessage // an object of Mistral and Anthropic; a list of Ollama and LM Studio
}

// listedPrefix is a prefix of names in Gemini's model list, which names in requests lack.
const listedPrefix = "models/"

// facts returns the name and the facts of an entry of a model list. From an entry of an unknown form it returns only
// the name, or "".
func facts(raw json.RawMessage) (name string, known caps.Caps) {
	var m listed
	if json.Unmarshal(raw, &m) != nil {
		var plain struct{ ID string }
		_ = json.Unmarshal(raw, &plain)
		return plain.ID, known
	}
	known.MaxContext = cmp.Or(m.ContextLength, m.ContextWindow, m.MaxContextLength, m.MaxModelLen, m.Meta.NCtx,
		m.MaxInputTokens, m.InputTokenLimit)
	known.MaxOutput = cmp.Or(m.MaxTokens, m.MaxCompletionTokens, m.OutputTokenLimit, m.TopProvider.MaxCompletionTokens)
	if m.SupportsTools != nil {
		known.Tools = answerOf(*m.SupportsTools)
	}
	if has := m.SupportedParameters; has != nil {
		known.Tools = answerOf(slices.Contains(has, "tools"))
		known.ChoiceField = answerOf(slices.Contains(has, "tool_choice"))
		known.JSONObject = answerOf(slices.Contains(has, "response_format"))
		known.JSONSchema = answerOf(slices.Contains(has, "structured_outputs"))
		known.ParallelField = answerOf(slices.Contains(has, "parallel_tool_calls"))
	}
	if does := m.SupportsChoice; does != nil {
		known.ChoiceForced = answerOf(does["required"] && does["function"])
	}
	if in := m.Architecture.InputModalities; in != nil {
		known.Images = answerOf(slices.Contains(in, "image"))
	}
	m.abilities(&known)
	return strings.TrimPrefix(cmp.Or(m.ID, m.Name), listedPrefix), known
}

// abilities adds the facts in the member capabilities, a list of names or an object of Booleans. A capability that a
// list lacks remains unknown, since llama-server lists "completion" for every model.
func (m *listed) abilities(known *caps.Caps) {
	var names []string
	if json.Unmarshal(m.Capabilities, &names) == nil && names != nil {
		if slices.Contains(names, "tools") || slices.Contains(names, "tool_use") {
			known.Tools = caps.Yes
		}
		if slices.Contains(names, "vision") {
			known.Images = caps.Yes
		}
		return
	}
	var object map[string]json.RawMessage
	if json.Unmarshal(m.Capabilities, &object) != nil {
		return
	}
	for _, m := range []struct {
		key string
		at  *caps.Truth
	}{
		{"function_calling", &known.Tools}, {"vision", &known.Images},
		{"structured_outputs", &known.JSONSchema}, {"image_input", &known.Images},
	} {
		var yes bool
		var detail struct{ Supported *bool }
		switch {
		case json.Unmarshal(object[m.key], &yes) == nil:
			*m.at = answerOf(yes)
		case json.Unmarshal(object[m.key], &detail) == nil && detail.Supported != nil:
			*m.at = answerOf(*detail.Supported)
		}
	}
}

func answerOf(yes bool) caps.Truth {
	if yes {
		return caps.Yes
	}
	return caps.No
}
