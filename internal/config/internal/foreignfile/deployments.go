package foreignfile

import (
	"slices"
	"strconv"
	"strings"
)

// A deployment is a model of a group of LiteLLM.
type deployment struct {
	to       target
	settings []member
	place    string
}

// preferOf returns how a group orders its members as a strategy of LiteLLM does, "" for what holds without a word:
// https://docs.litellm.ai/docs/routing#advanced---routing-strategies.
func preferOf(strategy string) string {
	return map[string]string{"latency-based-routing": "latency", "cost-based-routing": "cost"}[strategy]
}

// entriesOfGroups makes the entries of groups: an alias of one deployment, and a group of several.
func (p *proxy) entriesOfGroups(prefer string) {
	for _, name := range p.order {
		list := p.deployments[name]
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
			p.miss("deployments of "+shown(name), whySeveral, list[1].place)
		}
	}
}

// member makes an entry for a deployment with settings of its own.
func (p *proxy) member(group string, i int, d *deployment) target {
	for n := i + 1; ; n++ {
		own := strings.ReplaceAll(group, "*", "any") + "-" + strconv.Itoa(n)
		if p.entry(own) == nil && !p.groups[own] {
			p.entries = append(p.entries, &entry{name: own, isMember: true, model: d.to, settings: d.settings, from: []string{d.place + ", a deployment of " + shown(group)}})
			return target{name: own}
		}
	}
}
