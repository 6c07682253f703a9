package foreignfile

import (
	"cmp"
	"net"
	"slices"
	"strconv"
	"strings"

	"github.com/callwright/callwright"
	"github.com/goccy/go-yaml"
)

// A routerFile is the state of the conversion of a claude-code-router configuration.
type routerFile struct {
	*draft
	byName   map[string]*endpoint       // endpoints by the provider's name in the file
	vertexes map[string]*vertexProvider // providers at Vertex AI by their names
	root     *object
}

func readRouter(d *draft, root *object) {
	r := &routerFile{draft: d, byName: map[string]*endpoint{}, vertexes: map[string]*vertexProvider{}, root: root}
	for i, o := range root.objects("Providers") {
		if o == nil {
			r.addNote("Providers", whyOwnValue, "Providers["+strconv.Itoa(i)+"]")
			continue
		}
		r.provider(o)
	}
	r.routes(root.object("Router"))
	r.access(root)
	if ms := wholeNumber(root.get("API_TIMEOUT_MS")); ms != "" && ms != "0" {
		n, _ := strconv.ParseFloat(ms, 64)
		for _, e := range r.endpoints {
			e.timeout = n / 1000
		}
	}
	for _, key := range []string{"LOG", "NON_INTERACTIVE_MODE", "StatusLine", "CLAUDE_PATH", "$schema"} {
		root.get(key)
	}
	for _, key := range root.rest() {
		if name, ok := variableOf(newObject("", root.items).text(key)); ok && name == key { // the file has no value for the variable
			root.drop(key)
		}
	}
	r.leftOver(root)
}

// wireOfProvider returns the API of a provider, by its address and its transformers.
func wireOfProvider(base string, uses []use) callwright.WireName {
	has := func(name string) bool {
		return slices.ContainsFunc(uses, func(u use) bool { return strings.EqualFold(u.name, name) })
	}
	switch {
	case has("anthropic") && !strings.HasSuffix(base, "/chat/completions"), strings.HasSuffix(base, "/v1/messages"):
		return callwright.WireAnthropic
	case has("gemini"), strings.Contains(base, "/v1beta/models"):
		return callwright.WireGemini
	case has("openai-response"), strings.HasSuffix(base, "/v1/responses"):
		return callwright.WireResponses
	}
	return callwright.WireOpenAI
}

// provider converts an element of the list Providers in a file of claude-code-router.
func (r *routerFile) provider(o *object) {
	name, base, transformer := o.text("name"), o.text("api_base_url"), o.object("transformer")
	uses := usesOf(transformer.get("use"))
	base = strings.TrimRight(base, "/")
	switch why := explainPlugin(uses); {
	case why != "":
		r.addNote("provider "+quoteName(name), why, o.path)
		return
	case isVertex(uses):
		r.readVertexProvider(o, name, base, uses)
		return
	}
	e := &endpoint{wire: wireOfProvider(base, uses), wanted: strings.ToLower(clean(name, '-'))}
	var remark, why string
	if e.base, remark, why = address(base, e.wire); why == "" && e.wanted == "" {
		why = "it has no name"
	}
	if why != "" {
		r.addNote("provider "+quoteName(name), why, o.path)
		return
	}
	if remark != "" {
		e.remark(remark)
	}
	if strings.HasPrefix(e.wanted, "claude-") { // Claude Code requests models with such names
		e.wanted = "to-" + e.wanted
	}
	if row, ok := rowOf(e.wanted); ok {
		e.row = row
		if row.Wire == e.wire && row.Base == e.base {
			e.base = ""
		}
	}
	r.moveToAzure(e)
	r.key(e, o.text("api_key"), r.ownKey(e))
	e.addPlace(o.path)
	if e.wanted != name {
		e.remark("called " + quoteName(name) + " there")
	}
	r.endpoints = append(r.endpoints, e)
	if r.byName[name] == nil {
		r.byName[name] = e
	}
	e.settings = r.settings(e, uses, transformer.path)
	r.readOwnSettings(transformer, func(model string) (target, bool) { return target{e, model}, true })
	o.get("models") // all models can be requested
	r.leftOver(o)
}

// moveToAzure changes an endpoint at Azure to the address https://HOST/openai/v1 and to the header for Azure keys.
func (r *routerFile) moveToAzure(e *endpoint) {
	host, path, _ := strings.Cut(strings.TrimPrefix(e.base, "https://"), "/")
	if !strings.HasSuffix(host, ".openai.azure.com") && !strings.HasSuffix(host, ".services.ai.azure.com") || e.wire != callwright.WireOpenAI {
		return
	}
	e.row, _ = rowOf("azure")
	e.base = "https://" + host + "/openai/v1"
	if strings.Contains(path, "api-version=") {
		e.remark("/openai/v1 takes no api-version")
	}
}

// readOwnSettings converts the transformers of single models. find returns the resulting model of a name.
func (r *routerFile) readOwnSettings(transformer *object, find func(model string) (target, bool)) {
	for _, model := range transformer.keys() {
		if model == "use" {
			continue
		}
		own := transformer.object(model)
		settings := r.settings(nil, usesOf(own.get("use")), own.path)
		if len(settings) == 0 || !isName(model) || model == "" || strings.Contains(model, "*") {
			continue
		}
		if t, ok := find(model); ok {
			r.entries = append(r.entries, &entry{isModel: true, model: t, settings: settings, from: []string{own.path}})
		}
	}
}

// ownKey returns the variable for an API key that is written in the file.
func (r *routerFile) ownKey(e *endpoint) string {
	if e.row.Key != "" && e.base == "" {
		return e.row.Key
	}
	return keyVariable(e.wanted, "API_KEY")
}

// key sets the variable of an endpoint's API key. secret is the key in the file or a reference to a variable. wanted is
// the variable's name for a key in the file.
func (r *routerFile) key(e *endpoint, secret, wanted string) {
	if secret == "" || isNoKey(secret) && (e.row.Local || e.row.Name == "") {
		return
	}
	variable, literal := r.variable(secret, wanted)
	if e.key = variable; literal {
		e.remark(literalSecretNote("api_key", variable))
	}
}

// A use is a transformer of claude-code-router with its options.
type use struct {
	name    string
	options *object
}

// usesOf returns the transformers in a list, whose elements are names, or lists of a name and options.
func usesOf(v any) []use {
	var out []use
	list, _ := v.([]any)
	for _, one := range list {
		u := use{options: newObject("", nil)}
		parts, isList := one.([]any)
		if !isList {
			parts = []any{one}
		}
		if len(parts) > 0 {
			u.name, _ = parts[0].(string)
		}
		if len(parts) > 1 {
			if items, ok := parts[1].(yaml.MapSlice); ok {
				u.options = newObject("", items)
			}
		}
		out = append(out, u)
	}
	return out
}

// done are transformers that need no setting, since the gateway does their work by default.
var done = []string{"anthropic", "gemini", "openai-response", "deepseek", "openrouter", "groq", "tooluse", "enhancetool",
	"reasoning", "streamoptions", "openai", "maxcompletiontokens"}

// settings returns the settings that correspond to transformers. It adds headers to e, which may be nil.
func (r *routerFile) settings(e *endpoint, uses []use, place string) []member {
	var values, body []member
	cache := false
	for _, u := range uses {
		switch name := strings.ToLower(u.name); name {
		case "maxtoken", "sampling":
			for _, k := range paramKeys {
				if n := number(u.options.get(k.key)); n != "" && !(k.whole && wholeNumber(n) == "") &&
					!slices.ContainsFunc(values, func(m member) bool { return m.key == k.ours }) {
					values = append(values, member{k.ours, n})
				}
			}
		case "cleancache":
			cache = true
		case "openrouter":
			body = append(body, r.openRouter(e, u.options, place)...)
		default:
			if !slices.Contains(done, name) {
				r.addNote("transformer "+quoteName(u.name), "callwright adapts requests to known providers and models; for others, set mode, dialect, params and transforms", place)
			}
		}
	}
	var out []member
	if cache {
		out = append(out, member{"cache", `"off"`})
	}
	if len(values) > 0 {
		out = append(out, member{"params", flow(values)})
	}
	if len(body) > 0 {
		out = append(out, member{"request", flow(body[:1])})
	}
	return out
}

// openRouter returns the settings for the options of the transformer for OpenRouter.
func (r *routerFile) openRouter(e *endpoint, options *object, place string) []member {
	for _, h := range []struct{ key, header string }{{"referer", "HTTP-Referer"}, {"title", "X-Title"}} {
		if value := options.text(h.key); value != "" && e != nil {
			r.header(e, e.wanted, h.header, value, place)
		}
	}
	if order := names(options.get("providerOrder")); len(order) > 0 {
		return []member{{"provider", "{order: " + listOf(order) + "}"}}
	}
	if items := options.object("provider").items; len(items) > 0 {
		return r.body(newObject(place, yaml.MapSlice{{Key: "provider", Value: items}}))
	}
	return nil
}

// routes are the keys of Router with the names of the resulting aliases. pattern matches the model names for which
// Claude Code needs the route: in the background it requests a small model, whose name contains haiku.
var routes = []struct{ key, name, pattern string }{
	{"background", "background", "claude-*haiku*"}, {"think", "think", ""}, {"longContext", "long-context", ""},
	{"webSearch", "web-search", ""}, {"image", "image", ""},
	{"default", "default", "claude-*"},
}

// routes converts Router.
func (r *routerFile) routes(router *object) {
	var patterns []*entry
	for _, route := range routes {
		text := router.text(route.key)
		if text == "" {
			continue
		}
		t, ok := r.route(text)
		if !ok {
			r.addNote(router.at(route.key), whyNoModel, "")
			continue
		}
		r.entries = append(r.entries, &entry{name: route.name, model: t, from: []string{router.at(route.key)}})
		if route.pattern != "" {
			patterns = append(patterns, &entry{name: route.pattern, model: target{name: route.name},
				from: []string{"the models that Claude Code requests"}})
		} else if route.key != "longContext" {
			r.addNote(router.at(route.key), "requests are not routed by their content: request the model "+route.name, "")
		}
	}
	r.entries = append(r.entries, patterns...)
	if e := r.entry("default"); e != nil {
		if long := r.entry("long-context"); long != nil && long.model != e.model {
			e.fallbacks = append(e.fallbacks, target{name: "long-context"})
			e.from = append(e.from, "prompts that are too long go to the fallback long-context")
		}
		if t, ok := r.route(router.text("fallback")); ok {
			e.fallbacks = append(e.fallbacks, t)
		}
	}
	r.leftOver(router)
}

// route returns the model of a route, which is written as "provider,model". It returns false if there is none.
func (r *routerFile) route(text string) (target, bool) {
	name, model, ok := strings.Cut(text, ",")
	name, model = strings.TrimSpace(name), strings.TrimSpace(model)
	e := r.byName[name]
	if side := r.vertexes[name]; side != nil && isName(model) && !strings.Contains(model, "*") {
		return r.findVertexTarget(side, model)
	}
	return target{e, model}, ok && e != nil && model != "" && isName(model) && !strings.Contains(model, "*")
}

// access converts the key of clients and the address to listen on. Without a key, claude-code-router listens only on
// loopback.
func (r *routerFile) access(root *object) {
	if key := root.text("APIKEY"); key != "" {
		variable, literal := r.variable(key, "CALLWRIGHT_KEY")
		k := line{value: "env:" + variable, from: []string{"APIKEY"}}
		if literal {
			k.from = append(k.from, literalSecretNote("it", variable))
		}
		r.keys = append(r.keys, k)
	}
	host, port := root.text("HOST"), wholeNumber(root.get("PORT"))
	if host == "" && port == "" {
		return
	}
	if len(r.keys) == 0 || host == "" {
		host = "127.0.0.1"
	}
	if n, err := strconv.Atoi(cmp.Or(port, "3456")); err != nil || n > 65535 ||
		strings.ContainsFunc(host, func(c rune) bool { return c <= ' ' || strings.ContainsRune("/${}", c) }) {
		r.addNote("HOST", whyOwnValue, "")
		return
	}
	r.listen = line{value: string(textOf(net.JoinHostPort(host, cmp.Or(port, "3456")))), from: []string{"HOST, PORT"}}
}
