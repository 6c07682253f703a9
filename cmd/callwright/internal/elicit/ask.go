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

// The answers to a server's question, in the words of the protocol.
const (
	Accept  = "accept"
	Decline = "decline"
	Cancel  = "cancel"
)

// A Terminal shows questions and reads the lines that answer them. Line ends with io.EOF where nobody answers any more,
// and with the error of ctx.
type Terminal struct {
	Out  *paint.Printer
	Line func(ctx context.Context) (string, error)
}

// Ask asks a person for the input of a server: message is the question, and wanted the schema of a flat object, null
// for none. It returns how the person answered, and, where that is Accept, an object that satisfies the schema. A
// person who leaves cancels. The error is that of ctx, or of a schema that asks for something else.
func (t Terminal) Ask(ctx context.Context, server, message string, wanted json.RawMessage) (action string,
	content json.RawMessage, err error) {
	fields, err := fieldsOf(wanted)
	if err != nil {
		t.Out.Printf("the MCP server %s asks for something that cannot be asked here: %s\n", paint.Visible(server), paint.Visible(err.Error()))
		return "", nil, err
	}
	t.Out.Printf("%s asks: %s\n", t.Out.Paint(paint.Bold, "the MCP server "+paint.Visible(server)), paint.VisibleLines(message))
	action, content, err = t.answer(ctx, fields)
	if errors.Is(err, io.EOF) {
		t.Out.Println() // the cursor is behind the question
		return Cancel, nil, nil
	}
	if err != nil {
		t.Out.Println()
	}
	return action, content, err
}

// answer asks whether the person answers, then for the value of each field, then whether to send the values.
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

// decide asks until an answer is one of those that are known.
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

// field asks for a field until its value can be taken.
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
