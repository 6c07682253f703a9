// Package traceview prints requests of a trace as text.
package traceview

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/cmd/callwright/internal/paint"
	"github.com/callwright/callwright/internal/companion"
	"github.com/callwright/callwright/internal/outcome"
	"github.com/callwright/callwright/internal/provider"
	"github.com/callwright/callwright/internal/trace"
	"github.com/callwright/callwright/internal/trace/story"
)

// Line prints a line for a request, and below it the changes and errors.
func Line(out *paint.Printer, s *trace.Summary) {
	model := string(s.Model)
	if s.Served != "" && s.Served != s.Model {
		model += " -> " + string(s.Served)
	}
	how := string(s.Outcome)
	if s.Class != "" {
		how += " (" + outcome.Words(s.Class) + ")"
	}
	if s.Outcome != outcome.Unfinished {
		how += " in " + s.Duration.Round(time.Millisecond).String()
	}
	if s.Attempts > 1 {
		how += fmt.Sprintf(", %d attempts", s.Attempts)
	}
	if s.Redacted {
		how += ", without contents"
	}
	out.Printf("%s  %s  %s  %s\n", paint.Visible(s.ID), s.Time.Local().Format(time.DateTime), paint.Visible(model), how)
	if s.Error != "" {
		out.Println("  " + paint.Visible(string(s.Kind)+": "+s.Error))
	}
	if who := asker(s); who != "" {
		out.Println("  " + paint.Visible(who))
	}
	if len(s.Rules) > 0 {
		out.Println("  " + paint.Visible(strings.Join(s.Rules, ", ")))
	}
}

// asker returns the key and the session of a request, and the tools that the model called.
func asker(s *trace.Summary) string {
	var said []string
	for _, part := range []struct{ what, value string }{{"key ", s.Key}, {"session ", s.Session}, {"called ", strings.Join(s.Tools, ", ")}} {
		if part.value != "" {
			said = append(said, part.what+part.value)
		}
	}
	return strings.Join(said, "; ")
}

// Request prints one request: its story, the messages, the exchanges with providers, the response, and the notes.
func Request(out *paint.Printer, entries []trace.Entry) {
	s := trace.Summarize(entries)
	Line(out, &s)
	if told := story.Of(entries); told != "" {
		out.Println()
		out.Println(paint.Visible(told))
	}
	p := printer{out, s.Time}
	for i := range entries {
		p.entry(&entries[i])
	}
}

// count returns a number with its noun, such as "2 calls".
func count(n int, what string) string {
	if n != 1 {
		what += "s"
	}
	return fmt.Sprintf("%d %s", n, what)
}

// A printer prints the entries of a request. began is the time of the request.
type printer struct {
	*paint.Printer
	began time.Time
}

// section prints the heading of a trace entry, with the time since the request.
func (p *printer) section(e *trace.Entry, what string) {
	after := ""
	if !e.Time.Before(p.began) {
		after = "  +" + e.Time.Sub(p.began).Round(time.Millisecond).String()
	}
	p.Println()
	p.Println(strings.TrimRight(p.Paint(paint.Bold, strings.ToUpper(string(e.Kind)))+after+"  "+paint.Visible(what), " "))
}

// text prints a text of one or more lines, indented.
func (p *printer) text(s string) {
	for line := range strings.Lines(paint.VisibleLines(s)) {
		p.Println("  " + strings.TrimSuffix(line, "\n"))
	}
}

// document prints JSON indented, and any other text unchanged.
func (p *printer) document(b []byte) {
	var out bytes.Buffer
	if json.Indent(&out, b, "", "  ") == nil {
		b = out.Bytes()
	}
	p.text(string(b))
}

func (p *printer) entry(e *trace.Entry) {
	switch e.Kind {
	case trace.KindRequest:
		p.request(e)
	case trace.KindReceived:
		p.printReceived(e)
	case trace.KindAnswer, trace.KindError:
		p.end(e)
	default:
		p.section(e, "")
		p.document(e.Data)
	}
}

// request prints the last message of the request. The earlier ones are in the provider request.
func (p *printer) request(e *trace.Entry) {
	req, err := e.Request()
	if err != nil {
		p.section(e, err.Error())
		return
	}
	what := count(len(req.Messages), "message") + ", " + count(len(req.Tools), "tool")
	if e.Wire != "" {
		what += ", over " + string(e.Wire)
	}
	p.section(e, what)
	if n := len(req.Messages); n > 0 {
		p.text(string(req.Messages[n-1].Role) + ":")
		p.parts(req.Messages[n-1].Parts)
	}
}

func (p *printer) printReceived(e *trace.Entry) {
	r, err := e.ProviderAnswer()
	if err != nil {
		p.section(e, "")
		p.document(e.Data)
		return
	}
	if r.Skipped > 0 {
		p.section(e, provider.SkipMessage(r.Kind, r.Skipped))
		return
	}
	p.section(e, strings.TrimSpace(fmt.Sprintf("status %d %s", r.Status, r.Broken)))
	p.document(r.Body)
}

// end prints the response or the error that ended the request, and the report.
func (p *printer) end(e *trace.Entry) {
	how := ""
	if e.Partial {
		how = "not read completely"
	}
	p.section(e, how)
	if e.Failure != nil {
		p.text(string(e.Failure.Kind) + ": " + e.Failure.Error())
	}
	notes, rep := e.Notes, (*callwright.Report)(nil)
	if resp, err := e.Response(); err != nil {
		p.text(err.Error())
	} else if resp != nil {
		p.parts(resp.Parts)
		rep = resp.Report
	}
	if rep == nil && e.Failure != nil {
		rep = e.Failure.Report
	}
	if rep != nil {
		notes = rep.Notes
		p.attempts(rep)
	}
	p.notes(notes)
}

func (p *printer) parts(parts []callwright.Part) {
	for _, part := range parts {
		switch part := part.(type) {
		case callwright.Text:
			p.text(part.Text)
		case callwright.Reasoning:
			p.text("(reasoning) " + part.Text)
		case callwright.Call:
			input := part.Input
			if part.Type != callwright.CustomTool {
				input = string(part.Arguments)
			}
			p.text("call " + part.ID + ": " + part.Name + " " + input)
		case callwright.Result:
			p.text("result of " + part.CallID + ":")
			p.parts(part.Parts)
		default:
			p.text(fmt.Sprintf("(%s)", strings.ToLower(strings.TrimPrefix(fmt.Sprintf("%T", part), "callwright."))))
		}
	}
}

func (p *printer) attempts(rep *callwright.Report) {
	p.Println()
	p.Println(p.Paint(paint.Bold, "ATTEMPTS"))
	for i := range rep.Attempts {
		a := &rep.Attempts[i]
		line := fmt.Sprintf("%s, %s", a.Model, a.Mode)
		for _, more := range []string{a.Dialect, a.Why, companion.Target{Key: a.Key, Host: a.Host}.String(),
			a.Duration.Round(time.Millisecond).String(), a.Error} {
			if more != "" {
				line += ", " + more
			}
		}
		p.text(line)
	}
	for i := range rep.Invalid {
		c := &rep.Invalid[i]
		p.text("refused: " + c.Name + " (" + string(c.Why) + ") " + c.Raw)
		for _, v := range c.Violations {
			p.text("  " + v.Path + ": " + v.Message)
		}
	}
}

// notes prints changes and findings: the rule, its risk, the position, the old and the new text.
func (p *printer) notes(notes []callwright.Note) {
	if len(notes) == 0 {
		return
	}
	p.Println()
	p.Println(p.Paint(paint.Bold, "NOTES"))
	for i := range notes {
		n := &notes[i]
		line := n.Rule
		for _, more := range []string{string(n.Risk), n.Call, n.Path} {
			if more != "" {
				line += "  " + more
			}
		}
		if n.Count > 1 {
			line += fmt.Sprintf("  (%d times)", n.Count)
		}
		if n.Was != "" || n.Now != "" {
			line += fmt.Sprintf("  %s -> %s", n.Was, n.Now)
		}
		if n.Why != "" {
			line += "  " + n.Why
		}
		p.text(line)
	}
}
