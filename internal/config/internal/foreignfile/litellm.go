package foreignfile

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/config/internal/foreignkey"
	"github.com/callwright/callwright/internal/provider"
)

// A proxy is the state of the conversion of a LiteLLM configuration.
type proxy struct {
	*draft
	credentials map[string]*object
	common      *object           // the mapping litellm_settings
	ids         map[string]target // deployments by their ids
	groups      map[string]bool   // all names of model groups in the file
	identities  []string          // names of groups of all models of a provider (P/*) that have the same name in the result

	order       []string // names of the converted groups
	deployments map[string][]deployment
}

func readLiteLLM(d *draft, root *object) {
	p := &proxy{draft: d, credentials: map[string]*object{}, groups: map[string]bool{}, deployments: map[string][]deployment{},
		common: root.object("litellm_settings"), ids: map[string]target{}}
	for _, c := range root.objects("credential_list") {
		if c != nil {
			p.credentials[c.text("credential_name")] = c.object("credential_values")
		}
	}
	for _, o := range root.objects("model_list") {
		if o != nil {
			p.groups[o.text("model_name")] = true
		}
	}
	for _, alias := range root.object("router_settings").object("model_group_alias").keys() {
		p.groups[alias] = true
	}
	p.reserveKeys(root.objects("model_list"))
	for i, o := range root.objects("model_list") {
		if o != nil {
			p.deployment(o)
		} else {
			p.addNote("model_list", whyOwnValue, "model_list["+strconv.Itoa(i)+"]")
		}
	}
	litellm, router, general := p.common, root.object("router_settings"), root.object("general_settings")
	p.entriesOfGroups(preferOf(router.text("routing_strategy")))
	p.aliases(router)
	for _, s := range []*object{router, litellm, general} {
		p.chains(s)
		p.defaults(s)
	}
	p.readBreaker([]*object{router, litellm, general})
	p.access(general)
	litellm.drop("drop_params", "vertex_project", "vertex_location", "enable_azure_ad_token_refresh")
	if litellm.get("telemetry") != nil {
		p.addNote("telemetry", "callwright reports nothing to its makers", litellm.path)
	}
	for _, o := range []*object{litellm, router, general, root} {
		p.leftOver(o)
	}
}

// reserveKeys reserves the variables from which deployments without api_key read their keys by default, so that no
// other secret in the file gets one of them.
func (p *proxy) reserveKeys(list []*object) {
	for _, o := range list {
		if o == nil {
			continue
		}
		params := newObject("", o.object("litellm_params").items)
		if params.get("api_key") != nil || params.get("litellm_credential_name") != nil {
			continue
		}
		if from, _, why := prefixOf(params.text("custom_llm_provider"), params.text("model"), true); why == "" && from.key != "" {
			p.variables[from.key] = ""
		}
	}
}

// leftOver adds a note for each key of an object that was not read.
func (d *draft) leftOver(o *object) {
	for _, key := range o.rest() {
		if strings.HasPrefix(key, "//") { // a comment, since JSON has none
			continue
		}
		why, ok := foreignkey.FindReason(d.program, key)
		if r, known := foreignkey.Find(key, ""); !ok && known {
			why = cmp.Or(r.Note, "see "+r.Path)
		}
		why = cmp.Or(why, "no counterpart")
		d.addNote(quoteName(key), why, o.path)
	}
}

// deployment converts an entry of model_list.
func (p *proxy) deployment(o *object) {
	group, params, info := o.text("model_name"), o.object("litellm_params"), o.object("model_info")
	place := o.path
	if group == "" || !isPlainText(group) {
		p.addNote("model_name", "expected a name", place)
		return
	}
	if c := p.credentials[params.text("litellm_credential_name")]; c != nil {
		params.items = append(slices.Clone(c.items), params.items...)
	}
	base := cmp.Or(params.text("api_base"), params.text("base_url"))
	from, model, why := prefixOf(params.text("custom_llm_provider"), params.text("model"), base != "")
	model = strings.TrimPrefix(strings.TrimPrefix(model, "gpt5_series/"), "o_series/")
	if why == "" && (model == "" || !isName(model)) {
		why = "it names no model"
	}
	e := &endpoint{}
	if why == "" {
		why = p.endpoint(e, from, &model, base, params, info)
	}
	if why != "" {
		p.addNote("model "+quoteName(group), why, place)
		return
	}
	e = p.endpointLike(e)
	e.addPlace(place)
	p.timeout(e, params.get("timeout"), params.at("timeout"))
	settings := p.settings(params, info, place)
	params.get("drop_params") // always done by the gateway
	p.leftOver(params)
	p.leftOver(o)
	if strings.Contains(model, "*") {
		p.wildcard(group, model, e, place)
		return
	}
	if len(p.deployments[group]) == 0 {
		p.order = append(p.order, group)
	}
	p.deployments[group] = append(p.deployments[group], deployment{target{e, model}, settings, place})
	if id := info.text("id"); id != "" && !p.groups[id] {
		p.ids[id] = target{e, model}
	}
}

// isName reports whether text can be the name of a model, and is not a reference to a variable, which LiteLLM resolves
// when it starts.
func isName(text string) bool {
	_, isVariable := variableOf(text)
	return !isVariable && isPlainText(text)
}

// isPlainText reports whether text contains no control characters and no invalid UTF-8.
func isPlainText(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool { return r < ' ' || r == 0x7f || r == '\uFFFD' })
}

// endpoint fills the endpoint of a deployment. It removes parts of model that are not the model's name, such as
// responses/. why is the reason if the conversion is impossible.
func (p *proxy) endpoint(e *endpoint, from prefix, model *string, base string, params, info *object) (why string) {
	switch from.cloud {
	case provider.AWS:
		why = p.readBedrock(e, model, params, info)
	case provider.Google:
		why = p.readVertex(e, model, base, params)
	default:
		why = p.fillServer(e, from, model, base, params)
	}
	if why == "" {
		p.addHeaders(e, params)
	}
	return why
}

// fillServer fills the endpoint of a deployment that is used with an API key. why is the reason if the conversion is
// impossible.
func (p *proxy) fillServer(e *endpoint, from prefix, model *string, base string, params *object) (why string) {
	if rest, ok := strings.CutPrefix(*model, "responses/"); ok && from.name == "openai" {
		from.row, *model = "openai-responses", rest
	}
	e.row, _ = rowOf(from.row)
	e.wire = wireOf(e.row.Wire)
	if from.name == "azure_ai" && base != "" {
		if base, e.wire, from.row = locateAzureAI(base, *model); from.row != "" {
			e.row, _ = rowOf(from.row)
		}
	}
	version := params.text("api_version")
	switch base = cmp.Or(base, from.base); {
	case from.name == "azure":
		if base == "" {
			base = "${AZURE_API_BASE}"
		}
		e.base, why = p.azure(e, base, *model, version)
	case base != "":
		var remark string
		if e.base, remark, why = address(base, e.wire); remark != "" {
			e.remark(remark)
		}
		if from.name == "huggingface" && why == "" { // LiteLLM appends /v1 if it is absent
			e.base = strings.TrimSuffix(e.base, "/v1") + "/v1"
		}
		e.row = rowAt(e, from)
	case e.row.Base == "":
		why = "it has no api_base"
	}
	if why != "" {
		return why
	}
	if e.base == e.row.Base {
		e.base = ""
	}
	if p.readAzureIdentity(e, params); e.identity.cloud == "" {
		p.key(e, from, params.text("api_key"))
	}
	return ""
}

// addHeaders adds the headers of a deployment to its endpoint.
func (p *proxy) addHeaders(e *endpoint, params *object) {
	owner := cmp.Or(e.row.Name, hostName(e.base))
	for _, key := range []string{"extra_headers", "headers", "default_headers"} {
		headers := params.object(key)
		for _, name := range headers.keys() {
			value, isText := headers.get(name).(string)
			if !isText {
				value = number(headers.get(name))
			}
			p.header(e, owner, name, value, headers.path)
		}
	}
	if organization := params.text("organization"); organization != "" {
		p.header(e, owner, "OpenAI-Organization", organization, params.path)
	}
}

// rowAt returns the built-in provider of an endpoint, by its LiteLLM prefix or its address. It returns the zero Row for
// a Chat Completions server at any other address.
func rowAt(e *endpoint, from prefix) provider.Row {
	if from.name != "openai" && from.row != "" {
		return e.row
	}
	for _, r := range provider.Rows() {
		if r.Base == e.base && !r.Local && r.Wire == e.wire {
			return r
		}
	}
	return provider.Row{}
}

// azure returns the base URL https://HOST/openai/v1 of an Azure endpoint, or the address of the single deployment for a
// host outside Azure. why is the reason if the address is invalid.
func (p *proxy) azure(e *endpoint, base, model, version string) (address_, why string) {
	if name, ok := variableOf(base); ok {
		return "${" + name + "}/openai/v1", ""
	}
	full, _, why := address(base, callwright.WireOpenAI)
	if why != "" {
		return "", why
	}
	host, _, _ := strings.Cut(strings.TrimPrefix(strings.TrimPrefix(full, "https://"), "http://"), "/")
	host, _, _ = strings.Cut(host, "?")
	scheme, _, _ := strings.Cut(full, "://")
	if strings.HasSuffix(host, ".azure.com") || version == "" {
		if version != "" {
			e.remark("/openai/v1 needs no api_version")
		}
		return scheme + "://" + host + "/openai/v1", ""
	}
	full, _, _ = strings.Cut(full, "?")
	full, _, _ = strings.Cut(full, "/openai/")
	if strings.ContainsAny(model+version, "?#&% ") {
		return "", "api_base, model and api_version form no valid address"
	}
	return full + "/openai/deployments/" + model + "?api-version=" + version, ""
}

// none are usual placeholder values of an API key for a server that needs none.
var none = []string{"none", "null", "empty", "no-key", "not-needed", "dummy", "ollama"}

func isNoKey(secret string) bool { return slices.Contains(none, strings.ToLower(secret)) }

// key sets the variable of an endpoint's API key. secret is the key in the file, or a reference to a variable, or "".
func (p *proxy) key(e *endpoint, from prefix, secret string) {
	custom, own := e.row.Name == "", from.key
	if !custom && e.row.Name != from.row && from.row != "openai-responses" {
		own = "" // the key is for another provider
	}
	switch {
	case isNoKey(secret) && (custom || e.row.Local):
	case secret != "":
		wanted := keyVariable(cmp.Or(e.row.Name, hostName(e.base)), "API_KEY")
		if !custom && !e.row.Local {
			wanted = cmp.Or(own, e.row.Key, wanted)
		}
		variable, literal := p.variable(secret, wanted)
		if e.key = variable; literal {
			e.remark(literalSecretNote("api_key", variable))
		}
	case !custom || from.name != "openai": // the key of OpenAI must not be sent to other servers
		e.key = own
	}
}

// timeout sets the timeout of an endpoint to v in seconds, if that is longer than its timeout.
func (p *proxy) timeout(e *endpoint, v any, place string) {
	if v == nil {
		return
	}
	seconds, err := strconv.ParseFloat(number(v), 64)
	if err != nil || seconds < 0.001 || seconds > 1e6 {
		p.addNote("timeout", whyOwnValue, place)
		return
	}
	if seconds > e.timeout {
		e.timeout = seconds
	}
}

// wildcard converts a group of all models of a provider, if its models have the same names in the result:
// PROVIDER/MODEL. Otherwise it adds a note.
func (p *proxy) wildcard(group, model string, e *endpoint, place string) {
	name, rest, _ := strings.Cut(group, "/")
	_, isRow := rowOf(name)
	switch {
	case rest != model || name == "" || name == simulator || strings.ContainsAny(name, "* \t") || isRow && name != e.row.Name ||
		e.wanted != "" && e.wanted != name:
		p.addNote("model "+quoteName(group), whyPattern, place)
	case slices.ContainsFunc(p.endpoints, func(o *endpoint) bool { return o != e && o.wanted == name }):
		p.addNote("deployments of "+quoteName(group), whyFirst, place)
	default:
		e.wanted = name
		p.identities = append(p.identities, group)
	}
}

// resolveFallback returns the model or group with that name in a list of fallbacks. It returns false if there is none.
func (p *proxy) resolveFallback(name string) (target, bool) {
	if strings.Contains(name, "*") {
		return target{}, false
	}
	_, model, _ := strings.Cut(name, "/")
	isOne := slices.ContainsFunc(p.identities, func(pattern string) bool { return fits(pattern, name) }) && model != "" && isName(name)
	if to, ok := p.ids[name]; ok && slices.Contains(p.endpoints, to.endpoint) {
		return to, true
	}
	return target{name: name}, isOne || p.entry(name) != nil
}
