package wiretest

import (
	"fmt"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/companion"
)

// A dump builds the text of a golden file: lines of a word and named fields. It omits empty fields.
type dump struct{ strings.Builder }

func (d *dump) line(word string, members ...any) {
	d.WriteString(word)
	for i := 0; i+1 < len(members); i += 2 {
		name := members[i]
		switch v := members[i+1].(type) {
		case string:
			if v != "" {
				fmt.Fprintf(d, " %s=%q", name, v)
			}
		case int:
			if v != 0 {
				fmt.Fprintf(d, " %s=%d", name, v)
			}
		case bool:
			if v {
				fmt.Fprintf(d, " %s", name)
			}
		case *bool:
			if v != nil {
				fmt.Fprintf(d, " %s=%t", name, *v)
			}
		case callwright.Extra:
			if len(v.JSON) > 0 {
				fmt.Fprintf(d, " %s=%s", name, v.JSON)
			}
		case []string:
			if len(v) > 0 {
				fmt.Fprintf(d, " %s=%q", name, v)
			}
		default:
			panic(fmt.Sprintf("no dump of %T", v))
		}
	}
	d.WriteByte('\n')
}

// Events returns the text dump of a stream for golden files. Adjacent deltas of the same type are joined.
func Events(events []callwright.Event) string { return dumpEvents(events, true) }

// Batches returns the text dump of a stream for golden files. The notes of a batch follow its events.
func Batches(batches []callwright.Batch) string {
	d := eventDump{extras: true}
	for _, b := range batches {
		for _, ev := range b.Events {
			d.add(ev)
		}
		for _, n := range b.Notes {
			d.flush()
			d.line("note " + n.Fault + " " + n.Rule)
		}
	}
	d.flush()
	return d.String()
}

// dumpEvents returns the dump of events. Unless extras is set, it omits members that only one API has, because an
// encoder may drop them.
func dumpEvents(events []callwright.Event, extras bool) string {
	d := eventDump{extras: extras}
	for _, ev := range events {
		d.add(ev)
	}
	d.flush()
	return d.String()
}

// add adds an event to the dump. It joins adjacent deltas.
func (d *eventDump) add(ev callwright.Event) {
	switch ev := ev.(type) {
	case callwright.TextDelta:
		if d.reasoning.Len() > 0 {
			d.flush()
		}
		d.text.WriteString(ev.Text)
	case callwright.ReasoningDelta:
		if d.text.Len() > 0 {
			d.flush()
		}
		d.reasoning.WriteString(ev.Text)
	case callwright.CallDelta:
		if ev.Index != d.call.Index {
			d.line("stray delta", "index", fmt.Sprint(ev.Index), "text", ev.Text)
			return
		}
		d.args.WriteString(ev.Text)
	default:
		d.flush()
		d.event(ev)
	}
}

// An eventDump is a dump of events in progress, with the deltas that were not written yet.
type eventDump struct {
	dump
	text, reasoning, args strings.Builder
	call                  callwright.CallBegin
	extras                bool
}

// flush writes the joined text and reasoning deltas to the dump.
func (d *eventDump) flush() {
	if d.reasoning.Len() > 0 {
		d.line(fmt.Sprintf("reasoning %q", d.reasoning.String()))
		d.reasoning.Reset()
	}
	if d.text.Len() > 0 {
		d.line(fmt.Sprintf("text %q", d.text.String()))
		d.text.Reset()
	}
}

// extra returns e if d.extras is set, the zero Extra otherwise.
func (d *eventDump) extra(e callwright.Extra) callwright.Extra {
	if d.extras {
		return e
	}
	return callwright.Extra{}
}

// event writes an event other than a text or reasoning delta to the dump.
func (d *eventDump) event(ev callwright.Event) {
	switch ev := ev.(type) {
	case callwright.CallBegin:
		d.call = ev
		d.args.Reset()
	case callwright.CallEnd:
		d.line(fmt.Sprintf("call %d", d.call.Index), "id", d.call.ID, "name", d.call.Name, "type", string(d.call.Type),
			"args", d.args.String(), "signature", d.call.Signature, "extra", d.call.Extra)
	case callwright.TextBegin:
		if d.extras {
			d.line("text-begin", "extra", ev.Extra)
		}
	case callwright.Begin:
		d.line("begin", "id", ev.ID, "model", ev.Model, "extra", d.extra(ev.Extra))
	case callwright.ReasoningEnd:
		d.line("reasoning-end", "signature", ev.Signature, "redacted", ev.Redacted, "id", ev.ID, "extra", ev.Extra)
	case callwright.OpaquePart:
		d.line("opaque " + string(ev.Extra.JSON))
	case callwright.MediaPart:
		d.parts("", []callwright.Part{ev.Part})
	case callwright.UsageDelta:
		d.usage(ev.Usage)
	case callwright.End:
		d.line("end "+string(ev.Finish), "extra", d.extra(ev.Extra))
	}
}

func (d *dump) usage(u callwright.Usage) {
	if u.Known {
		d.line("usage", "input", u.Input, "read", u.CacheRead, "write", u.CacheWrite, "output", u.Output, "reasoning", u.Reasoning)
	}
}

// Error returns the text dump of an error for golden files.
func Error(err error) string {
	d := new(dump)
	var e *callwright.Error
	if !asError(err, &e) {
		d.line(fmt.Sprintf("error %q", err))
		return d.String()
	}
	retry := ""
	if e.RetryAfter > 0 {
		retry = e.RetryAfter.String()
	}
	d.line(fmt.Sprintf("error %s %q", e.Kind, e.Message), "path", e.Path, "status", e.Status, "code", e.Code, "feature", string(e.Feature),
		"recovered", e.Recovered, "retry-after", retry, "no-retry", e.NoRetry)
	return d.String()
}

// Response returns the text dump of a whole response for golden files.
func Response(r *callwright.Response) string { return dumpResponse(r, true) }

func dumpResponse(r *callwright.Response, extras bool) string {
	d := new(dump)
	d.line("begin", "id", r.ID, "model", r.Model)
	d.parts("", r.Parts)
	d.usage(r.Usage)
	d.line("end " + string(r.Finish))
	if extras {
		if r.Extra.JSON != nil {
			d.line("extra " + string(r.Extra.JSON))
		}
		if r.Report != nil {
			for _, n := range r.Report.Notes {
				d.line("note " + n.Fault + " " + n.Rule)
			}
		}
		if r.Raw == nil {
			d.line("changed")
		}
	}
	return d.String()
}

func (d *dump) parts(indent string, parts []callwright.Part) {
	calls := 0
	for _, p := range parts {
		d.WriteString(indent)
		switch p := p.(type) {
		case callwright.Text:
			d.line(fmt.Sprintf("text %q", p.Text), "extra", p.Extra)
		case callwright.Image:
			d.line("image", "type", p.MediaType, "data", p.Data, "url", p.URL, "file", p.FileID, "detail", p.Detail, "extra", p.Extra)
		case callwright.File:
			d.line("file", "name", p.Name, "type", p.MediaType, "data", p.Data, "url", p.URL, "text", p.Text, "file", p.FileID, "extra", p.Extra)
		case callwright.Reasoning:
			d.line(fmt.Sprintf("reasoning %q", p.Text), "signature", p.Signature, "redacted", p.Redacted, "id", p.ID, "extra", p.Extra)
		case callwright.Call:
			d.line(fmt.Sprintf("call %d", calls), "id", p.ID, "name", p.Name, "type", string(p.Type), "args", string(p.Arguments),
				"input", p.Input, "signature", p.Signature, "extra", p.Extra)
			calls++
		case callwright.Result:
			d.line("result", "id", p.CallID, "name", p.Name, "type", string(p.Type), "failed", p.IsError, "extra", p.Extra)
			d.parts(indent+"  ", p.Parts)
		case callwright.Opaque:
			d.line("opaque " + string(p.Extra.JSON))
		}
	}
}

// Request returns the text dump of a request for golden files: its parameters, summaries, messages and tools.
func Request(r *callwright.Request) string {
	d := new(dump)
	p := r.Params
	d.line("model "+fmt.Sprintf("%q", r.Model), "stream", p.Stream, "usage", p.StreamUsage, "parallel", p.Parallel,
		"choice", string(p.Choice.Mode), "names", p.Choice.Names, "max", string(p.MaxTokens), "temperature", string(p.Temperature),
		"top-p", string(p.TopP), "top-k", string(p.TopK), "presence", string(p.Presence), "frequency", string(p.Frequency),
		"seed", string(p.Seed), "stop", p.Stop, "user", p.User)
	if f := p.Format; f != nil {
		d.line("format", "name", f.Name, "description", f.Description, "schema", string(f.Schema), "strict", f.Strict)
	}
	if t := p.Thinking; t.Effort != "" || t.Budget != "" || t.Off || t.Extra.JSON != nil {
		d.line("thinking", "effort", t.Effort, "budget", string(t.Budget), "off", t.Off, "extra", t.Extra)
	}
	if r.Extra.JSON != nil {
		d.line("extra " + string(r.Extra.JSON))
	}
	for _, t := range companion.Of(r).Summaries() {
		d.turn(t)
	}
	messages, err := r.History()
	if err != nil {
		d.WriteString(Error(err))
	}
	for _, m := range messages {
		d.line(string(m.Role), "extra", m.Extra)
		d.parts("  ", m.Parts)
	}
	tools, err := r.DeclaredTools()
	if err != nil {
		d.WriteString(Error(err))
	}
	for _, t := range tools {
		d.line("tool", "name", t.Name, "type", string(t.Type), "description", t.Description, "schema", string(t.Schema),
			"strict", t.Strict, "extra", t.Extra)
	}
	return d.String()
}

func (d *dump) turn(t callwright.Summary) {
	calls := ""
	for _, c := range t.Calls {
		calls += fmt.Sprintf("%s:%s", c.ID, c.Name)
		if !c.Sound {
			calls += "!"
		}
		calls += " "
	}
	d.line("turn "+string(t.Role), "calls", strings.TrimSpace(calls), "results", t.Results, "text", t.Text, "blank", t.Blank,
		"media", t.Media, "reasoning", t.Reasoning, "parts", t.Parts)
}
