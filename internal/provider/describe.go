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

// maxHosts is the maximum number of a model's hosts that are evaluated.
const maxHosts = 256

// modelPlace is replaced by the model's name in the paths of a row.
const modelPlace = "{model}"

// Describe asks the provider for the capabilities of a model, by its model list and by its description of the model. An
// inference server describes its own model. A provider with several hosts for a model describes each host. The model
// then has a capability if any host has it, with two exceptions: forced tool choice needs all hosts, and limits are the
// lowest of all. If the list identifies the type of server, the built-in facts of that type are added. The facts have
// the source Discovered, and are empty if the provider has no descriptions. Errors are *callwright.Error.
func (p *Provider) Describe(ctx context.Context, name string) (caps.Caps, error) {
	r := p.Model(name)
	found, err := p.discoverer.ask(ctx, r)
	if err != nil {
		return caps.Caps{}, r.seal(err)
	}
	return found, nil
}

// describes reports whether providers of the row have descriptions of single models.
func (row *Row) describes() bool {
	return row.ShowPath != "" || row.PropsPath != "" || row.CardsPath != "" || row.HostsPath != ""
}

// describe requests the description of the model at the endpoint that the row kind names.
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

// atRoot returns the base address with its /v1 at the end replaced by path, which may contain a query.
func (p *Provider) atRoot(path string) *url.URL {
	path, query, _ := strings.Cut(path, "?")
	u := p.join("", query)
	u.Path, u.RawPath = strings.TrimSuffix(p.base.Path, "/v1")+path, ""
	return u
}

// withoutVariant returns a model's name without the suffix that selects a variant: name:nitro -> name.
func withoutVariant(name string) string {
	name, _, _ = strings.Cut(name, ":")
	return name
}

// inPath returns a model's name escaped for a URL path. Slashes are kept.
func inPath(name string) string {
	parts := strings.Split(name, "/")
	for i, part := range parts {
		if parts[i] = url.PathEscape(part); part == "." || part == ".." {
			parts[i] = strings.ReplaceAll(part, ".", "%2E")
		}
	}
	return strings.Join(parts, "/")
}

// The plausible limits in tokens.
const (
	leastContext = 256
	mostTokens   = 1 << 30
)

// plausible returns c without implausible limits, which could prevent all requests: a context below leastContext, a
// negative output, or a limit above mostTokens.
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
// https://github.com/ollama/ollama/blob/main/docs/api.md#show-model-information. Its capabilities are complete: the
// model lacks a capability that is not listed.
type shown struct {
	Capabilities []string
	Template     string
	Info         map[string]json.RawMessage `json:"model_info"`
}

func (s *shown) facts(wire callwright.WireName) (known caps.Caps) {
	if s.Capabilities != nil {
		known.Tools = answerOf(slices.Contains(s.Capabilities, "tools"))
		known.Images = answerOf(slices.Contains(s.Capabilities, "vision"))
		if !slices.Contains(s.Capabilities, "thinking") { // the server refuses requests with thinking
			known.DropFields = map[callwright.WireName]string{callwright.WireOllama: "think"}[wire]
			known.ReasoningStart = reasoningStartOf(s.Template) // the server does not separate reasoning either
		}
	}
	architecture := jsonx.TextOf(s.Info["general.architecture"])
	_ = json.Unmarshal(s.Info[architecture+".context_length"], &known.MaxContext) // 0 if it is not a number
	known.Dialect = dialectOf(s.Template, architecture)
	return known
}

// props is llama-server's description of its model,
// https://github.com/ggml-org/llama.cpp/blob/master/tools/server/README.md#get-props-get-server-global-properties. A
// chat template without tools silently ignores them.
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

// truthIn returns the Boolean member key of an object as Yes or No, or Unknown if it is not a Boolean.
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

// among returns the facts of a model from the facts of its hosts, see Describe.
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

// every returns the truth that all hosts with a known truth share: No if they differ, Unknown if no truth is known. The
// last parameter returns the truth of a host.
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
