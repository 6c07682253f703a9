// Package credential finds the credentials that requests have for servers of tools and of data.
//
// Such a server is an element of a top-level list: one of tools, of MCP servers or of data sources. OpenAI's Responses
// API has authorization and headers in its tools of type mcp, and values of secrets in the network policies of
// containers; Anthropic's Messages API has authorization_token in mcp_servers; Gemini has the headers of a transport in
// mcpServers of a tool, and keys in authConfig; Azure has authentication in the parameters of data_sources. Some
// gateways take api_key and extra_headers at the top.
package credential

import (
	"iter"
	"net/url"
	"slices"
	"strings"

	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/redact"
)

// In returns the credentials of a request's body, as text. A header that names a scheme, such as Bearer, is there with
// it and without it.
func In(body []byte) []string {
	var out []string
	each(body, func(_, _ int, texts []string) { out = append(out, texts...) })
	return out
}

// Secrets are the credentials of a request's body, to be hidden elsewhere.
func Secrets(body []byte) redact.Secrets { return secretsOf(In(body)) }

// An Indexed is a request's body whose top-level members are known.
type Indexed interface {
	Members() iter.Seq2[jsonx.Key, []byte]
	// ToolSecrets returns the credentials that find finds in the member tools. known is false where find has to be
	// asked anew.
	ToolSecrets(find func(list []byte) []string) (secrets []string, known bool)
}

// SecretsIn is Secrets for a body whose members are known.
func SecretsIn(body Indexed) redact.Secrets { return secretsOf(InMembers(body)) }

// InMembers is In for a body whose members are known. Members that have no credentials are passed by without being
// read.
func InMembers(body Indexed) (out []string) {
	for key, v := range body.Members() {
		name := string(key.Text())
		if !mayHold(name) || len(v) == 0 {
			continue
		}
		if name == "tools" {
			if secrets, known := body.ToolSecrets(inTools); known {
				out = append(out, secrets...)
				continue
			}
		}
		out = append(out, inMember(name, v)...)
	}
	return out
}

func inTools(list []byte) []string { return inMember("tools", list) }

func inMember(name string, v []byte) (out []string) {
	findIn(name, v, func(_, _ int, texts []string) { out = append(out, texts...) })
	return out
}

func findIn(name string, v []byte, visit visitor) {
	f := &finder{body: v, walker: jsonx.NewWalker(v), visit: visit}
	f.member(name, 0)
}

func secretsOf(texts []string) redact.Secrets {
	if texts == nil {
		return redact.Secrets{}
	}
	return redact.Of(texts...)
}

// Hide returns a request's body without its credentials: where they stand, whatever their length, and wherever they
// stand besides. It never changes body, and returns body itself where there are none.
func Hide(body []byte) []byte { return hide(body, func(visit visitor) { each(body, visit) }) }

// HideIn is Hide for the value of one member of a body.
func HideIn(name string, v []byte) []byte {
	return hide(v, func(visit visitor) { findIn(name, v, visit) })
}

// A visitor takes the place of a string that holds credentials, and the credentials, the longest first.
type visitor func(from, to int, texts []string)

func hide(raw []byte, each func(visitor)) []byte {
	var out []byte
	var all []string
	done := 0
	each(func(from, to int, texts []string) {
		text, _ := jsonx.String(raw[from:to])
		shown := redact.Mark
		if longest := texts[0]; longest != text { // a part of an address
			shown = text
			for _, t := range texts {
				shown = strings.ReplaceAll(shown, t, redact.Mark)
			}
		}
		out = jsonx.AppendQuote(append(out, raw[done:from]...), shown)
		done = to
		all = append(all, texts...)
	})
	if done == 0 {
		return raw
	}
	return redact.Of(all...).Stream(append(out, raw[done:]...))
}

// lists are the members of a request, and of a part of its input, that list servers.
var lists = []string{"tools", "mcp_servers", "mcpServers", "data_sources", "dataSources"}

// A place says which strings below a value are credentials.
type place int

const (
	byName place = iota // those whose names say so
	header              // all but those of headers that have none
	all                 // all but the type of the credential
)

// places are members whose strings are credentials whatever their names.
var places = map[string]place{
	"headers": header, "http_headers": header, "httpHeaders": header, "extra_headers": header,
	"auth": all, "authentication": all, "authConfig": all, "auth_config": all, "apiAuth": all, "api_auth": all,
	"domain_secrets": all, "credentials": all,
}

// plain are headers and members that have no credential where all others are taken for one.
var plain = []string{"accept", "accept-encoding", "accept-language", "cache-control", "connection", "content-length",
	"content-type", "user-agent", "anthropic-version", "anthropic-beta",
	"mcp-protocol-version", "type", "auth_type", "authtype", "domain", "name", "location", "httpelementlocation",
	"http_element_location", "scheme"}

// names end the names of members that are a credential, in lower case without marks between words.
var names = []string{"authorization", "authorizationtoken", "apikey", "apikeystring", "token", "secret", "password",
	"connectionstring", "bearer", "credential"}

// passed are members that have no credentials: words about a tool, and definitions of tools of the program itself,
// whose content is a schema or an example.
var passed = setOf("type", "name", "description", "function", "functions", "parameters", "input_schema", "inputSchema",
	"parametersJsonSchema",
	"parameters_json_schema", "functionDeclarations", "function_declarations", "response", "responseJsonSchema",
	"output_schema", "outputSchema",
	"input_examples", "custom", "format")

func setOf(names ...string) map[string]bool {
	set := map[string]bool{}
	for _, n := range names {
		set[n] = true
	}
	return set
}

// each visits the credentials of a body, in order: where the string stands, quotes included, and its texts, the longest
// first.
func each(body []byte, visit visitor) {
	at := jsonx.Space(body, 0)
	if at >= len(body) || body[at] != '{' {
		return
	}
	f := &finder{body: body, walker: jsonx.NewWalker(body), visit: visit}
	for at = jsonx.Space(body, at+1); at < len(body) && body[at] == '"'; at = jsonx.Space(body, at+1) {
		colon := jsonx.Skip(body, at)
		name := string(jsonx.Key(body[at:colon]).Text())
		at = jsonx.Space(body, jsonx.Space(body, colon)+1)
		if at >= len(body) {
			return
		}
		end := f.member(name, at)
		if end == at { // broken
			return
		}
		at = jsonx.Space(body, end)
	}
}

// mayHold reports whether a top-level member of this name can have credentials.
func mayHold(name string) bool {
	return name == "input" || slices.Contains(lists, name) || isOwn(name)
}

// isOwn reports whether a top-level member is a credential, or headers, for a gateway that takes them in the body.
func isOwn(name string) bool { return places[name] == header || isCredential(strings.ToLower(name)) }

// member visits a member of the body and returns its end. Those that have no credentials are long, and passed by
// without a check.
func (f *finder) member(name string, at int) int {
	switch {
	case slices.Contains(lists, name):
		return f.value(at, "", byName, strings.HasPrefix(name, "data"))
	case name == "input" && f.body[at] == '[': // its items may list tools
		return f.walker.Elements(at, func(_, at int) int { return f.item(at) })
	case isOwn(name):
		return f.value(at, name, places[name], false)
	}
	return jsonx.Skip(f.body, at)
}

// A finder goes through a body.
type finder struct {
	body   []byte
	walker *jsonx.Walker
	visit  visitor
}

// item visits an item of the input. Its members that list nothing are not checked, as little as other members that have
// no credentials.
func (f *finder) item(at int) int {
	if f.body[at] != '{' {
		return jsonx.Skip(f.body, at)
	}
	return f.walker.Members(at, func(key jsonx.Key, at int) int {
		if slices.Contains(lists, string(key.Text())) {
			return f.value(at, "", byName, false)
		}
		return jsonx.Skip(f.body, at)
	})
}

// value visits a value below a server. source says that it is one of data, whose parameters are no schema.
func (f *finder) value(at int, name string, in place, source bool) int {
	switch f.body[at] {
	case '[':
		return f.walker.Elements(at, func(_, at int) int { return f.value(at, name, in, source) })
	case '{':
		return f.walker.Members(at, func(key jsonx.Key, at int) int {
			text := key.Text()
			if in == byName && passed[string(text)] && (!source || string(text) != "parameters") {
				return jsonx.Skip(f.body, at) // most of the body: not checked, as little as other members that have no credentials
			}
			name, below := string(text), in
			if p, ok := places[name]; ok {
				below = max(in, p)
			}
			return f.value(at, name, below, source)
		})
	}
	end := f.walker.Value(at)
	if f.body[at] == '"' && f.walker.Sound() {
		text, _ := jsonx.String(f.body[at:end])
		if texts := credentialsOf(name, text, in); len(texts) > 0 {
			f.visit(at, end, texts)
		}
	}
	return end
}

// credentialsOf returns the credentials that a string is, or has in it.
func credentialsOf(name, text string, in place) []string {
	lower := strings.ToLower(name)
	switch {
	case text == "" || text == redact.Mark:
		return nil
	case strings.HasSuffix(lower, "url") || strings.HasSuffix(lower, "uri") || strings.HasSuffix(lower, "endpoint"):
		return inAddress(text)
	case in == byName && isCredential(lower), in != byName && !slices.Contains(plain, lower):
		texts := []string{text}
		if at := strings.LastIndexByte(text, ' '); at >= 0 && at+1 < len(text) { // behind Bearer or Basic
			texts = append(texts, text[at+1:])
		}
		return texts
	}
	return nil
}

// separators stand between the words of names.
var separators = strings.NewReplacer("_", "", "-", "")

// isCredential reports whether a name, in lower case, says that the value is a credential.
func isCredential(name string) bool {
	name = separators.Replace(name)
	return slices.ContainsFunc(names, func(end string) bool { return strings.HasSuffix(name, end) })
}

// inAddress returns the credentials in an address: its password, and parameters whose names say so. A user without a
// password may be a token.
func inAddress(text string) []string {
	u, err := url.Parse(text)
	if err != nil {
		return nil
	}
	var out []string
	add := func(value string) {
		for _, form := range []string{value, url.QueryEscape(value), url.PathEscape(value)} {
			if value != "" && value != redact.Mark && !slices.Contains(out, form) && strings.Contains(text, form) {
				out = append(out, form)
			}
		}
	}
	if password, ok := u.User.Password(); ok {
		add(password)
	} else {
		add(u.User.Username())
	}
	for name, values := range u.Query() {
		if name = strings.ToLower(name); isCredential(name) || strings.HasSuffix(name, "key") || strings.HasPrefix(name, "sig") {
			for _, v := range values {
				add(v)
			}
		}
	}
	slices.SortFunc(out, func(a, b string) int { return len(b) - len(a) })
	return out
}
