package provider

import (
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/jsonx"
)

const opHosts = "provider.hosts"

// modelPlace stands for the model's name in a row's HostsPath.
const modelPlace = "{model}"

// Hosts asks a provider what it knows of the model of that name: one that runs models itself, and one that hands requests on what
// those behind it can do. What any of them can do counts, but for what cannot be asked of one alone: a choice is forced only where all of them honour it, and the limits
// are the lowest. The facts have the source Discovered; there are none where a provider has no such answers. Errors are
// *callwright.Error.
func (p *Provider) Hosts(ctx context.Context, name string) (caps.Caps, error) {
	r := p.newRemote(name)
	switch {
	case p.row.ShowPath != "":
		return r.show(ctx, p.row.ShowPath)
	case p.row.HostsPath == "":
		return caps.Caps{}, nil
	}
	body, err := r.get(ctx, strings.ReplaceAll(p.row.HostsPath, modelPlace, name))
	if err != nil {
		err.Op = opHosts
		return caps.Caps{}, r.seal(err)
	}
	var answer struct {
		Data struct{ Endpoints []json.RawMessage }
	}
	if failed := json.Unmarshal(body, &answer); failed != nil {
		return caps.Caps{}, r.seal(&callwright.Error{Op: opHosts, Kind: callwright.KindBadAnswer, Message: "expected a list of hosts", Body: body, Err: failed})
	}
	var hosts []caps.Caps
	for _, raw := range answer.Data.Endpoints {
		_, known := facts(raw)
		hosts = append(hosts, known)
	}
	return among(hosts).From(caps.Discovered), nil
}

// show asks a server that describes its models, as Ollama does. It knows what the model's template can do, so that what it does not name
// cannot be done.
func (r *Remote) show(ctx context.Context, path string) (caps.Caps, error) {
	asked := append(jsonx.AppendQuote([]byte(`{"model":`), r.name), '}')
	body, err := r.ask(ctx, http.MethodPost, path, asked)
	if err != nil {
		err.Op = opHosts
		return caps.Caps{}, r.seal(err)
	}
	var answer struct {
		Capabilities []string
		Info         map[string]json.RawMessage `json:"model_info"`
	}
	if failed := json.Unmarshal(body, &answer); failed != nil {
		return caps.Caps{}, r.seal(&callwright.Error{Op: opHosts, Kind: callwright.KindBadAnswer, Message: "expected a description of a model", Body: body, Err: failed})
	}
	var known caps.Caps
	if answer.Capabilities != nil {
		known.Tools = answerOf(slices.Contains(answer.Capabilities, "tools"))
		known.Images = answerOf(slices.Contains(answer.Capabilities, "vision"))
	}
	for key, v := range answer.Info {
		if strings.HasSuffix(key, ".context_length") {
			_ = json.Unmarshal(v, &known.MaxContext) // 0 where it is no number
		}
	}
	return known.From(caps.Discovered), nil
}

// among returns what holds of a model with several hosts.
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

// every returns what all hosts that say anything say; No where they differ.
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
