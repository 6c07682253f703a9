package foreignfile

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/provider"
)

// A bifrostFile is the state of the conversion of a Bifrost configuration.
type bifrostFile struct {
	*draft
	names map[string][]string // for each provider of the file that keeps its name, the resulting providers with its models
}

// isBifrost reports whether a file is a Bifrost configuration: $schema names getbifrost.ai, or a provider has a list of
// keys.
func isBifrost(root *object) bool {
	if strings.Contains(root.text("$schema"), "getbifrost.ai") {
		return true
	}
	providers := root.object("providers")
	return slices.ContainsFunc(providers.keys(), func(name string) bool { return len(providers.object(name).objects("keys")) > 0 })
}

func readBifrost(d *draft, root *object) {
	b := &bifrostFile{draft: d, names: map[string][]string{}}
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

// An offeredEndpoint is a resulting endpoint of a provider with the models that it offers.
type offeredEndpoint struct {
	endpoint *endpoint
	models   map[string]string // maps requested names to the names at the endpoint
	all      bool              // whether it also offers all other models
	only     string            // the built-in provider to which the models are limited; "" for any
}

// target returns the endpoint's model for a requested name. It returns false if the endpoint does not offer the model.
func (s *offeredEndpoint) target(name string) (target, bool) {
	if actual, ok := s.models[name]; ok {
		return target{s.endpoint, actual}, true
	}
	return target{s.endpoint, name}, s.all && s.has(name)
}

// provider converts a provider of Bifrost into endpoints, one for each address and key in its list.
func (b *bifrostFile) provider(name string, o *object) {
	network, custom := o.object("network_config"), o.object("custom_provider_config")
	row, why := bifrostRow(name, custom.text("base_provider_type"))
	if !isName(name) || name == "" || strings.ContainsAny(name, "/* \t") {
		why = "expected a name without slashes, asterisks and spaces"
	}
	if why != "" {
		b.addNote("provider "+quoteName(name), why, o.path)
		return
	}
	keys := o.objects("keys")
	if len(keys) == 0 {
		keys = []*object{newObject(o.path, nil)}
	}
	var list []offeredEndpoint
	var names []string // names of models, in the order of the file
	for _, k := range keys {
		if k == nil {
			b.addNote("keys", whyOwnValue, o.path)
			continue
		}
		if enabled, ok := k.get("enabled").(bool); ok && !enabled {
			b.addNote("key "+quoteName(cmp.Or(k.text("name"), k.text("id"))), "it is not enabled", k.path)
			continue
		}
		for _, s := range b.readKey(name, &row, network, k, &names) {
			list = b.addServed(list, s, name, k)
		}
	}
	if len(list) == 0 {
		return
	}
	b.keepNames(name, list)
	b.models(name, names, list)
	custom.drop("is_key_less")
	o.drop("network_config", "custom_provider_config", "keys")
	for _, rest := range []*object{network, custom, o} {
		b.leftOver(rest)
	}
}

// readKey converts a key of a Bifrost provider into endpoints: one, or for a cloud one for each publisher of models. It
// adds new model names to names.
func (b *bifrostFile) readKey(name string, row *bifrostProvider, network, key *object, names *[]string) []offeredEndpoint {
	if row.cloud != "" {
		return b.readCloudKey(name, row, network, key, names)
	}
	e := &endpoint{}
	if why := b.endpoint(e, name, row, network, key); why != "" {
		b.addNote("provider "+quoteName(name), why, key.path)
		return nil
	}
	return []offeredEndpoint{b.readKeyModels(e, key, names)}
}

// addServed adds the endpoint s to the endpoints of a provider and returns the list. An endpoint that differs from an
// earlier one only in its key is merged into it.
func (b *bifrostFile) addServed(list []offeredEndpoint, s offeredEndpoint, name string, key *object) []offeredEndpoint {
	e := s.endpoint
	e.addPlace(key.path)
	if at := slices.IndexFunc(list, func(o offeredEndpoint) bool {
		return o.all == s.all && maps.Equal(o.models, s.models) && o.endpoint.sharesKeys(e)
	}); at >= 0 {
		b.mergeEndpoint(list[at].endpoint, e)
		return list
	}
	if e.wanted = addNumber(name, len(list)+1, "-"); e.row.Cloud == provider.AWS || e.row.Cloud == provider.Google {
		e.wanted = ""
	}
	s.endpoint = b.endpointLike(e)
	s.endpoint.addPlace(key.path)
	return append(list, s)
}

// keepNames records in b.names which resulting providers have the models of the Bifrost provider name.
func (b *bifrostFile) keepNames(name string, list []offeredEndpoint) {
	_, isRow := rowOf(name)
	switch {
	case name == simulator:
	case list[0].only == "" && (!isRow || name == list[0].endpoint.row.Name):
		b.names[name] = []string{name}
	}
	for i := range list {
		if only := list[i].only; only != "" && !slices.Contains(b.names[name], only) {
			b.names[name] = append(b.names[name], only)
		}
	}
}

// endpoint fills e from a key of a Bifrost provider. why is the reason if the conversion is impossible, else "".
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
			e.remark("/openai/v1 needs no api_version")
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
			e.remark(literalSecretNote("value", variable))
		}
	}
	b.setNetwork(e, name, network)
	return ""
}

// setNetwork sets the headers, the timeout and the retries of an endpoint from network_config of Bifrost.
func (b *bifrostFile) setNetwork(e *endpoint, name string, network *object) {
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
}

// bifrostAzure returns the base URL https://HOST/openai/v1 of an Azure endpoint. why is the reason if the address is
// invalid.
func bifrostAzure(endpoint string) (base, why string) {
	if name, ok := variableOf(endpoint); ok {
		return "${" + name + "}/openai/v1", ""
	}
	base, _, why = address(endpoint, callwright.WireOpenAI)
	host, _, _ := strings.Cut(base, "?")
	return strings.TrimSuffix(strings.TrimSuffix(host, "/v1"), "/openai") + "/openai/v1", why
}

// readKeyModels returns the models to which a key of Bifrost is limited. It adds new model names to names.
func (b *bifrostFile) readKeyModels(e *endpoint, key *object, names *[]string) offeredEndpoint {
	s := offeredEndpoint{endpoint: e, models: map[string]string{}}
	add := func(name, actual string) {
		if !isName(name) || !isName(actual) || name == "" || actual == "" || strings.Contains(name+actual, "*") {
			b.addNote("models", whyOwnValue, key.path)
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
		"vertex_key_config", "vllm_key_config", "ollama_key_config", "sgl_key_config", "value")
	b.leftOver(key)
	return s
}

// models adds an alias for each model that clients cannot request by its name at the provider's first endpoint. Further
// endpoints with the model are fallbacks of the alias.
func (b *bifrostFile) models(provider string, names []string, list []offeredEndpoint) {
	several := 0 // the number of endpoints that offer all models
	for i := range list {
		if list[i].all && list[i].only == list[0].only {
			several++
		}
	}
	own := list[0].only == "" || list[0].only == provider // whether clients use the first endpoint's name
	for _, name := range names {
		var to []target
		for i := range list {
			if t, ok := list[i].target(name); ok && !slices.Contains(to, t) {
				to = append(to, t)
			}
		}
		if len(to) == 0 || len(to) == 1 && own && to[0] == (target{list[0].endpoint, name}) {
			continue
		}
		several = max(several, len(to))
		b.entries = append(b.entries, &entry{name: provider + "/" + name, model: to[0], fallbacks: to[1:],
			from: []string{"providers." + provider}})
	}
	if several > 1 {
		b.addNote("keys of "+quoteName(provider), whyFirst, "")
	}
}
