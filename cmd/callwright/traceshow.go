package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/cmd/callwright/paint"
	"github.com/callwright/callwright/trace"
)

// show prints one request: what was asked, what went back and forth, what came of it, and what was changed.
func (t *traceCommand) show(ctx context.Context, r trace.LogReader, id string) error {
	entries, err := r.Entries(ctx, id)
	if callwright.KindOf(err) == callwright.KindNotFound {
		return fmt.Errorf("%s has no request with the id %q", t.dir, id)
	}
	if err != nil {
		return err
	}
	if t.asJSON {
		for i := range entries {
			line, err := entries[i].Line()
			if err != nil {
				return err
			}
			if _, err := t.app.std.out.Write(line); err != nil {
				return err
			}
		}
		return nil
	}
	s := trace.Summarize(entries)
	p := tracePrinter{paint.New(t.app.std.out, t.app.env), s.Time}
	printSummary(p.Printer, &s)
	for i := range entries {
		p.entry(&entries[i])
	}
	return nil
}

// A tracePrinter prints the entries of a request that began at a time.
type tracePrinter struct {
	*paint.Printer
	began time.Time
}

// section begins what is told of an entry.
func (p *tracePrinter) section(e *trace.Entry, what string) {
	after := ""
	if !e.Time.Before(p.began) {
		after = "  +" + e.Time.Sub(p.began).Round(time.Millisecond).String()
	}
	p.Println()
	p.Println(strings.TrimRight(p.Paint(paint.Bold, strings.ToUpper(string(e.Kind)))+after+"  "+paint.Visible(what), " "))
}

// text prints a text of several lines.
func (p *tracePrinter) text(s string) {
	for line := range strings.Lines(paint.VisibleLines(s)) {
		p.Println("  " + strings.TrimSuffix(line, "\n"))
	}
}

// document prints JSON as people read it, and other texts as they are.
func (p *tracePrinter) document(b []byte) {
	var out bytes.Buffer
	if json.Indent(&out, b, "", "  ") == nil {
		b = out.Bytes()
	}
	p.text(string(b))
}

func (p *tracePrinter) entry(e *trace.Entry) {
	switch e.Kind {
	case trace.KindRequest:
		p.request(e)
	case trace.KindReceived:
		p.received(e)
	case trace.KindAnswer, trace.KindError:
		p.end(e)
	default:
		p.section(e, "")
		p.document(e.Data)
	}
}

// request prints what was asked: the last of the conversation, as what came before it is in what was sent.
func (p *tracePrinter) request(e *trace.Entry) {
	req, err := e.Request()
	if err != nil {
		p.section(e, err.Error())
		return
	}
	what := fmt.Sprintf("%d %s, %d %s", len(req.Messages), plural(len(req.Messages), "message", "messages"), len(req.Tools), plural(len(req.Tools), "tool", "tools"))
	if e.Wire != "" {
		what += ", over " + string(e.Wire)
	}
	p.section(e, what)
	if n := len(req.Messages); n > 0 {
		p.text(string(req.Messages[n-1].Role) + ":")
		p.parts(req.Messages[n-1].Parts)
	}
}

func (p *tracePrinter) received(e *trace.Entry) {
	r, err := e.Received()
	if err != nil {
		p.section(e, "")
		p.document(e.Data)
		return
	}
	p.section(e, strings.TrimSpace(fmt.Sprintf("status %d %s", r.Status, r.Broken)))
	p.document(r.Body)
}

// end prints the answer or the error, and the report.
func (p *tracePrinter) end(e *trace.Entry) {
	how := ""
	if e.Partial {
		how = "not read to its end"
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

func (p *tracePrinter) parts(parts []callwright.Part) {
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

func (p *tracePrinter) attempts(rep *callwright.Report) {
	p.Println()
	p.Println(p.Paint(paint.Bold, "ATTEMPTS"))
	for i := range rep.Attempts {
		a := &rep.Attempts[i]
		line := fmt.Sprintf("%s, %s", a.Model, a.Mode)
		for _, more := range []string{a.Dialect, a.Why, a.Duration.Round(time.Millisecond).String(), a.Error} {
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

// notes prints what was changed and found: the rule, its risk, the place, what was there and is now.
func (p *tracePrinter) notes(notes []callwright.Note) {
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
