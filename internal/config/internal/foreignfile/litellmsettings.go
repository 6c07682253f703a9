package foreignfile

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/callwright/callwright/internal/wire/codecs"
	"github.com/goccy/go-yaml"
)

// settings returns the settings of the model of a deployment. params is litellm_params, info is model_info.
func (p *proxy) settings(params, info *object, place string) []member {
	var out, values, facts []member
	for _, k := range paramKeys {
		v := params.get(k.key)
		n := number(v)
		if k.whole {
			n = wholeNumber(v)
		}
		switch {
		case v == nil, slices.ContainsFunc(values, func(m member) bool { return m.key == k.ours }):
		case n == "":
			p.addNote(k.key, whyOwnValue, params.path)
		default:
			values = append(values, member{k.ours, n})
		}
	}
	if stop := names(params.get("stop")); len(stop) > 0 {
		values = append(values, member{"stop", listOf(stop)})
	}
	if effort := params.text("reasoning_effort"); slices.Contains(efforts, effort) {
		values = append(values, member{"reasoning_effort", effort})
	} else if effort != "" {
		p.addNote("reasoning_effort", whyOwnValue, params.path)
	}
	if budget := wholeNumber(params.object("thinking").get("budget_tokens")); budget != "" {
		values = append(values, member{"reasoning_budget", budget})
	}
	if len(values) > 0 {
		out = append(out, member{"params", flow(values)})
	}
	if body := p.body(params.object("extra_body")); len(body) > 0 {
		out = append(out, member{"request", flow(body)})
	}
	if n := wholeNumber(first(params.get("num_retries"), params.get("max_retries"))); n != "" {
		out = append(out, member{"max_retries", n})
	}
	for _, k := range factKeys {
		if is, ok := info.get(k.key).(bool); ok {
			facts = append(facts, member{k.ours, map[bool]string{true: "yes", false: "no"}[is]})
		}
	}
	if len(facts) > 0 {
		out = append(out, member{"caps", flow(facts)})
	}
	for _, key := range []string{"id", "mode", "base_model", "metadata", "description"} { // redundant, or only for people
		info.get(key)
	}
	if rest := info.rest(); len(rest) > 0 {
		p.addNote("model_info", "set facts about models in caps, and prices in prices_file", place)
	}
	return out
}

// efforts are the values of reasoning_effort that LiteLLM and the gateway share.
var efforts = []string{"none", "minimal", "low", "medium", "high", "xhigh", "max"}

// first returns the first value that is not nil.
func first(values ...any) any {
	for _, v := range values {
		if v != nil {
			return v
		}
	}
	return nil
}

// isReserved reports whether only the client may set the member key of a request body.
func isReserved(key string) bool {
	return key == "stream" || slices.ContainsFunc(codecs.ReservedPaths(), func(path []string) bool { return path[0] == key })
}

// body returns the members of o that can be settings of the request body. It adds notes for the others.
func (d *draft) body(o *object) []member {
	var out []member
	for _, key := range o.keys() {
		v := o.get(key)
		value, ok := valueOf(v)
		switch {
		case slices.ContainsFunc(out, func(m member) bool { return m.key == key }):
		case isReserved(key):
			d.addNote(quoteName(key), "only the client can set it", o.path)
		case !ok || holdsSecret(key, v) || !isName(key) || key == "":
			d.addNote(quoteName(key), "this value cannot be set in request", o.path)
		default:
			out = append(out, member{key, value})
		}
	}
	return out
}

// holdsSecret reports whether a value may contain a secret, by its key and the names of its members.
func holdsSecret(key string, v any) bool {
	if isSecretName(key) {
		return true
	}
	switch v := v.(type) {
	case yaml.MapSlice:
		o := newObject("", v)
		for i, k := range o.keys() {
			if holdsSecret(k, v[i].Value) || slices.Contains(o.keys()[:i], k) || !isName(k) {
				return true
			}
		}
	case []any:
		return slices.ContainsFunc(v, func(e any) bool { return holdsSecret("", e) })
	case string:
		_, isVariable := variableOf(v)
		return isVariable
	}
	return false
}

// aliases converts model_group_alias.
func (p *proxy) aliases(router *object) {
	aliases := router.object("model_group_alias")
	var added []*entry
	for _, alias := range aliases.keys() {
		v := aliases.get(alias)
		name, _ := v.(string)
		if items, ok := v.(yaml.MapSlice); ok {
			name = newObject("", items).text("model")
		}
		to, ok := p.resolveFallback(name)
		switch {
		case !ok || alias == name || !isName(alias) || alias == "" || strings.Contains(alias, "*"):
			p.addNote("model_group_alias", quoteName(alias)+": "+whyNoModel, router.path)
		case p.entry(alias) == nil && !slices.ContainsFunc(added, func(e *entry) bool { return e.name == alias }):
			added = append(added, &entry{name: alias, model: to, from: []string{aliases.path}})
		}
	}
	p.entries = append(p.entries, added...)
}

// anyGroup is the key of fallbacks for all groups.
const anyGroup = "*"

// chains converts the lists of fallbacks in a section. Each list contains mappings from a group to its fallbacks.
func (p *proxy) chains(o *object) {
	for _, key := range []string{"fallbacks", "context_window_fallbacks", "content_policy_fallbacks"} {
		for _, one := range o.objects(key) {
			if one == nil {
				p.addNote(key, whyOwnValue, o.path)
				continue
			}
			for _, group := range one.keys() {
				p.chain(o.at(key), group, one.get(group))
			}
		}
	}
	p.chain(o.at("default_fallbacks"), anyGroup, o.get("default_fallbacks"))
}

// chain adds the fallbacks v to a group, or to all groups.
func (p *proxy) chain(place, group string, v any) {
	var to []target
	list := names(v)
	for _, name := range list {
		if t, ok := p.resolveFallback(name); ok {
			to = append(to, t)
		} else {
			p.addNote("fallback "+quoteName(name), whyNoModel, place)
		}
	}
	if all, _ := v.([]any); len(all) > len(list) {
		p.addNote("fallbacks", whyOwnValue, place)
	}
	e := p.entry(group)
	if e == nil && group != anyGroup {
		p.addNote("fallbacks of "+quoteName(group), whyNoModel, place)
		return
	}
	for _, one := range p.entries {
		isOne := one == e || e == nil && !one.isMember && !slices.ContainsFunc(to, func(t target) bool { return t.name == one.name })
		if !isOne {
			continue
		}
		for _, t := range to {
			if t.name != one.name && !slices.Contains(one.fallbacks, t) {
				one.fallbacks = append(one.fallbacks, t)
			}
		}
		if len(to) > 0 {
			one.from = append(one.from, place)
		}
	}
}

// defaults converts the settings of a section that apply to all deployments.
func (p *proxy) defaults(o *object) {
	if n := wholeNumber(o.get("num_retries")); n != "" {
		for _, e := range p.endpoints {
			if !slices.ContainsFunc(e.settings, func(m member) bool { return m.key == "max_retries" }) {
				e.settings = append(e.settings, member{"max_retries", n})
			}
		}
	}
	for _, key := range []string{"timeout", "request_timeout"} {
		v := o.get(key)
		for _, e := range p.endpoints {
			if e.timeout == 0 {
				p.timeout(e, v, o.path)
			}
		}
	}
	o.get("set_verbose")
}

// readBreaker converts the settings of a deployment's cooldown: allowed_fails, a number of failures in a minute, and
// cooldown_time in seconds. The first section that has a value has precedence.
func (p *proxy) readBreaker(sections []*object) {
	var most, pause string
	for _, o := range sections {
		n, seconds := o.get("allowed_fails"), o.get("cooldown_time")
		if n != nil && wholeNumber(n) == "" || seconds != nil && strings.Trim(number(seconds), "0.-") == "" {
			p.addNote("cooldown_time", whyOwnValue, o.path)
			continue
		}
		most, pause = cmp.Or(most, wholeNumber(n)), cmp.Or(pause, number(seconds))
	}
	var out []member
	if n, err := strconv.Atoi(most); err == nil {
		out = append(out, member{"failures", strconv.Itoa(n + 1)})
	}
	if pause != "" && !strings.HasPrefix(pause, "-") {
		out = append(out, member{"pause", pause + "s"})
	}
	if len(out) == 0 {
		return
	}
	for _, e := range p.endpoints {
		e.settings = append(e.settings, member{"breaker", flow(out)})
	}
}

// readSpend returns the setting for the budget of the proxy, which becomes the budget of its master key.
func (p *proxy) readSpend(hasKey bool) []member {
	budget, duration := p.common.get("max_budget"), p.common.text("budget_duration")
	if budget == nil {
		return nil
	}
	usd, per := number(budget), budgetPeriods[duration]
	switch {
	case usd == "" || strings.HasPrefix(usd, "-") || strings.Trim(usd, "0.") == "" || per == "":
		p.addNote("max_budget", "only budgets per day or month are supported", p.common.path)
	case !hasKey:
		p.addNote("max_budget", "budgets belong to keys: set spend of a key", p.common.path)
	default:
		return []member{{"spend", flow([]member{{"usd", usd}, {"per", per}, {"unpriced", "allow"}})}}
	}
	return nil
}

// budgetPeriods maps LiteLLM's budget periods to day and month: https://docs.litellm.ai/docs/proxy/users.
var budgetPeriods = map[string]string{"1d": "day", "24h": "day", "30d": "month", "31d": "month", "1mo": "month"}

// access converts the master key, by which clients are authenticated.
func (p *proxy) access(general *object) {
	if key := general.text("master_key"); key != "" {
		variable, literal := p.variable(key, "CALLWRIGHT_KEY")
		k := line{value: "env:" + variable, from: []string{general.at("master_key")}}
		if literal {
			k.from = append(k.from, literalSecretNote("it", variable))
		}
		if spend := p.readSpend(true); len(spend) > 0 {
			k.value = flow(append([]member{{"name", "master"}, {"key", k.value}}, spend...))
			k.from = append(k.from, p.common.at("max_budget"))
		}
		p.keys = append(p.keys, k)
	} else {
		p.readSpend(false)
	}
	if general.get("database_url") != nil {
		p.addNote("database_url", whyVirtual, general.path)
	}
	if isStored, _ := general.get("store_model_in_db").(bool); isStored {
		p.addNote("store_model_in_db", "models in the database of LiteLLM are not in its file: list them under models", general.path)
	}
}
