package foreignfile

import (
	"slices"
	"strconv"
	"strings"
)

// A deployment is a deployment of a LiteLLM model group: an endpoint with a model and settings.
type deployment struct {
	to       target
	settings []member
	place    string
}

// preferOf returns the value of prefer for a routing strategy of LiteLLM, "" for the default:
// https://docs.litellm.ai/docs/routing#advanced---routing-strategies.
func preferOf(strategy string) string {
	return map[string]string{"latency-based-routing": "latency", "cost-based-routing": "cost"}[strategy]
}

// entriesOfGroups adds an entry for each LiteLLM model group: an alias for one deployment, a group for several.
func (p *proxy) entriesOfGroups(prefer string) {
	for _, name := range p.order {
		list := p.mergeDeployments(name)
		e := &entry{name: name, from: []string{list[0].place}}
		p.entries = append(p.entries, e)
		alike := !slices.ContainsFunc(list, func(d deployment) bool { return !slices.Equal(d.settings, list[0].settings) })
		if alike {
			e.settings = list[0].settings
		}
		var to []target
		for i, d := range list {
			if i > 0 {
				e.from[0] += ", " + d.place
			}
			if !alike && len(d.settings) > 0 {
				d.to = p.member(name, i, &d)
			}
			if !slices.Contains(to, d.to) {
				to = append(to, d.to)
			}
		}
		e.model, e.members = to[0], to[1:]
		if len(to) > 1 {
			e.prefer = prefer
			p.addNote("deployments of "+quoteName(name), whySeveral, list[1].place)
		}
	}
}

// mergeDeployments returns the deployments of a model group. Deployments that differ only in their keys or hosts are
// merged, if no other group uses their endpoints.
func (p *proxy) mergeDeployments(group string) []deployment {
	var out []deployment
	for _, d := range p.deployments[group] {
		at := slices.IndexFunc(out, func(o deployment) bool {
			return o.to.name == d.to.name && slices.Equal(o.settings, d.settings) && p.isOnlyOf(group, o.to.endpoint) &&
				p.isOnlyOf(group, d.to.endpoint) && (o.to.endpoint.sharesKeys(d.to.endpoint) || o.to.endpoint.sharesHosts(d.to.endpoint))
		})
		if at >= 0 {
			p.mergeEndpoint(out[at].to.endpoint, d.to.endpoint)
			out[at].place += ", " + d.place
			continue
		}
		out = append(out, d)
	}
	return out
}

// isOnlyOf reports whether an endpoint has a single deployment, which belongs to group, and has no name that clients
// use.
func (p *proxy) isOnlyOf(group string, e *endpoint) bool {
	n := 0
	for name, list := range p.deployments {
		for _, d := range list {
			if d.to.endpoint == e {
				n++
				if name != group {
					return false
				}
			}
		}
	}
	return n == 1 && e.wanted == ""
}

// member adds an entry for deployment i of a group, which has settings of its own, and returns the entry as a target.
func (p *proxy) member(group string, i int, d *deployment) target {
	for n := i + 1; ; n++ {
		own := strings.ReplaceAll(group, "*", "any") + "-" + strconv.Itoa(n)
		if p.entry(own) == nil && !p.groups[own] {
			p.entries = append(p.entries, &entry{name: own, isMember: true, model: d.to, settings: d.settings,
				from: []string{d.place + ", a deployment of " + quoteName(group)}})
			return target{name: own}
		}
	}
}
