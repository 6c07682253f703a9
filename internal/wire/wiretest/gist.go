package wiretest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/callwright/callwright"
)

// Gist returns a dump of a response without details that only one API has (response ids, models, opaque state), with
// adjacent texts joined. Responses with the same meaning have the same gist, whatever their API.
func Gist(r *callwright.Response) string {
	d := new(gist)
	d.parts("", r.Parts)
	if r.Usage.Known {
		d.line("usage", "input", r.Usage.Input, "output", r.Usage.Output)
	}
	d.line("end " + string(r.Finish))
	return d.String()
}

// GistOfError returns a dump of an error without details that only one API has: its kind, the HTTP status and the retry
// delay.
func GistOfError(err error, status int) string {
	d := new(dump)
	e := new(callwright.Error)
	wait := ""
	if asError(err, &e) && e.RetryAfter > 0 {
		wait = e.RetryAfter.String()
	}
	d.line("error "+string(callwright.KindOf(err)), "status", status, "wait", wait)
	return d.String()
}

// Gist returns the gist of a whole stream, as the function Gist does for a response. For a stream that failed it has
// the parts that arrived, without an incomplete call, and the error.
func (s Stream) Gist() string {
	resp, _ := callwright.Collect(func(yield func(callwright.Event, error) bool) {
		var open []callwright.Event
		for _, ev := range s.Events {
			switch ev.(type) {
			case callwright.CallBegin, callwright.CallDelta:
				open = append(open, ev)
				continue
			case callwright.CallEnd:
				for _, held := range open {
					yield(held, nil)
				}
				open = nil
			}
			yield(ev, nil)
		}
	})
	if s.Err == nil {
		return Gist(resp)
	}
	d := new(gist)
	d.parts("", resp.Parts)
	return d.String() + GistOfError(s.Err, 0)
}

// GistOfRequest returns a dump of a request without details that only one API has: parameters, conversation and tools.
// It does not depend on how the API divides the conversation into messages. Tool results show the tool name for their
// call id.
func GistOfRequest(r *callwright.Request) (string, error) {
	messages, err := r.History()
	if err != nil {
		return "", err
	}
	tools, err := r.DeclaredTools()
	if err != nil {
		return "", err
	}
	d := new(gist)
	p := r.Params
	thinks := p.Thinking.Effort != "" || p.Thinking.Budget != "" || p.Thinking.Extra.JSON != nil
	d.line("params", "max", string(p.MaxTokens), "temperature", string(p.Temperature), "choice", string(p.Choice.Mode),
		"names", p.Choice.Names, "parallel", p.Parallel, "thinks", thinks)
	d.conversation(messages)
	for _, t := range tools {
		d.line("tool", "name", t.Name, "description", t.Description)
		d.line("  " + compact(t.Schema))
	}
	return d.String(), nil
}

// A gist builds the dump of a request or response for the Gist functions. It joins adjacent texts.
type gist struct {
	dump
	names map[string]string // call id -> tool name
}

// conversation writes the messages. Tool results are a separate turn, whatever message the API has them in.
func (d *gist) conversation(messages []callwright.Message) {
	d.names = map[string]string{}
	last, pending := callwright.Role(""), []callwright.Part(nil)
	turn := func(role callwright.Role) {
		if role == last {
			return
		}
		d.parts("  ", pending)
		pending = nil
		if last = role; role != "" {
			d.line(string(role))
		}
	}
	for _, m := range messages {
		for _, p := range m.Parts {
			role := m.Role
			if _, ok := p.(callwright.Result); ok {
				role = callwright.RoleTool
			}
			turn(role)
			pending = append(pending, p)
		}
	}
	turn("")
}

func (d *gist) parts(indent string, parts []callwright.Part) {
	var text, reasoning strings.Builder
	flush := func() {
		if reasoning.Len() > 0 {
			d.line(fmt.Sprintf("%sreasoning %q", indent, reasoning.String()))
		}
		if text.Len() > 0 {
			d.line(fmt.Sprintf("%stext %q", indent, text.String()))
		}
		reasoning.Reset()
		text.Reset()
	}
	for _, p := range parts {
		switch p := p.(type) {
		case callwright.Text:
			text.WriteString(p.Text)
			continue
		case callwright.Reasoning:
			if text.Len() > 0 {
				flush()
			}
			reasoning.WriteString(p.Text)
			continue
		}
		flush()
		d.part(indent, p)
	}
	flush()
}

// part writes a message part that is neither text nor reasoning to the dump.
func (d *gist) part(indent string, p callwright.Part) {
	switch p := p.(type) {
	case callwright.Image:
		d.line(indent+"image", "type", p.MediaType, "data", p.Data, "url", p.URL)
	case callwright.File:
		d.line(indent+"file", "type", p.MediaType, "data", p.Data, "url", p.URL, "text", p.Text)
	case callwright.Call:
		if d.names != nil {
			d.names[p.ID] = p.Name
		}
		d.line(indent+"call", "id", p.ID, "name", p.Name, "type", string(p.Type))
		d.line(indent + "  " + compact(p.Arguments) + p.Input)
	case callwright.Result:
		of := d.names[p.CallID]
		if p.Name != "" && p.Name != of {
			of = "not " + of + " but " + p.Name
		}
		d.line(indent+"result", "id", p.CallID, "of", of, "failed", p.IsError)
		d.parts(indent+"  ", p.Parts)
	case callwright.Opaque:
		d.line(indent + "opaque")
	}
}

// compact returns JSON without white space, and other text unchanged.
func compact(b []byte) string {
	var out bytes.Buffer
	if json.Compact(&out, b) != nil {
		return string(b)
	}
	return out.String()
}
