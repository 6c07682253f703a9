package trace

import (
	"encoding/json"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/trace/internal/textsearch"
)

// Words splits a search text into words and phrases in double quotes, for Query.Text. For example, `error "time out"`
// becomes ["error", "time out"].
func Words(text string) []string { return textsearch.Words(text) }

// IsOpen reports whether the summary s leaves open whether the query matches the request. The entries of the request
// must then be read with a Decision.
func (q *Query) IsOpen(s *Summary) bool {
	return len(q.Text) > 0 && !q.inError(s) || len(s.Tools) >= SummaryTools && slices.ContainsFunc(q.Tools, s.lacksTool)
}

// inError reports whether the error text of the summary contains all search texts.
func (q *Query) inError(s *Summary) bool {
	search := textsearch.New(q.Text)
	search.Text(s.Error)
	return search.HasFoundAll()
}

// A Decision decides by the entries of a request whether a query matches it. Call Begin and then Line for each line
// until IsMade. It retains no line.
type Decision struct {
	q      *Query
	search *textsearch.Search
	tools  []string // tools of the query not yet found in a call
}

// Decide returns a Decision, which tests one request after another against the query. It is not safe for concurrent
// use.
func (q *Query) Decide() *Decision { return &Decision{q: q, search: textsearch.New(q.Text)} }

// Begin starts the decision on the request with the summary s.
func (d *Decision) Begin(s *Summary) {
	d.search.Reset()
	d.search.Text(s.Error)
	d.tools = append(d.tools[:0], d.q.Tools...)
}

// Line searches a line of the request. It skips sent and received bodies, because they repeat the request and the
// answer.
func (d *Decision) Line(line []byte) {
	kind, _ := kindOf(line)
	if kind != KindRequest && kind != KindAnswer && kind != KindError {
		return
	}
	d.search.Line(line)
	if len(d.tools) == 0 || kind == KindRequest {
		return
	}
	if e, ok := headOf(line); ok {
		eachTool(&e, func(name string) {
			d.tools = slices.DeleteFunc(d.tools, func(want string) bool { return want == name })
		})
	}
}

// IsMade reports whether the query matches the request by the lines so far. Once true, further lines do not change it.
func (d *Decision) IsMade() bool { return d.search.HasFoundAll() && len(d.tools) == 0 }

// addTools adds the tools that an answer or the partial answer before an error calls.
func (s *Summary) addTools(e *Entry) {
	eachTool(e, func(name string) {
		if name = callwright.Excerpt(name); len(s.Tools) < SummaryTools && !slices.Contains(s.Tools, name) {
			s.Tools = append(s.Tools, name)
		}
	})
}

// eachTool calls visit with the name of each tool called in an answer, in the partial answer before an error, or in a
// rejected call.
func eachTool(e *Entry, visit func(name string)) {
	parts, _ := jsonx.Find(e.Data, "parts")
	for p := range jsonx.Elements(parts) {
		if name, ok := calledBy(p); ok {
			visit(name)
		}
	}
	if e.Failure != nil && e.Failure.Report != nil {
		for i := range e.Failure.Report.Invalid {
			if name := e.Failure.Report.Invalid[i].Name; name != "" {
				visit(name)
			}
		}
		return
	}
	if rejected, ok := jsonx.Lookup(e.Data, "report", "invalid"); ok {
		for c := range jsonx.Elements(rejected) {
			if name, _ := jsonx.Find(c, "name"); jsonx.TextOf(name) != "" {
				visit(jsonx.TextOf(name))
			}
		}
	}
}

// calledBy returns the name of the tool that a JSON part of an answer calls. ok is false if the part is not a call.
func calledBy(part []byte) (name string, ok bool) {
	for key, value := range jsonx.Members(part) {
		switch {
		case key.Is("type"):
			if ok = jsonx.TextOf(value) == "call"; !ok {
				return "", false
			}
		case key.Is("name"):
			name = jsonx.TextOf(value)
		}
	}
	return name, ok && name != ""
}

// Head returns a copy of the entry with only the data that a Summary needs, without contents.
func (e *Entry) Head() Entry {
	out := *e
	out.Data, out.Body = nil, nil
	if e.Kind != KindAnswer && e.Kind != KindError {
		return out
	}
	text := []byte(`{"parts":[`)
	parts, _ := jsonx.Find(e.Data, "parts")
	for p := range jsonx.Elements(parts) {
		if name, ok := calledBy(p); ok {
			if text[len(text)-1] == '}' {
				text = append(text, ',')
			}
			text = append(jsonx.AppendQuote(append(text, `{"type":"call","name":`...), name), '}')
		}
	}
	text = append(text, ']')
	if report, ok := jsonx.Find(e.Data, "report"); ok {
		text = append(append(text, `,"report":`...), report...)
	}
	out.Data = append(text, '}')
	return out
}

// Marks returns substrings of the JSON of every summary that the query can match. A summary that lacks any of them need
// not be decoded.
func (q *Query) Marks() (marks [][]byte) {
	for _, word := range []string{string(q.Model), strings.TrimSuffix(q.Rule, "*"), q.Key, q.Session, string(q.Kind)} {
		if strings.ContainsAny(word, "<>&\u2028\u2029") {
			continue // encoders may or may not escape these characters
		}
		if quoted, err := json.Marshal(word); err == nil && word != "" && utf8.ValidString(word) {
			marks = append(marks, quoted[1:len(quoted)-1])
		}
	}
	return marks
}
