package elicit

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"strings"

	"github.com/callwright/callwright/cmd/callwright/internal/paint"
	"github.com/callwright/callwright/internal/jsonx"
)

// The actions in the response to an elicitation request, as defined by MCP.
const (
	Accept  = "accept"
	Decline = "decline"
	Cancel  = "cancel"
)

// A Terminal asks questions on Out and reads the answers with Line. Line returns io.EOF at the end of the input, and
// the error of ctx if ctx is done.
type Terminal struct {
	Out  *paint.Printer
	Line func(ctx context.Context) (string, error)
}

// Ask asks a person for the input that an MCP server requests. message is the question. wanted is the JSON Schema of a
// flat object, or null if only a confirmation is needed. If action is Accept, content is an object that satisfies the
// schema. The end of the input counts as Cancel. An error is that of ctx or means that the schema is not supported.
func (t Terminal) Ask(ctx context.Context, server, message string, wanted json.RawMessage) (action string,
	content json.RawMessage, err error) {
	fields, err := fieldsOf(wanted)
	if err != nil {
		t.Out.Printf("the MCP server %s asks for input that a terminal cannot ask for: %s\n", paint.Visible(server), paint.Visible(err.Error()))
		return "", nil, err
	}
	t.Out.Printf("%s asks: %s\n", t.Out.Paint(paint.Bold, "the MCP server "+paint.Visible(server)), paint.VisibleLines(message))
	action, content, err = t.answer(ctx, fields)
	if errors.Is(err, io.EOF) {
		t.Out.Println() // ends the line with the question
		return Cancel, nil, nil
	}
	if err != nil {
		t.Out.Println()
	}
	return action, content, err
}

// answer asks whether to respond, then for the value of each field, and then whether to send the values.
func (t Terminal) answer(ctx context.Context, fields []field) (string, json.RawMessage, error) {
	if len(fields) == 0 {
		action, err := t.decide(ctx, "[y]es, [n]o, [c]ancel: ",
			map[string]string{"y": Accept, "yes": Accept, "n": Decline, "no": Decline, "c": Cancel, "cancel": Cancel})
		return action, json.RawMessage("{}"), err
	}
	answers := map[string]string{"a": Accept, "answer": Accept, "d": Decline, "decline": Decline, "c": Cancel, "cancel": Cancel}
	if action, err := t.decide(ctx, "[a]nswer, [d]ecline, [c]ancel: ", answers); err != nil || action != Accept {
		return action, nil, err
	}
	for {
		content, err := t.fill(ctx, fields)
		if err != nil {
			return "", nil, err
		}
		t.Out.Printf("  %s\n", paint.Visible(string(content)))
		action, err := t.decide(ctx, "[s]end, [e]dit, [d]ecline, [c]ancel: ",
			map[string]string{"s": Accept, "send": Accept, "e": "", "edit": "", "d": Decline, "decline": Decline, "c": Cancel, "cancel": Cancel})
		if err != nil || action != "" {
			return action, content, err
		}
	}
}

// decide repeats a question until the line is one of the keys of answers, and returns its value.
func (t Terminal) decide(ctx context.Context, question string, answers map[string]string) (string, error) {
	for {
		t.Out.Printf("%s", question)
		line, err := t.Line(ctx)
		if err != nil {
			return "", err
		}
		if action, ok := answers[strings.ToLower(strings.TrimSpace(line))]; ok {
			return action, nil
		}
	}
}

// fill asks for the value of each field and returns the object.
func (t Terminal) fill(ctx context.Context, fields []field) (json.RawMessage, error) {
	out := []byte{'{'}
	for i := range fields {
		value, err := t.field(ctx, &fields[i])
		if err != nil {
			return nil, err
		}
		if value == nil {
			continue
		}
		if len(out) > 1 {
			out = append(out, ',')
		}
		out = append(append(jsonx.AppendQuote(out, fields[i].name), ':'), value...)
	}
	return append(out, '}'), nil
}

// field asks for the value of a field until it is valid.
func (t Terminal) field(ctx context.Context, f *field) (json.RawMessage, error) {
	name := f.name
	if f.title != "" {
		name = f.title
	}
	if f.description != "" {
		t.Out.Printf("  %s\n", t.Out.Paint(paint.Faint, paint.VisibleLines(f.description)))
	}
	for i, c := range f.choices {
		t.Out.Printf("  %d  %s\n", i+1, paint.Visible(c.label()))
	}
	if hint := f.hint(); hint != "" {
		name += " (" + hint + ")"
	}
	for {
		t.Out.Printf("  %s: ", paint.Visible(name))
		line, err := t.Line(ctx)
		if err != nil {
			return nil, err
		}
		value, err := f.read(line)
		if err == nil {
			return value, nil
		}
		t.Out.Printf("  %s\n", t.Out.Paint(paint.Red, paint.Visible(err.Error())))
	}
}
