package foreignfile

import (
	"cmp"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/provider"
)

// An endpoint is an entry of providers in the result.
type endpoint struct {
	name     string
	wanted   string       // the provider name that clients use in requests; "" for none
	row      provider.Row // the built-in provider; its Name is empty for none
	wire     callwright.WireName
	base     string   // base URL, with variables as ${NAME}; "" for the address of row
	hosts    []string // further addresses
	key      string   // the variable of the API key; "" for the variable of row, or for no key
	more     []string // variables of further keys
	identity identity // cloud credentials in place of a key
	headers  []member
	settings []member
	timeout  float64 // seconds until the response header; 0 for the default
	from     []string
	remarks  []string
}

// comments returns the comment lines to write above the endpoint.
func (e *endpoint) comments() []string {
	places := e.from
	if len(places) > maxPlaces {
		places = append(slices.Clone(places[:maxPlaces]), "...")
	}
	return append([]string{strings.Join(places, ", ")}, e.remarks...)
}

// addPlace adds a position in the source file to the comments of the endpoint.
func (e *endpoint) addPlace(place string) {
	if !slices.Contains(e.from, place) {
		e.from = append(e.from, place)
	}
}

// remark adds a comment, unless the endpoint has the comment already.
func (e *endpoint) remark(text string) {
	if !slices.Contains(e.remarks, text) {
		e.remarks = append(e.remarks, text)
	}
}

// azureHeader is the header for an API key of Azure at an endpoint that is not the built-in provider.
const azureHeader = "api-key"

// same reports whether two endpoints have the same address, API, keys and headers.
func (e *endpoint) same(o *endpoint) bool {
	return e.row.Name == o.row.Name && e.wire == o.wire && e.base == o.base && slices.Equal(e.hosts, o.hosts) && e.key == o.key &&
		slices.Equal(e.more, o.more) && slices.Equal(e.headers, o.headers) && e.identity.isSame(&o.identity)
}

// members returns the settings of the endpoint as they are written.
func (e *endpoint) members() []member {
	var out []member
	base, ownRow := e.base, e.name == e.row.Name && e.wire == e.row.Wire
	if !ownRow {
		base = cmp.Or(base, e.row.Base)
		// the built-in provider has the region of this variable, others get it by credentials of AWS
		if before, after, ok := strings.Cut(e.row.Template, "{region}"); ok && base == "" && e.identity.cloud == "" {
			base = before + "${AWS_REGION}" + after
		}
		out = append(out, member{"wire", string(e.wire)})
	}
	switch {
	case len(e.hosts) > 0:
		list := []string{expanding(base)}
		for _, host := range e.hosts {
			list = append(list, expanding(host))
		}
		out = append(out, member{"base_url", "[" + strings.Join(list, ", ") + "]"})
	case base != "":
		out = append(out, member{"base_url", expanding(base)})
	}
	headers := e.headers
	switch {
	case len(e.more) > 0:
		keys := []string{"env:" + e.key}
		for _, key := range e.more {
			keys = append(keys, "env:"+key)
		}
		out = append(out, member{"api_key", listOf(keys)})
	case e.key == "", ownRow && e.key == e.row.Key:
	case !ownRow && e.row.Auth == provider.APIKeyHeader:
		headers = append([]member{{azureHeader, "env:" + e.key}}, headers...)
	default:
		out = append(out, member{"api_key", "env:" + e.key})
	}
	out = append(out, e.writeAuth()...)
	if len(headers) > 0 {
		out = append(out, member{"headers", flow(headers)})
	}
	if e.timeout > 0 {
		out = append(out, member{"timeouts", "{first_byte: " + strconv.FormatFloat(e.timeout, 'f', -1, 64) + "s}"})
	}
	return append(out, e.settings...)
}

// sharesKeys reports whether two endpoints differ only in their keys, so that they can be merged into one with both
// keys. Endpoints that send the key in Azure's header cannot be merged, since a header has one value.
func (e *endpoint) sharesKeys(o *endpoint) bool {
	key, more := o.key, o.more
	one := *o
	one.key, one.more = e.key, e.more
	return e != o && e.same(&one) && e.key != "" && key != "" && e.key != key && len(more) == 0 && e.row.Auth != provider.APIKeyHeader
}

// sharesHosts reports whether two endpoints differ only in their addresses, so that they can be merged into one with
// both.
func (e *endpoint) sharesHosts(o *endpoint) bool {
	one := *o
	one.base, one.hosts = e.base, e.hosts
	return e != o && e.same(&one) && e.base != "" && o.base != "" && e.base != o.base && !slices.Contains(e.hosts, o.base) && len(o.hosts) == 0 &&
		len(e.more) == 0
}

// mergeEndpoint merges the endpoint o into e: it adds the key or the address of o, and its comments.
func (d *draft) mergeEndpoint(e, o *endpoint) {
	if o.base != e.base {
		e.hosts = append(e.hosts, o.base)
	} else {
		e.more = append(e.more, o.key)
	}
	e.timeout = max(e.timeout, o.timeout)
	for _, place := range o.from {
		e.addPlace(place)
	}
	for _, text := range o.remarks {
		e.remark(text)
	}
	d.endpoints = slices.DeleteFunc(d.endpoints, func(one *endpoint) bool { return one == o })
}

// endpointLike returns an endpoint of the draft with the same address and keys as e. If there is none, it adds e and
// returns e.
func (d *draft) endpointLike(e *endpoint) *endpoint {
	for _, o := range d.endpoints {
		if o.same(e) {
			return o
		}
	}
	d.endpoints = append(d.endpoints, e)
	return e
}

// rowOf returns the built-in provider with that name. It returns false if there is none.
func rowOf(name string) (provider.Row, bool) {
	i := slices.IndexFunc(provider.Rows(), func(r provider.Row) bool { return r.Name == name })
	if i < 0 {
		return provider.Row{}, false
	}
	return provider.Rows()[i], true
}

// simulator is the name of the model simulator's provider.
const simulator = "sim"

// nameEndpoints gives each endpoint a unique name: the name that clients use, the built-in provider's name, or a name
// derived from its host.
func (d *draft) nameEndpoints() {
	used := map[string]bool{simulator: true}
	give := func(e *endpoint, wanted string) {
		for n := 1; e.name == ""; n++ {
			name := addNumber(wanted, n, "-")
			if _, isRow := rowOf(name); !used[name] && (!isRow || name == e.row.Name) {
				e.name = name
			}
		}
		used[e.name] = true
	}
	for _, e := range d.endpoints {
		if _, isRow := rowOf(e.wanted); e.wanted != "" && !used[e.wanted] && (!isRow || e.wanted == e.row.Name) {
			e.name = e.wanted
			used[e.name] = true
		}
	}
	for _, e := range d.endpoints {
		if e.name == "" {
			give(e, cmp.Or(e.row.Name, hostName(e.base)))
		}
	}
	for _, e := range d.entries {
		if e.isModel {
			e.name = e.model.id()
		}
	}
	clear(d.byName)
	d.indexed = 0
	for again := true; again; {
		again = false
		for _, e := range d.entries {
			for _, t := range append(e.targets(), pointers(e.fallbacks)...) {
				if taken := d.entry(t.id()); t.endpoint != nil && taken != nil && taken.model.id() != t.id() {
					t.endpoint = d.direct(t.endpoint, give)
					again = true
				}
			}
		}
	}
}

func pointers(list []target) []*target {
	out := make([]*target, len(list))
	for i := range list {
		out[i] = &list[i]
	}
	return out
}

// direct adds a copy of endpoint e under another name and returns it. The copy is needed if the name of a model at e is
// also the name of an entry for another model. give sets the name.
func (d *draft) direct(e *endpoint, give func(e *endpoint, wanted string)) *endpoint {
	copied := *e
	copied.name, copied.wanted = "", ""
	copied.remarks = append(slices.Clone(e.remarks), "a copy of the endpoint, because an alias has the name of one of its models")
	give(&copied, e.name+"-direct")
	d.endpoints = append(d.endpoints, &copied)
	return &copied
}

// addNumber returns name for n = 1, and name, between and n for a larger n: lab-2.
func addNumber(name string, n int, between string) string {
	if n > 1 {
		name += between + strconv.Itoa(n)
	}
	return name
}

// hostName returns a provider name derived from an address: the first significant part of the host name, or
// "local-PORT" for an IP address. It returns "endpoint" for an address with variables.
func hostName(base string) string {
	u, err := url.Parse(base)
	if err != nil || strings.Contains(base, "${") {
		return "endpoint"
	}
	host := strings.ToLower(u.Hostname())
	if _, err := netip.ParseAddr(host); err == nil || host == "localhost" {
		return strings.Trim("local-"+u.Port(), "-")
	}
	for part := range strings.SplitSeq(host, ".") {
		if part = clean(part, '-'); part != "" && part != "www" && part != "api" {
			return part
		}
	}
	return "endpoint"
}

// clean replaces all characters except ASCII letters and digits by the character by. It removes by at both ends.
func clean(text string, by rune) string {
	out := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' {
			return r
		}
		return by
	}, text)
	return strings.Trim(out, string(by))
}

// keyVariable returns the name of the variable for a secret of an endpoint, such as LAB_API_KEY for lab and API_KEY.
func keyVariable(name, last string) string {
	name = strings.ToUpper(clean(name, '_'))
	if name == "" || name[0] >= '0' && name[0] <= '9' {
		name = "PROVIDER_" + name
	}
	return strings.TrimSuffix(name, "_") + "_" + last
}

// suffixes are path suffixes of addresses that the gateway appends itself, by API.
var suffixes = map[callwright.WireName][]string{
	callwright.WireOpenAI:    {"/chat/completions"},
	callwright.WireResponses: {"/responses"},
	callwright.WireAnthropic: {"/messages", "/v1"},
	callwright.WireGemini:    {"/models", "/v1beta", "/v1"},
	callwright.WireOllama:    {"/chat", "/generate", "/api"},
}

// address returns text as a base_url, with ${NAME} for a variable. problem is the reason if the address cannot be
// converted. remark names the parts that were removed.
func address(text string, wire callwright.WireName) (base, remark, problem string) {
	if name, ok := variableOf(text); ok {
		return "${" + name + "}", "", ""
	}
	u, err := url.Parse(text)
	switch {
	case err != nil, u.Scheme != "http" && u.Scheme != "https", u.Host == "", strings.Contains(text, "${"), !isPrintable(text):
		return "", "", "expected an address with http:// or https:// and a host"
	case u.User != nil:
		return "", "", "its address contains credentials: move them to a header"
	}
	kept := url.Values{}
	for name, values := range u.Query() {
		if name == "api-version" {
			kept[name] = values
		} else {
			remark = "the query of its address is left out, because it may contain a secret"
		}
	}
	path := strings.TrimRight(u.EscapedPath(), "/")
	for _, end := range suffixes[wire] {
		path = strings.TrimRight(strings.TrimSuffix(path, end), "/")
	}
	base = u.Scheme + "://" + u.Host + path
	if len(kept) > 0 {
		base += "?" + kept.Encode()
	}
	return base, remark, ""
}

// literalSecretNote returns the comment for a secret that the original file contains: the user must set variable to it.
// secret is a description, such as "the key".
func literalSecretNote(secret, variable string) string {
	return secret + " was in the original file: set " + variable + " to it"
}

func isPrintable(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool { return r <= ' ' || r == 0x7f })
}

// openHeaders are the headers whose values are not secrets. Values of all other headers are replaced by variables.
var openHeaders = []string{"accept", "anthropic-beta", "anthropic-version", "content-type", "http-referer", "openai-beta",
	"openai-organization", "openai-project", "user-agent", "x-title"}

// secretWords are parts of the names of headers and members that contain secrets.
var secretWords = []string{"auth", "key", "token", "secret", "password", "credential", "cookie", "session"}

func isSecretName(name string) bool {
	name = strings.ToLower(name)
	return slices.ContainsFunc(secretWords, func(w string) bool { return strings.Contains(name, w) })
}

// header adds a header to an endpoint, unless its name or value is invalid. A value that may be secret is replaced by a
// variable named after owner and the header. place is the position in the file, for notes.
func (d *draft) header(e *endpoint, owner, name, value, place string) {
	if name == "" || strings.ContainsFunc(name, func(r rune) bool {
		return r <= ' ' || r >= 0x7f || strings.ContainsRune(`"(),/:;<=>?@[\]{}`, r)
	}) || strings.ContainsFunc(value, func(r rune) bool { return r < ' ' || r == 0x7f }) || value == "" {
		d.addNote("headers", "expected a valid name and value of a header", place)
		return
	}
	written := textOf(value)
	// a value that begins with env: is a literal in the other program, but a reference in the gateway's configuration
	if variable, ok := variableOf(value); ok || !slices.Contains(openHeaders, strings.ToLower(name)) || strings.HasPrefix(value, "env:") {
		if !ok {
			variable, _ = d.variable(value, keyVariable(owner, strings.ToUpper(clean(name, '_'))))
			e.remark(literalSecretNote("the value of "+quoteName(name), variable))
		}
		written = "env:" + variable
	}
	e.headers = append(e.headers, member{name, written})
	slices.SortFunc(e.headers, func(a, b member) int { return cmp.Compare(strings.ToLower(a.key), strings.ToLower(b.key)) })
	e.headers = slices.CompactFunc(e.headers, func(a, b member) bool { return strings.EqualFold(a.key, b.key) })
}
