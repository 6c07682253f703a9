// Package recordview shows parts of a request's trace besides its contents: the headers, the tokens and their cost, and
// a curl command that sends the request again.
package recordview

import (
	"cmp"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/trace"
)

// A View is the data of the page section with the HTTP headers, the token usage and the curl command of a request.
type View struct {
	Headers []Header
	Usage   []Usage
	Curl    string // "" if the client's request body was not recorded
}

// A Header is a group of headers of one HTTP request or response.
type Header struct {
	Title  string
	Fields []Field
}

// A Field is one header.
type Field struct{ Name, Value string }

// Usage is the token usage of the attempts with a model.
type Usage struct {
	trace.ModelUsage
	USD   float64
	Known bool // the price is known
}

// A Price returns the cost of tokens of a model in US dollars. known is false without a price.
type Price func(model callwright.ModelID, u callwright.Usage) (usd float64, known bool)

// mostHeaders is the maximum number of shown Headers.
const mostHeaders = 10

// Of returns the view of a request's entries. gateway is the base URL of the gateway, such as http://localhost:8787. A
// nil price means that no price is known.
func Of(entries []trace.Entry, gateway string, price Price) *View {
	v := &View{}
	var asked *trace.Entry
	streamed := false
	for i := range entries {
		switch e := &entries[i]; e.Kind {
		case trace.KindRequest:
			if asked != nil { // the model is called again for the same request
				continue
			}
			asked = e
			v.add("From the client", maps.All(e.Header))
		case trace.KindReceived:
			if r, err := e.ProviderAnswer(); err == nil && len(v.Headers) < mostHeaders {
				v.add("To "+r.Provider, maps.All(r.Sent))
				v.add("From "+r.Provider, func(yield func(name, value string) bool) {
					for name := range r.Header {
						if !yield(name, r.Header.Get(name)) {
							return
						}
					}
				})
			}
		case trace.KindAnswer, trace.KindError:
			streamed = streamed || e.Streamed
		}
	}
	s := trace.Summarize(entries)
	for _, u := range s.Usage {
		row := Usage{ModelUsage: u}
		if price != nil {
			row.USD, row.Known = price(u.Model, u.Usage())
		}
		v.Usage = append(v.Usage, row)
	}
	if asked != nil && !asked.Redacted && len(asked.Body) > 0 {
		v.Curl = Curl(gateway, asked, streamed)
	}
	return v
}

// add adds a Header if it has fields.
func (v *View) add(title string, fields func(yield func(name, value string) bool)) {
	h := Header{Title: title}
	for name, value := range fields {
		h.Fields = append(h.Fields, Field{name, value})
	}
	slices.SortFunc(h.Fields, func(a, b Field) int { return strings.Compare(a.Name, b.Name) })
	if len(h.Fields) > 0 {
		v.Headers = append(v.Headers, h)
	}
}

// paths are the paths of the gateway for each API.
var paths = map[callwright.WireName]string{
	callwright.WireOpenAI: "/v1/chat/completions", callwright.WireResponses: "/v1/responses",
	callwright.WireAnthropic: "/v1/messages", callwright.WireOllama: "/api/chat",
}

// Curl returns the curl command that sends a client's request again. The shell variable CALLWRIGHT_KEY is the key.
// streamed reports whether the client requested a stream.
func Curl(gateway string, asked *trace.Entry, streamed bool) string {
	path, ok := paths[asked.Wire]
	if !ok {
		path = "/v1beta/models/" + strings.ReplaceAll(url.PathEscape(string(asked.Model)), "%2F", "/")
		if streamed {
			path += ":streamGenerateContent?alt=sse"
		} else {
			path += ":generateContent"
		}
	}
	var b strings.Builder
	b.WriteString("curl -sS ")
	if streamed {
		b.WriteString("-N ")
	}
	b.WriteString(quoteForShell(gateway + path))
	b.WriteString(" \\\n  -H \"Authorization: Bearer $CALLWRIGHT_KEY\"")
	for _, name := range slices.Sorted(maps.Keys(asked.Header)) {
		if name == "Anthropic-Version" || name == "Anthropic-Beta" {
			b.WriteString(" \\\n  -H " + quoteForShell(strings.ToLower(name)+": "+asked.Header[name]))
		}
	}
	b.WriteString(" \\\n  -H " + quoteForShell("content-type: application/json"))
	b.WriteString(" \\\n  --data-binary " + quoteForShell(string(asked.Body)) + "\n")
	return b.String()
}

// Try returns the curl command for a first request to a model, or to MODEL if model is empty.
func Try(gateway string, model callwright.ModelID) string {
	body, _ := jsonx.Marshal(map[string]any{ // cannot fail: only strings
		"model": cmp.Or(model, "MODEL"), "messages": []map[string]string{{"role": "user", "content": "What is the weather in Oslo?"}},
	})
	return Curl(gateway, &trace.Entry{Wire: callwright.WireOpenAI, Body: body}, false)
}

// quoteForShell returns s as a quoted word of a POSIX shell.
func quoteForShell(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }

// Gateway returns the base URL of the gateway as used in a request.
func Gateway(r *http.Request) string {
	if r.TLS != nil {
		return "https://" + r.Host
	}
	return "http://" + r.Host
}
