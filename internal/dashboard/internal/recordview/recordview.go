// Package recordview shows the parts of a request's record beside its contents: the headers, the tokens and their cost,
// and the command that sends the request again.
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

// A View is the content of a page.
type View struct {
	Headers []Header
	Usage   []Usage
	Curl    string // empty where the body of the client's request was not recorded
}

// A Header has the fields of one header.
type Header struct {
	Title  string
	Fields []Field
}

// A Field is a field of a header.
type Field struct{ Name, Value string }

// Usage is the usage of the attempts at a model.
type Usage struct {
	trace.ModelUsage
	USD   float64
	Known bool // the price
}

// Price returns the cost of tokens of a model in US dollars, and whether that is known.
type Price func(model callwright.ModelID, u callwright.Usage) (usd float64, known bool)

// mostHeaders bounds the answers of providers whose headers are shown.
const mostHeaders = 10

// Of shows the entries of a request to the gateway at an address, such as http://localhost:8787. A nil price knows
// none.
func Of(entries []trace.Entry, gateway string, price Price) *View {
	v := &View{}
	var asked *trace.Entry
	streamed := false
	for i := range entries {
		switch e := &entries[i]; e.Kind {
		case trace.KindRequest:
			if asked != nil { // the model is asked again for the same request
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

// add adds a header, where it has fields.
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

// paths are those at which a gateway takes the requests of an API.
var paths = map[callwright.WireName]string{
	callwright.WireOpenAI: "/v1/chat/completions", callwright.WireResponses: "/v1/responses",
	callwright.WireAnthropic: "/v1/messages", callwright.WireOllama: "/api/chat",
}

// Curl returns the command line that sends the request of a client again. The key is $CALLWRIGHT_KEY, in the shell that
// runs it.
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

// Try returns the command line that sends a first request to a model, MODEL where none is known.
func Try(gateway string, model callwright.ModelID) string {
	body, _ := jsonx.Marshal(map[string]any{ // of texts alone
		"model": cmp.Or(model, "MODEL"), "messages": []map[string]string{{"role": "user", "content": "What is the weather in Oslo?"}},
	})
	return Curl(gateway, &trace.Entry{Wire: callwright.WireOpenAI, Body: body}, false)
}

// quoteForShell is a word of a shell.
func quoteForShell(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }

// Gateway is the address by which a request came to this gateway.
func Gateway(r *http.Request) string {
	if r.TLS != nil {
		return "https://" + r.Host
	}
	return "http://" + r.Host
}
