package foreignfile

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/callwright/callwright"
)

// A bifrostFile is a configuration of Bifrost while it is read.
type bifrostFile struct {
	*draft
	names map[string]bool // of providers that keep their name
}

// isBifrost reports whether a file is one of Bifrost: it names its schema, or a provider has a list of keys.
func isBifrost(root *object) bool {
	if strings.Contains(root.text("$schema"), "getbifrost.ai") {
		return true
	}
	providers := root.object("providers")
	return slices.ContainsFunc(providers.keys(), func(name string) bool { return len(providers.object(name).objects("keys")) > 0 })
}

func readBifrost(d *draft, root *object) {
	b := &bifrostFile{draft: d, names: map[string]bool{}}
	providers := root.object("providers")
	for _, name := range providers.keys() {
		b.provider(name, providers.object(name))
	}
	b.virtualKeys(root.object("governance"))
	client := root.object("client")
	client.drop("enable_logging", "disable_content_logging", "drop_excess_requests", "initial_pool_size", "enable_governance",
		"log_retention_days", "prometheus_labels")
	b.leftOver(client)
	root.drop("$schema", "version", "source_of_truth")
	b.leftOver(root)
}

// A served is an endpoint of a provider, with the models that it has.
type served struct {
	endpoint *endpoint
	models   map[string]string // by the name that clients ask for, the name there
	all      bool              // and all others
}

// target returns the model of a name, where the endpoint has it.
func (s *served) target(name string) (target, bool) {
	if actual, ok := s.models[name]; ok {
		return target{s.endpoint, actual}, true
	}
	return target{s.endpoint, name}, s.all
}

// provider reads a provider: an endpoint for each address and key in its list.
func (b *bifrostFile) provider(name string, o *object) {
	network, custom := o.object("network_config"), o.object("custom_provider_config")
	row, why := bifrostRow(name, custom.text("base_provider_type"))
	if !isName(name) || name == "" || strings.ContainsAny(name, "/* \t") {
		why = "expected a name without slash, asterisk and space"
	}
	if why != "" {
		b.miss("provider "+quoteName(name), why, o.path)
		return
	}
	keys := o.objects("keys")
	if len(keys) == 0 {
		keys = []*object{newObject(o.path, nil)}
	}
	var list []served
	var names []string // of models, in their order
	for _, k := range keys {
		if k == nil {
			b.miss("keys", whyOwnValue, o.path)
			continue
		}
		e := &endpoint{}
		if why := b.endpoint(e, name, &row, network, k); why != "" {
			b.miss("provider "+quoteName(name), why, k.path)
			continue
		}
		s := b.readKeyModels(e, k, &names)
		e.addPlace(k.path)
		if at := slices.IndexFunc(list, func(o served) bool {
			return o.all == s.all && maps.Equal(o.models, s.models) && o.endpoint.sharesKeys(e)
		}); at >= 0 {
			b.take(list[at].endpoint, e)
			continue
		}
		e.wanted = addNumber(name, len(list)+1, "-")
		s.endpoint = b.endpointLike(e)
		s.endpoint.addPlace(k.path)
		list = append(list, s)
	}
	if len(list) == 0 {
		return
	}
	_, isRow := rowOf(name)
	b.names[name] = name != simulator && (!isRow || name == list[0].endpoint.row.Name)
	b.models(name, names, list)
	custom.drop("is_key_less")
	o.drop("network_config", "custom_provider_config", "keys")
	for _, rest := range []*object{network, custom, o} {
		b.leftOver(rest)
	}
}

// endpoint fills the endpoint of a key.
func (b *bifrostFile) endpoint(e *endpoint, name string, row *bifrostProvider, network, key *object) (why string) {
	e.row, _ = rowOf(row.row)
	e.wire = wireOf(e.row.Wire)
	if row.wire != "" {
		e.wire = row.wire
	}
	base := network.text("base_url")
	for _, own := range []string{"ollama_key_config", "vllm_key_config", "sgl_key_config"} {
		base = cmp.Or(key.object(own).text("url"), base)
	}
	switch azure := key.object("azure_key_config"); {
	case row.row == "azure":
		if e.base, why = bifrostAzure(azure.text("endpoint")); azure.get("api_version") != nil {
			e.remark("/openai/v1 takes no api_version")
		}
	case base != "":
		var remark string
		if e.base, remark, why = address(base, e.wire); remark != "" {
			e.remark(remark)
		}
		if e.wire == callwright.WireOpenAI && why == "" {
			e.base = strings.TrimSuffix(e.base, "/v1") + row.path
		}
	case e.row.Base == "":
		why = "it has no base_url"
	}
	if why != "" {
		return why
	}
	if e.base == e.row.Base {
		e.base = ""
	}
	if secret := key.text("value"); secret != "" && !(isNoKey(secret) && (e.row.Local || e.row.Name == "")) {
		wanted := keyVariable(name, "API_KEY")
		if e.row.Key != "" && name == e.row.Name {
			wanted = e.row.Key
		}
		variable, literal := b.variable(secret, wanted)
		if e.key = variable; literal {
			e.remark(inClear("value", variable))
		}
	}
	headers := network.object("extra_headers")
	for _, header := range headers.keys() {
		if value, isText := headers.get(header).(string); isText {
			b.header(e, name, header, value, headers.path)
		}
	}
	if seconds := number(network.get("default_request_timeout_in_seconds")); seconds != "" {
		e.timeout, _ = strconv.ParseFloat(seconds, 64)
	}
	if n := wholeNumber(network.get("max_retries")); n != "" {
		e.settings = append(e.settings, member{"max_retries", n})
	}
	return ""
}

// bifrostAzure returns the address of Azure's API without versions.
func bifrostAzure(endpoint string) (base, why string) {
	if name, ok := variableOf(endpoint); ok {
		return "${" + name + "}/openai/v1", ""
	}
	base, _, why = address(endpoint, callwright.WireOpenAI)
	host, _, _ := strings.Cut(base, "?")
	return strings.TrimSuffix(strings.TrimSuffix(host, "/v1"), "/openai") + "/openai/v1", why
}

// readKeyModels returns the models that a key is for. New names of models are added to names.
func (b *bifrostFile) readKeyModels(e *endpoint, key *object, names *[]string) served {
	s := served{endpoint: e, models: map[string]string{}}
	add := func(name, actual string) {
		if !isName(name) || !isName(actual) || name == "" || actual == "" || strings.Contains(name+actual, "*") {
			b.miss("models", whyOwnValue, key.path)
			return
		}
		s.models[name] = actual
		if !slices.Contains(*names, name) {
			*names = append(*names, name)
		}
	}
	listed, isList := key.list("models")
	s.all = !isList || len(listed) == 0
	vllm := key.object("vllm_key_config")
	for _, m := range listed {
		switch name, _ := m.(string); name {
		case "*":
			s.all = true
		default:
			add(name, cmp.Or(vllm.text("model_name"), name))
		}
	}
	for _, aliases := range []*object{key.object("aliases"), key.object("azure_key_config").object("deployments"),
		key.object("bedrock_key_config").object("deployments")} {
		for _, name := range aliases.keys() {
			actual, _ := aliases.get(name).(string)
			add(name, actual)
		}
	}
	key.drop("id", "name", "weight", "use_for_batch_api", "enabled", "aliases", "azure_key_config", "bedrock_key_config",
		"vllm_key_config", "ollama_key_config", "sgl_key_config")
	b.leftOver(key)
	return s
}

// models adds the models of a provider that are not asked for by the same name at its first endpoint.
func (b *bifrostFile) models(provider string, names []string, list []served) {
	several := 0 // endpoints that have all models
	for i := range list {
		if list[i].all {
			several++
		}
	}
	for _, name := range names {
		var to []target
		for i := range list {
			if t, ok := list[i].target(name); ok && !slices.Contains(to, t) {
				to = append(to, t)
			}
		}
		if len(to) == 1 && to[0] == (target{list[0].endpoint, name}) {
			continue
		}
		several = max(several, len(to))
		b.entries = append(b.entries, &entry{name: provider + "/" + name, model: to[0], fallbacks: to[1:],
			from: []string{"providers." + provider}})
	}
	if several > 1 {
		b.miss("keys of "+quoteName(provider), whyFirst, "")
	}
}
