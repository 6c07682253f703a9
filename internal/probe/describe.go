package probe

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/dialect"
	"github.com/callwright/callwright/dialect/describe"
)

// A Described is the text format of tool calls that a model described for itself. The description was tested with a
// call of the model.
type Described struct {
	describe.Description
	Call string `json:"-"` // the model's text with the call
	Sent int    `json:"-"` // number of requests
}

// DescribeRequests is the maximum number of requests of [Describe].
const DescribeRequests = 2 * describeTries

// describeTries is the maximum number of requests for the description, and the maximum number for a call.
const describeTries = 2

// Describe asks a model for the text format in which it writes tool calls. A parser made from the description must read
// the example in the description and a call that the model then writes in the format. Otherwise Describe returns an
// error with the reason, and nil.
func Describe(ctx context.Context, m callwright.Model, o Options) (*Described, error) {
	r := newRun(ctx, m, o)
	d, f, err := r.askDescription(ctx)
	if err != nil {
		return nil, err
	}
	out := &Described{Description: *d}
	if out.Call, err = r.askDescribed(ctx, f); err != nil {
		return nil, err
	}
	out.Sent = r.card.Sent
	return out, nil
}

// askDescription asks for the description of the format. After an invalid description it asks once more, with the
// error.
func (r *run) askDescription(ctx context.Context) (*describe.Description, *describe.Format, error) {
	q := userQuestion(describe.Question)
	var wrong error
	for range describeTries {
		a, v, ok := r.ask(ctx, q)
		if !ok {
			return nil, nil, r.unansweredError(v)
		}
		d, err := describe.Read(a.Text())
		if err == nil {
			var f *describe.Format
			if f, err = d.CompileTold(); err == nil {
				return d, f, nil
			}
		}
		wrong = fmt.Errorf("the model's description of its format is invalid: %s", visible(err.Error()))
		q.messages = append(q.messages, a.Message(),
			callwright.UserText("That does not work: "+err.Error()+"\nWrite the JSON object again. Keep the example to the call itself."))
	}
	return nil, nil, wrong
}

// askDescribed asks for a call in the format f and returns the model's text with the call.
func (r *run) askDescribed(ctx context.Context, f *describe.Format) (string, error) {
	q := userQuestion(oslo)
	q.messages = append([]callwright.Message{callwright.SystemText(f.RenderTools([]dialect.Tool{dialectTool(&weather)},
		dialect.RenderOptions{Model: r.name}))}, q.messages...)
	said := ""
	for range describeTries {
		a, v, ok := r.ask(ctx, q)
		if !ok {
			return "", r.unansweredError(v)
		}
		said = a.Text()
		c := textCall(said, []callwright.Tool{weather}, dialect.Options{Model: r.name, Hint: f.Name, Marks: f.Marks})
		if c != nil && c.Format == f.ReadAs() {
			return strings.TrimSpace(said), nil
		}
	}
	return "", fmt.Errorf("the model's description of its format is invalid: asked for a call in this format, the model answered %q", short(said))
}

// unansweredError returns the error for a request without a complete response: the error that ended the probe, or the
// reason in v.
func (r *run) unansweredError(v verdict) error {
	if r.err != nil {
		return r.err
	}
	return errors.New(v.why)
}

// visible returns a model's text with a space in place of each ASCII control character.
func visible(text string) string {
	return strings.Map(func(c rune) rune {
		if c < ' ' || c == 0x7f {
			return ' '
		}
		return c
	}, text)
}
