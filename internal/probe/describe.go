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

// A Described is the format of calls that a model told of itself, and that held.
type Described struct {
	describe.Description
	Call string `json:"-"` // what it wrote when it was asked for a call
	Sent int    `json:"-"` // requests that were made
}

// DescribeRequests is how many requests [Describe] makes at most.
const DescribeRequests = 2 * describeTries

// describeTries is how often the model is asked for the description, and for a call.
const describeTries = 2

// Describe asks a model for the format in which it writes calls of tools. Its description must read its own example,
// and a call that the model writes when it is asked for one in that format. The error names the failed condition; then
// there is no Described.
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

// askDescription asks for the description. A wrong one is asked for once more, with its fault.
func (r *run) askDescription(ctx context.Context) (*describe.Description, *describe.Format, error) {
	q := say(describe.Question)
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
		wrong = fmt.Errorf("the model's description of its format does not hold: %s", visible(err.Error()))
		q.messages = append(q.messages, a.Message(),
			callwright.UserText("That does not work: "+err.Error()+"\nWrite the JSON object again. Keep the example to the call itself."))
	}
	return nil, nil, wrong
}

// askDescribed asks for a call in a format, and returns the model's text.
func (r *run) askDescribed(ctx context.Context, f *describe.Format) (string, error) {
	q := say(oslo)
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
	return "", fmt.Errorf("the model's description of its format does not hold: asked for a call in that format, it said %q", short(said))
}

// unansweredError is the error of a request to which no answer came that can be judged.
func (r *run) unansweredError(v verdict) error {
	if r.err != nil {
		return r.err
	}
	return errors.New(v.why)
}

// visible returns a text of a model without control characters.
func visible(text string) string {
	return strings.Map(func(c rune) rune {
		if c < ' ' || c == 0x7f {
			return ' '
		}
		return c
	}, text)
}
