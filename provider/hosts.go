package provider

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
)

const opHosts = "provider.hosts"

// modelPlace stands for the model's name in a row's HostsPath.
const modelPlace = "{model}"

// Hosts asks a provider that hands requests on what those behind it can do with the model of that name. What any of them can
// do counts, but for what cannot be asked of one alone: a choice is forced only where all of them honour it, and the limits
// are the lowest. The facts have the source Discovered; there are none where a provider has no such answers. Errors are
// *callwright.Error.
func (p *Provider) Hosts(ctx context.Context, name string) (caps.Caps, error) {
	if p.row.HostsPath == "" {
		return caps.Caps{}, nil
	}
	r := p.newRemote(name)
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
