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

// Words splits a person's search text into the Text of a Query: words, and between double quotes texts of several
// words.
func Words(text string) []string { return textsearch.Words(text) }

// IsOpen reports whether the summary of a request does not tell if a query that may ask for it does: its entries have
// to be read. See Decide.
func (q *Query) IsOpen(s *Summary) bool {
	return len(q.Text) > 0 && !q.inError(s) || len(s.Tools) >= SummaryTools && slices.ContainsFunc(q.Tools, s.lacksTool)
}

// inError reports whether all texts stand in the error of the summary.
func (q *Query) inError(s *Summary) bool {
	search := textsearch.New(q.Text)
	search.Text(s.Error)
	return search.HasFoundAll()
}

// A Decision is made on the entries of requests for which a query is open: one after the other, by Begin, Line for
// their lines, and IsMade. It holds no line.
type Decision struct {
	q      *Query
	search *textsearch.Search
	tools  []string // that are not among the calls so far
}

// Decide begins to decide by entries. It must be used by one goroutine at a time.
func (q *Query) Decide() *Decision { return &Decision{q: q, search: textsearch.New(q.Text)} }

// Begin begins with the next request, whose summary is given.
func (d *Decision) Begin(s *Summary) {
	d.search.Reset()
	d.search.Text(s.Error)
	d.tools = append(d.tools[:0], d.q.Tools...)
}

// Line reads a line of the request. Lines of bodies and of received bytes are skipped, as they repeat the request and
// the answer.
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

// IsMade reports whether the query asks for the request, by the lines so far: once it does, further lines change
// nothing.
func (d *Decision) IsMade() bool { return d.search.HasFoundAll() && len(d.tools) == 0 }

// addTools adds the tools that the model called by an answer or an error.
func (s *Summary) addTools(e *Entry) {
	eachTool(e, func(name string) {
		if name = callwright.Excerpt(name); len(s.Tools) < SummaryTools && !slices.Contains(s.Tools, name) {
			s.Tools = append(s.Tools, name)
		}
	})
}

// eachTool visits the names of the tools in the calls of an answer, or of the part before an error, and in rejected
// calls.
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

// calledBy returns the name of the tool that a part of an answer calls.
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

// Head returns the entry with the members that a Summary needs, without contents.
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

// Marks returns pieces of the JSON text of every summary that the query asks for, so that others need not be decoded.
func (q *Query) Marks() (marks [][]byte) {
	for _, word := range []string{string(q.Model), strings.TrimSuffix(q.Rule, "*"), q.Key, q.Session, string(q.Kind)} {
		if strings.ContainsAny(word, "<>&\u2028\u2029") {
			continue // encoders differ in how they write these
		}
		if quoted, err := json.Marshal(word); err == nil && word != "" && utf8.ValidString(word) {
			marks = append(marks, quoted[1:len(quoted)-1])
		}
	}
	return marks
}
