// Package credential finds the credentials in request bodies that a provider uses to access other servers.
//
// Such a server is an element of a top-level list of tools, MCP servers or data sources. OpenAI's Responses API has
// authorization and headers in tools of type mcp, and secret values in the network policies of containers. Anthropic's
// Messages API has authorization_token in mcp_servers. Gemini has transport headers in mcpServers of a tool, and keys
// in authConfig. Azure has authentication in the parameters of data_sources. Some gateways accept api_key and
// extra_headers as top-level members.
package credential

import (
	"iter"
	"net/url"
	"slices"
	"strings"

	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/redact"
)

// In returns the credentials in a request body, unescaped. A value with an authentication scheme is returned with and
// without it: "Bearer abc" and "abc".
func In(body []byte) []string {
	var out []string
	each(body, func(_, _ int, texts []string) { out = append(out, texts...) })
	return out
}

// Secrets returns the credentials in a request body as redact.Secrets, which hides them in other text.
func Secrets(body []byte) redact.Secrets { return secretsOf(In(body)) }

// An Indexed is a request body whose top-level JSON members were located before, so that they need not be searched
// again.
type Indexed interface {
	// Members returns an iterator over the top-level members.
	Members() iter.Seq2[jsonx.Key, []byte]
	// ToolSecrets returns the credentials that find finds in the member tools, which may come from a cache. known is false
	// if there is no cached list; the caller then calls find itself.
	ToolSecrets(find func(list []byte) []string) (secrets []string, known bool)
}

// SecretsIn returns the credentials in an indexed request body as redact.Secrets, which hides them in other text.
func SecretsIn(body Indexed) redact.Secrets { return secretsOf(InMembers(body)) }

// InMembers is In for an indexed body. It does not read members that cannot have credentials.
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

// Hide returns a request body with each credential replaced by redact.Mark. Other occurrences of a credential in the
// body are replaced too, if it is long enough for redact.Secrets to search for it. Hide does not modify body, and
// returns body itself if there are no credentials.
func Hide(body []byte) []byte { return hide(body, func(visit visitor) { each(body, visit) }) }

// HideIn returns v, the value of the top-level request member called name, with each credential replaced by
// redact.Mark.
func HideIn(name string, v []byte) []byte {
	return hide(v, func(visit visitor) { findIn(name, v, visit) })
}

// A visitor receives the offsets of a JSON string that contains credentials, including its quotes, and the credentials,
// longest first.
type visitor func(from, to int, texts []string)

func hide(raw []byte, each func(visitor)) []byte {
	var out []byte
	var all []string
	done := 0
	each(func(from, to int, texts []string) {
		text, _ := jsonx.String(raw[from:to])
		shown := redact.Mark
		if longest := texts[0]; longest != text { // only a part of the string, a URL, is secret
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

// lists names the members of a request, and of an item of its input, that list servers.
var lists = []string{"tools", "mcp_servers", "mcpServers", "data_sources", "dataSources"}

// A place is a rule for which strings below a JSON value are credentials.
type place int

const (
	byName place = iota // values of members whose name ends in one of names
	header              // values of all headers except those in plain
	all                 // values of all members except those in plain
)

// places maps members to the rule for the strings below them. Other members follow the rule of the value around them.
var places = map[string]place{
	"headers": header, "http_headers": header, "httpHeaders": header, "extra_headers": header,
	"auth": all, "authentication": all, "authConfig": all, "auth_config": all, "apiAuth": all, "api_auth": all,
	"domain_secrets": all, "credentials": all,
}

// plain lists headers and members that are never a credential, for the rules header and all.
var plain = []string{"accept", "accept-encoding", "accept-language", "cache-control", "connection", "content-length",
	"content-type", "user-agent", "anthropic-version", "anthropic-beta",
	"mcp-protocol-version", "type", "auth_type", "authtype", "domain", "name", "location", "httpelementlocation",
	"http_element_location", "scheme"}

// names lists the endings of the names of credentials, in lower case without '_' and '-'.
var names = []string{"authorization", "authorizationtoken", "apikey", "apikeystring", "token", "secret", "password",
	"connectionstring", "bearer", "credential"}

// skippedMembers lists members that are skipped because they have no credentials: descriptions of tools, JSON schemas
// and examples.
var skippedMembers = setOf("type", "name", "description", "function", "functions", "parameters", "input_schema", "inputSchema",
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

// each calls visit for each string of a request body that contains credentials, in order.
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
		if end == at { // invalid JSON
			return
		}
		at = jsonx.Space(body, end)
	}
}

// mayHold reports whether the top-level member called name may contain credentials.
func mayHold(name string) bool {
	return name == "input" || slices.Contains(lists, name) || isOwn(name)
}

// isOwn reports whether the top-level member called name is itself a credential, or a list of headers, as some gateways
// accept.
func isOwn(name string) bool { return places[name] == header || isCredential(strings.ToLower(name)) }

// member visits the top-level member called name, whose value is at offset at, and returns the offset of its end. It
// skips members without credentials, which may be long, without validating them.
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

// A finder searches a request body for credentials.
type finder struct {
	body   []byte
	walker *jsonx.Walker
	visit  visitor
}

// item visits an item of the member input, at offset at, and returns the offset of its end. It reads only the item's
// lists of servers.
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

// value visits the value at offset at, a server or a value inside it, and returns the offset of its end. name is the
// name of the value's member, and in is the rule for its strings. source states that the server is a data source, whose
// member parameters is not a JSON schema.
func (f *finder) value(at int, name string, in place, source bool) int {
	switch f.body[at] {
	case '[':
		return f.walker.Elements(at, func(_, at int) int { return f.value(at, name, in, source) })
	case '{':
		return f.walker.Members(at, func(key jsonx.Key, at int) int {
			text := key.Text()
			if in == byName && skippedMembers[string(text)] && (!source || string(text) != "parameters") {
				return jsonx.Skip(f.body, at) // skipped without validation: it may be most of the body
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

// credentialsOf returns the credentials in text, the string value of the member called name, nil if there are none. The
// parameter in is the rule to apply.
func credentialsOf(name, text string, in place) []string {
	lower := strings.ToLower(name)
	switch {
	case text == "" || text == redact.Mark:
		return nil
	case strings.HasSuffix(lower, "url") || strings.HasSuffix(lower, "uri") || strings.HasSuffix(lower, "endpoint"):
		return inAddress(text)
	case in == byName && isCredential(lower), in != byName && !slices.Contains(plain, lower):
		texts := []string{text}
		if at := strings.LastIndexByte(text, ' '); at >= 0 && at+1 < len(text) { // the part after the scheme, such as Bearer
			texts = append(texts, text[at+1:])
		}
		return texts
	}
	return nil
}

// separators removes the characters between the words of a name.
var separators = strings.NewReplacer("_", "", "-", "")

// isCredential reports whether a name in lower case ends in one of names: "x-api-key" does.
func isCredential(name string) bool {
	name = separators.Replace(name)
	return slices.ContainsFunc(names, func(end string) bool { return strings.HasSuffix(name, end) })
}

// inAddress returns the credentials in a URL: its password, its user name if there is no password (it may be a token),
// and query parameters with the name of a credential, a key or a signature.
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
