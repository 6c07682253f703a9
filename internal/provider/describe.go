package provider

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/jsonx"
)

const opDescribe = "provider.describe"

// maxHosts bounds the hosts of a model that are looked at.
const maxHosts = 256

// modelPlace stands for the model's name in the paths of a row.
const modelPlace = "{model}"

// Describe asks a provider for the capabilities of the model of that name: by its list, where that has more than names,
// and by its description of single models. A server that runs models describes its own, one that hands requests on the
// hosts behind it. Of several hosts the capabilities of any count, but for those that cannot be requested of one alone:
// a choice is forced only where all of them honour it, and the limits are the lowest. A server whose list identifies
// its kind has the shipped facts of that kind, too. The facts have the source Discovered; there are none where a
// provider has no description. Errors are *callwright.Error.
func (p *Provider) Describe(ctx context.Context, name string) (caps.Caps, error) {
	r := p.Model(name)
	found, err := p.discoverer.ask(ctx, r)
	if err != nil {
		return caps.Caps{}, r.seal(err)
	}
	return found, nil
}

// describes reports whether a provider of the row describes single models.
func (row *Row) describes() bool {
	return row.ShowPath != "" || row.PropsPath != "" || row.CardsPath != "" || row.HostsPath != ""
}

// describe asks for one model, in the way of a row.
func (r *Remote) describe(ctx context.Context, kind Row) (known caps.Caps, err *callwright.Error) {
	var body []byte
	read := func(into any) *callwright.Error {
		if failed := json.Unmarshal(body, into); failed != nil {
			return &callwright.Error{Kind: callwright.KindBadAnswer, Message: "expected a description of a model", Body: body, Err: failed}
		}
		return nil
	}
	switch {
	case kind.ShowPath != "":
		asked := append(jsonx.AppendQuote([]byte(`{"model":`), r.name), '}')
		if body, err = r.askAt(ctx, http.MethodPost, r.p.atRoot(kind.ShowPath), asked); err == nil {
			var answer shown
			err = read(&answer)
			known = answer.facts(r.p.row.Wire)
		}
	case kind.PropsPath != "":
		path := strings.ReplaceAll(kind.PropsPath, modelPlace, url.QueryEscape(r.name))
		if body, err = r.askAt(ctx, http.MethodGet, r.p.atRoot(path), nil); err == nil {
			var answer props
			err = read(&answer)
			known = answer.facts()
		}
	case kind.CardsPath != "":
		if body, err = r.askAt(ctx, http.MethodGet, r.p.atRoot(kind.CardsPath), nil); err == nil {
			var answer struct{ Data []json.RawMessage }
			err = read(&answer)
			for _, raw := range answer.Data[:min(len(answer.Data), maxListed)] {
				var c card
				if json.Unmarshal(raw, &c) == nil && c.ID == r.name {
					known = c.facts()
				}
			}
		}
	case kind.HostsPath != "":
		if body, err = r.get(ctx, strings.ReplaceAll(kind.HostsPath, modelPlace, inPath(withoutVariant(r.name)))); err == nil {
			var answer struct {
				Data struct{ Endpoints []json.RawMessage }
			}
			err = read(&answer)
			var hosts []caps.Caps
			for _, raw := range answer.Data.Endpoints[:min(len(answer.Data.Endpoints), maxHosts)] {
				_, of := facts(raw)
				hosts = append(hosts, of)
			}
			known = among(hosts)
		}
	}
	if err != nil {
		during(opDescribe, err)
	}
	return plausible(known), err
}

// atRoot returns the address with a path, and its query, in the place of the version at the end of the base address.
func (p *Provider) atRoot(path string) *url.URL {
	path, query, _ := strings.Cut(path, "?")
	u := p.join("", query)
	u.Path, u.RawPath = strings.TrimSuffix(p.base.Path, "/v1")+path, ""
	return u
}

// withoutVariant returns the name of a model without a suffix that selects a kind of host, such as :nitro.
func withoutVariant(name string) string {
	name, _, _ = strings.Cut(name, ":")
	return name
}

// inPath is the name of a model as the path of an address has it: its slashes stay, and all else that means something
// there is escaped.
func inPath(name string) string {
	parts := strings.Split(name, "/")
	for i, part := range parts {
		if parts[i] = url.PathEscape(part); part == "." || part == ".." {
			parts[i] = strings.ReplaceAll(part, ".", "%2E")
		}
	}
	return strings.Join(parts, "/")
}

// The plausible limits of tokens.
const (
	leastContext = 256
	mostTokens   = 1 << 30
)

// plausible returns a provider's facts without implausible limits: by a wrong one no request would be sent.
func plausible(c caps.Caps) caps.Caps {
	if c.MaxContext < leastContext || c.MaxContext > mostTokens {
		c.MaxContext = 0
	}
	if c.MaxOutput < 0 || c.MaxOutput > mostTokens {
		c.MaxOutput = 0
	}
	return c
}

// shown is Ollama's description of a model,
// https://github.com/ollama/ollama/blob/main/docs/api.md#show-model-information. It states the capabilities of the
// model's template, so that an absent one is missing.
type shown struct {
	Capabilities []string
	Template     string
	Info         map[string]json.RawMessage `json:"model_info"`
}

func (s *shown) facts(wire callwright.WireName) (known caps.Caps) {
	if s.Capabilities != nil {
		known.Tools = answerOf(slices.Contains(s.Capabilities, "tools"))
		known.Images = answerOf(slices.Contains(s.Capabilities, "vision"))
		if !slices.Contains(s.Capabilities, "thinking") { // asked to think, it is refused
			known.DropFields = map[callwright.WireName]string{callwright.WireOllama: "think"}[wire]
			known.ReasoningStart = reasoningStartOf(s.Template) // nor does the server look for the end of it
		}
	}
	architecture := jsonx.TextOf(s.Info["general.architecture"])
	_ = json.Unmarshal(s.Info[architecture+".context_length"], &known.MaxContext) // 0 where it is no number
	known.Dialect = dialectOf(s.Template, architecture)
	return known
}

// props is llama-server's description of the model that it runs,
// https://github.com/ggml-org/llama.cpp/blob/master/tools/server/README.md#get-props-get-server-global-properties. A
// template that knows no tools leaves them out without a word.
type props struct {
	Template string         `json:"chat_template"`
	Can      map[string]any `json:"chat_template_caps"`
	Settings struct {
		Context int `json:"n_ctx"`
	} `json:"default_generation_settings"`
	Context    int            `json:"n_ctx"`
	Modalities map[string]any `json:"modalities"`
}

func (p *props) facts() (known caps.Caps) {
	known.MaxContext = max(p.Settings.Context, p.Context)
	known.Images = truthIn(p.Modalities, "vision")
	known.Tools = truthIn(p.Can, "supports_tools")
	if calls := truthIn(p.Can, "supports_tool_calls"); known.Tools != caps.No {
		known.Tools = calls.Or(known.Tools)
	}
	known.ParallelTools = truthIn(p.Can, "supports_parallel_tool_calls")
	if truthIn(p.Can, "supports_system_role") == caps.No {
		known.History.SystemRole = caps.SystemRoleUser
	}
	known.Dialect, known.ReasoningStart = dialectOf(p.Template, ""), reasoningStartOf(p.Template)
	return known
}

// truthIn returns the truth of a member of an object, Unknown where it has no yes or no.
func truthIn(object map[string]any, key string) caps.Truth {
	yes, said := object[key].(bool)
	if !said {
		return caps.Unknown
	}
	return answerOf(yes)
}

// card is LM Studio's description of a model, https://lmstudio.ai/docs/app/api/endpoints/rest.
type card struct {
	ID, Type, Arch string
	Capabilities   []string
	Context        int `json:"max_context_length"`
	Loaded         int `json:"loaded_context_length"`
}

func (c *card) facts() (known caps.Caps) {
	known.MaxContext = c.Context
	if c.Loaded > 0 {
		known.MaxContext = c.Loaded
	}
	if slices.Contains(c.Capabilities, "tool_use") {
		known.Tools = caps.Yes
	}
	switch c.Type {
	case "vlm":
		known.Images = caps.Yes
	case "llm":
		known.Images = caps.No
	}
	known.Dialect = dialectOf("", c.Arch)
	return known
}

// among returns the facts of a model with several hosts.
func among(hosts []caps.Caps) caps.Caps {
	some := func(of func(caps.Caps) caps.Truth) caps.Truth {
		if slices.ContainsFunc(hosts, func(c caps.Caps) bool { return of(c) == caps.Yes }) {
			return caps.Yes
		}
		return every(hosts, of)
	}
	least := func(of func(caps.Caps) int) int {
		low := 0
		for _, h := range hosts {
			if n := of(h); n > 0 && (low == 0 || n < low) {
				low = n
			}
		}
		return low
	}
	return caps.Caps{
		Tools:         some(func(c caps.Caps) caps.Truth { return c.Tools }),
		ChoiceField:   some(func(c caps.Caps) caps.Truth { return c.ChoiceField }),
		ParallelField: some(func(c caps.Caps) caps.Truth { return c.ParallelField }),
		JSONObject:    some(func(c caps.Caps) caps.Truth { return c.JSONObject }),
		JSONSchema:    some(func(c caps.Caps) caps.Truth { return c.JSONSchema }),
		ChoiceForced:  every(hosts, func(c caps.Caps) caps.Truth { return c.ChoiceForced }),
		MaxContext:    least(func(c caps.Caps) int { return c.MaxContext }),
		MaxOutput:     least(func(c caps.Caps) int { return c.MaxOutput }),
	}
}

// every returns the common statement of all hosts with one; No where they differ.
func every(hosts []caps.Caps, of func(caps.Caps) caps.Truth) caps.Truth {
	all := caps.Unknown
	for _, h := range hosts {
		switch t := of(h); {
		case t == caps.Unknown, t == all:
		case all == caps.Unknown:
			all = t
		default:
			return caps.No
		}
	}
	return all
}
