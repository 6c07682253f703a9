package foreignfile

import (
	"cmp"
	"slices"
	"strings"
)

// virtualKeys converts the virtual keys of Bifrost, which clients present, into access keys with scopes and limits.
func (b *bifrostFile) virtualKeys(governance *object) {
	budgets, rates := byID(governance.objects("budgets")), byID(governance.objects("rate_limits"))
	taken := map[string]bool{}
	for _, k := range governance.objects("virtual_keys") {
		if k == nil {
			b.addNote("virtual_keys", whyOwnValue, governance.path)
			continue
		}
		b.virtualKey(k, budgets, rates, taken)
	}
	governance.drop("budgets", "rate_limits")
	b.leftOver(governance)
}

// byID returns the objects by the value of their member id.
func byID(list []*object) map[string]*object {
	out := map[string]*object{}
	for _, o := range list {
		if o != nil {
			out[o.text("id")] = o
		}
	}
	return out
}

// virtualKey converts one virtual key. taken has the names of the keys that are already converted.
func (b *bifrostFile) virtualKey(k *object, budgets, rates map[string]*object, taken map[string]bool) {
	wanted := cmp.Or(k.text("name"), k.text("id"))
	value := k.text("value")
	scope, why := b.scope(k)
	switch active, ok := k.get("is_active").(bool); {
	case ok && !active:
		why = "it is not active"
	case wanted == "" || len(wanted) > 100 || !isPlainText(wanted) || value == "":
		why = "expected a name and a value"
	}
	if why != "" {
		b.addNote("virtual key "+quoteName(wanted), why, k.path)
		return
	}
	name := wanted
	for n := 2; taken[name]; n++ {
		name = addNumber(wanted, n, "-")
	}
	taken[name] = true
	variable, literal := b.variable(value, keyVariable(wanted, "KEY"))
	l := line{from: []string{k.path}}
	if literal {
		l.from = append(l.from, literalSecretNote("it", variable))
	}
	members := append([]member{{"name", textOf(name)}, {"key", "env:" + variable}}, scope...)
	members = append(members, b.rateLimit(k, rates)...)
	members = append(members, b.spend(k, budgets)...)
	l.value = flow(members)
	b.keys = append(b.keys, l)
	k.drop("id", "description", "provider_configs", "budget", "budget_id", "rate_limit", "rate_limit_id")
	b.leftOver(k)
}

// scope returns the settings for the providers and models that a virtual key may use. why is the reason if the key
// cannot be converted.
func (b *bifrostFile) scope(k *object) (out []member, why string) {
	var providers, models []string
	bounded := false
	for _, c := range k.objects("provider_configs") {
		if c == nil {
			continue
		}
		name := c.text("provider")
		allowed := names(c.get("allowed_models"))
		switch {
		case b.names[name] == nil:
			b.addNote("provider_configs", "provider "+quoteName(name)+" was not imported", k.path)
			continue
		case len(allowed) == 0:
			b.addNote("provider_configs", "it allows no models of "+quoteName(name), k.path)
			continue
		case slices.Contains(names(c.get("key_ids")), "*"), c.get("key_ids") == nil:
		default:
			b.addNote("key_ids", "keys of clients cannot select keys of a provider", k.path)
		}
		providers = append(providers, b.names[name]...)
		for _, m := range allowed {
			bounded = bounded || m != "*"
			if !isName(m) { // omitting the name narrows the scope, never widens it
				b.addNote("allowed_models", whyOwnValue, k.path)
				continue
			}
			models = append(models, name+"/"+m)
		}
	}
	if len(models) == 0 {
		return nil, "it permits none of the imported models"
	}
	out = []member{{"providers", listOf(slices.Compact(slices.Sorted(slices.Values(providers))))}}
	if bounded {
		out = append(out, member{"models", listOf(models)})
	}
	return out, ""
}

// rateLimit returns the settings for a key's limits per minute.
func (b *bifrostFile) rateLimit(k *object, rates map[string]*object) (out []member) {
	r := k.object("rate_limit")
	if len(r.items) == 0 {
		r = rates[k.text("rate_limit_id")]
	}
	if r == nil {
		return nil
	}
	for _, one := range []struct{ most, period, ours string }{
		{"request_max_limit", "request_reset_duration", "requests_per_minute"}, {"token_max_limit", "token_reset_duration", "tokens_per_minute"},
	} {
		n := wholeNumber(r.get(one.most))
		switch period := r.text(one.period); {
		case n == "" || n == "0":
		case period == "1m":
			out = append(out, member{one.ours, n})
		default:
			b.addNote(one.most, "only limits per minute are supported for requests and tokens", k.path)
		}
	}
	return out
}

// spend returns the setting for a key's budget.
func (b *bifrostFile) spend(k *object, budgets map[string]*object) []member {
	o := k.object("budget")
	if len(o.items) == 0 {
		o = budgets[k.text("budget_id")]
	}
	if o == nil {
		return nil
	}
	usd, per := number(o.get("max_limit")), map[string]string{"1d": "day", "1M": "month"}[o.text("reset_duration")]
	if usd == "" || strings.HasPrefix(usd, "-") || strings.Trim(usd, "0.") == "" || per == "" {
		if len(o.items) > 0 {
			b.addNote("budget", "only budgets per day or month are supported", k.path)
		}
		return nil
	}
	return []member{{"spend", flow([]member{{"usd", usd}, {"per", per}})}}
}
