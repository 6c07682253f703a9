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

// A Listing is one model that a provider lists, with the facts of the list about it. The facts have the source
// Discovered.
type Listing struct {
	Model callwright.ModelID
	Caps  caps.Caps
}

// Models asks the provider for its models, once, and returns them by name. Errors are *callwright.Error.
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
	owners []string // that it names, each once, as far as they matter
}

// Bounds of a remembered list.
const (
	maxListed = 10_000
	maxOwners = 8
)

// ownList asks for the provider's list.
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

// kind is the row of the kind of server that the list is of, by who it names as owner; other where that says nothing.
// Only servers of OpenAI's API are told apart so.
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

// complete reports whether a model that the list lacks cannot be asked, at a server of a row or of the kind that the
// list tells.
func (l *modelList) complete(row Row) bool { return len(l.models) > 0 && !l.kind(row).Partial }

// mergeListings returns a sorted list with each model once: some servers list it under two members, with other facts in
// each.
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

// list returns the entries of the provider's list: {"data":[...]}, {"models":[...]} or the bare list.
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

// get requests a path, and its query, below the base address.
func (r *Remote) get(ctx context.Context, path string) ([]byte, *callwright.Error) {
	return r.ask(ctx, http.MethodGet, path, nil)
}

// maxDescription bounds a provider's description of its models.
const maxDescription = 8 << 20

// ask sends a body, nil for none, to a path, and gives the answer's.
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

// A listed is an entry of a list: the members of different providers with the same meaning.
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
	} // llama-server: the context it was started with

	SupportedParameters []string `json:"supported_parameters"` // OpenRouter
	SupportsTools       *bool    `json:"supports_tools"`       // Fireworks

	SupportsChoice map[string]bool `json:"supports_tool_choice"` // OpenRouter, of one host
	Architecture   struct {
		InputModalities []string `json:"input_modalities"`
	} // OpenRouter
	Capabilities json.RawMessage // Mistral, Anthropic: an object; Ollama, LM Studio: a list
}

// listedPrefix is the prefix of the names in Gemini's list. Names in requests do not have it.
const listedPrefix = "models/"

// facts reads one entry of a list. Entries of a shape that was never seen give their name at most.
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

// abilities reads the member capabilities, which is a list of names or an object of answers. Capabilities that a list
// does not name are unknown: llama-server names completion whatever the model is.
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
