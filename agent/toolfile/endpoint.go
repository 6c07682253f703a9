package toolfile

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strings"

	"github.com/callwright/callwright/agent"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/schema"
)

// An endpoint is a URL to which each call sends one request.
type endpoint struct {
	method string
	url    *url.URL
	header http.Header
	client *http.Client
	limit  int64 // maximum size of the response body in bytes
}

// methods are the permitted HTTP methods; the first is the default.
var methods = []string{http.MethodPost, http.MethodGet, http.MethodPut, http.MethodPatch, http.MethodDelete}

// endpoint parses the "url", "method" and "headers" of a tool. parameters is the tool's JSON Schema.
func (r *reader) endpoint(m members, at string, parameters json.RawMessage) endpoint {
	e := endpoint{method: http.MethodPost, url: &url.URL{}, header: http.Header{}, client: r.options.Client, limit: r.options.MaxOutput}
	place := below(at, "url")
	written := r.text(m["url"], place)
	if u, err := url.Parse(written); err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Hostname() != "" && u.Fragment == "" {
		e.url = u
	} else if jsonx.IsText(m["url"]) {
		r.fail(place, "expected a URL that begins with https:// or http://")
	}
	if v := m["method"]; v != nil {
		e.method = r.word(v, below(at, "method"), "method", methods)
	}
	place = below(at, "headers")
	for _, pair := range r.texts(m["headers"], place, "an object of headers") {
		switch name := http.CanonicalHeaderKey(pair[0]); {
		case !isToken(name):
			r.fail(below(place, pair[0]), "expected the name of a header")
		case name == "Host" || name == "Content-Length" || name == "Transfer-Encoding" || name == "Connection":
			r.fail(below(place, pair[0]), "the header %s is set by the program: remove it", name)
		case strings.ContainsFunc(pair[1], func(c rune) bool { return c < ' ' && c != '\t' || c == 0x7f }):
			r.fail(below(place, pair[0]), "expected a value without line breaks and other controls")
		default:
			e.header.Set(name, pair[1])
		}
	}
	if e.method == http.MethodGet {
		r.scalars(parameters, at)
	} else if e.header.Get("Content-Type") == "" {
		e.header.Set("Content-Type", "application/json")
	}
	return e
}

// scalars reports parameters that can only be arrays, objects or null, because a query string cannot contain them.
func (r *reader) scalars(parameters json.RawMessage, at string) {
	s, err := schema.Compile(parameters)
	if err != nil {
		return // CheckTool reports the error
	}
	for _, p := range s.Params() {
		some := len(p.Types) == 0
		for _, t := range p.Types {
			some = some || t != "array" && t != "object" && t != "null"
		}
		if !some {
			r.fail(below(at, "method"), "GET sends only scalars, but the parameter %q is not a scalar", clipName(p.Name))
		}
	}
}

// isToken reports whether s is a valid HTTP header name.
func isToken(s string) bool {
	for _, c := range s {
		letter := 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9'
		if !letter && !strings.ContainsRune("!#$%&'*+-.^_`|~", c) {
			return false
		}
	}
	return s != ""
}

// run sends one request with the arguments and returns the body of the response. A status other than 2xx is an error.
func (e endpoint) run(ctx context.Context, arguments json.RawMessage) (agent.Output, error) {
	u := *e.url
	var body io.Reader
	if e.method == http.MethodGet {
		query, err := e.query(arguments)
		if err != nil {
			return agent.Output{}, err
		}
		u.RawQuery = query
	} else {
		body = bytes.NewReader(arguments)
	}
	req, err := http.NewRequestWithContext(ctx, e.method, u.String(), body)
	if err != nil {
		return agent.Output{}, err
	}
	req.Header = e.header.Clone()
	resp, err := e.client.Do(req)
	if err != nil {
		if outer, ok := errors.AsType[*url.Error](err); ok {
			err = outer.Err // without the URL, which may contain a key
		}
		return agent.Output{}, toolErrorf("%s failed: %v", e.method, err)
	}
	defer resp.Body.Close()
	ok := resp.StatusCode >= 200 && resp.StatusCode < 300
	limit := e.limit
	if !ok {
		limit = maxTold
	}
	b, err := io.ReadAll(io.LimitReader(resp.Body, limit+1))
	switch {
	case !ok:
		text := strings.TrimSpace(strings.ToValidUTF8(jsonx.Clip(string(b), maxTold), "\ufffd"))
		return agent.Output{}, toolErrorf("%s", strings.TrimSuffix("HTTP "+resp.Status+": "+text, ": "))
	case err != nil:
		return agent.Output{}, toolErrorf("the answer ended early: %v", err)
	case int64(len(b)) > limit:
		return agent.Output{}, tooLarge(limit)
	}
	return outputOf(b), nil
}

// query returns the query string of the URL with the arguments appended.
func (e endpoint) query(arguments json.RawMessage) (string, error) {
	fixed := e.url.Query()
	out := e.url.RawQuery
	for key, v := range jsonx.Members(arguments) {
		name := key.String()
		switch jsonx.KindOf(v) {
		case jsonx.Null:
			continue
		case jsonx.Array, jsonx.Object:
			return "", &agent.ToolError{Code: agent.CodeInvalidArguments,
				Message: "expected a scalar, got " + jsonx.KindOf(v).String(), Path: below("", name)}
		}
		if fixed.Has(name) {
			return "", &agent.ToolError{Code: agent.CodeInvalidArguments, Message: "this parameter cannot be set", Path: below("", name)}
		}
		text, ok := jsonx.String(v)
		if !ok {
			text = string(v)
		}
		if out != "" {
			out += "&"
		}
		out += url.QueryEscape(name) + "=" + url.QueryEscape(text)
	}
	return out, nil
}

// sameHost is a redirect policy that follows up to five redirects with the same scheme and host, because headers and
// arguments must not reach another host. Any other redirect is returned as the response.
func sameHost(req *http.Request, via []*http.Request) error {
	const most = 5
	if first := via[0].URL; len(via) > most || req.URL.Host != first.Host || req.URL.Scheme != first.Scheme {
		return http.ErrUseLastResponse
	}
	return nil
}
