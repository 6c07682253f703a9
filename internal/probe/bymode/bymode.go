// Package bymode asks a live model the same questions in each mode that is open to it, and counts the calls that come
// right. The requests are those that a gateway makes, without a correction.
package bymode

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/modestat"
	"github.com/callwright/callwright/internal/notes"
	"github.com/callwright/callwright/internal/probe"
	"github.com/callwright/callwright/reliable"
)

// Questions is how many questions are put in a mode where nothing is said.
const Questions = 8

// The bounds of a run.
const (
	maxModes    = 4
	maxTokens   = 1024 // of the output of one request
	maxFailures = 3    // of the provider, on end
	maxRefusals = 4    // requests that are made again without what was refused, in one mode
)

// MaxRequests is how many requests [Run] makes at most with so many questions.
func MaxRequests(questions int) int {
	if questions <= 0 {
		return 0
	}
	return maxModes * (min(questions, MaxQuestions) + maxRefusals)
}

// Run asks the first questions of the list in each mode, and adds the results to the card, with its fact. The facts of
// the card say which modes are open. An error is of a provider that fails, or of a context that has ended: the card has
// the modes that were measured until then.
func Run(ctx context.Context, m callwright.Model, card *probe.Card, n int, o probe.Options) error {
	if n <= 0 {
		return nil
	}
	r := &run{card: card, o: o, questions: questions[:min(n, MaxQuestions)], capsStore: caps.NewMemory(nil),
		m: &counted{Model: m, card: card, left: MaxRequests(n)}}
	for _, f := range card.Found {
		if err := r.capsStore.Learn(ctx, string(card.Model), f); err != nil {
			return fmt.Errorf("modes: %w", err)
		}
	}
	open, err := r.open(ctx)
	var t modestat.Table
	for _, mode := range open {
		var row modestat.Row
		if row, err = r.measure(ctx, mode); err != nil {
			err = fmt.Errorf("mode %s: %w", mode, err)
			break
		}
		if row.Answers() > 0 {
			t.Rows = append(t.Rows, row)
		}
	}
	r.keep(&t, open)
	return err
}

// A run is the measurement of one model.
type run struct {
	card      *probe.Card
	o         probe.Options
	questions []question
	capsStore *caps.Memory
	m         callwright.Model
}

func (r *run) client(opts ...reliable.Option) *reliable.Client {
	return reliable.New(r.m, append([]reliable.Option{reliable.WithCapsStore(r.capsStore), reliable.WithOneMode(),
		reliable.WithMaxCorrections(0)}, opts...)...)
}

// open are the modes that are open to the model, in the order without measurements.
func (r *run) open(ctx context.Context) ([]caps.Mode, error) {
	ex, err := reliable.New(r.m, reliable.WithCapsStore(r.capsStore)).Explain(ctx, r.request(&r.questions[0]))
	if err != nil {
		return nil, fmt.Errorf("modes: %w", err)
	}
	var out []caps.Mode
	for _, step := range ex.Chain {
		out = append(out, step.Mode)
	}
	return out, nil
}

func (r *run) request(q *question) *callwright.Request {
	req := &callwright.Request{Model: r.card.Model, Messages: []callwright.Message{callwright.UserText(q.text)}, Tools: q.tools}
	req.Params.MaxTokens, req.Params.Temperature = json.Number(strconv.Itoa(min(r.o.Tokens(), maxTokens))), "0"
	return req
}

// measure puts the questions in one mode. A mode that the model is found to lack has no answers.
func (r *run) measure(ctx context.Context, mode caps.Mode) (row modestat.Row, err error) {
	client, failures := r.client(reliable.WithModes(mode)), 0
	row.Mode = string(mode)
	for i := range r.questions {
		got, err := r.ask(ctx, client, &r.questions[i], mode)
		switch {
		case ctx.Err() != nil:
			return row, ctx.Err()
		case err == nil:
			failures = 0
			row = addAnswer(row, got)
			continue
		case callwright.KindOf(err) == callwright.KindUnsupported || callwright.KindOf(err) == callwright.KindSchema:
			return modestat.Row{}, nil
		}
		if failures++; failures == maxFailures || !callwright.KindOf(err).Transient() {
			return row, err
		}
	}
	return row, nil
}

// addAnswer adds one answer to the answers of a mode, with the means of all.
func addAnswer(a, b modestat.Row) modestat.Row {
	n := a.Answers()
	mean := func(a, b float64) float64 { return (a*n + b) / (n + 1) }
	return modestat.Row{Mode: a.Mode, Clean: a.Clean + b.Clean, Helped: a.Helped + b.Helped, Failed: a.Failed + b.Failed,
		Tokens: mean(a.Tokens, b.Tokens), Millis: mean(a.Millis, b.Millis)}
}

// ask puts one question. An error is one that says nothing of the model's calls.
func (r *run) ask(ctx context.Context, client *reliable.Client, q *question, mode caps.Mode) (row modestat.Row, err error) {
	ctx, cancel := context.WithTimeout(ctx, cmp.Or(max(r.o.Timeout, 0), 90*time.Second))
	defer cancel()
	began := time.Now()
	resp, err := client.Generate(ctx, r.request(q))
	row.Millis = float64(time.Since(began).Milliseconds())
	if err != nil {
		if !saysOfCalls(err) {
			return row, err
		}
		row.Failed = 1
		return row, nil
	}
	if resp.Report.Mode != mode {
		return row, &callwright.Error{Kind: callwright.KindUnsupported, Message: "the model lacks the mode"}
	}
	if resp.Usage.Known {
		row.Tokens = float64(resp.Usage.Input + resp.Usage.Output)
	}
	switch {
	case !q.right(resp.Calls()) || len(resp.Report.Invalid) > 0:
		row.Failed = 1
	case slices.ContainsFunc(resp.Report.Notes, notes.IsHelp):
		row.Helped = 1
	default:
		row.Clean = 1
	}
	return row, nil
}

// saysOfCalls reports whether an error is about the model's text.
func saysOfCalls(err error) bool {
	switch callwright.KindOf(err) {
	case callwright.KindInvalidCall, callwright.KindNoCall, callwright.KindRefusedCall, callwright.KindBadAnswer, callwright.KindTruncated:
		return true
	}
	return false
}

// keep adds a table to the card.
func (r *run) keep(t *modestat.Table, open []caps.Mode) {
	if len(t.Rows) == 0 {
		return
	}
	base := make([]string, len(open))
	for i, m := range open {
		base[i] = string(m)
	}
	order := t.Order(base)
	if order[0] != base[0] {
		t.Lead, t.Since = order[0], time.Now()
	}
	for _, row := range t.Rows {
		r.card.Modes = append(r.card.Modes,
			probe.ModeResult{Mode: caps.Mode(row.Mode), Asked: int(row.Answers()), Right: int(row.Clean + row.Helped), Helped: int(row.Helped),
				Tokens: int(row.Tokens), MS: int64(row.Millis)})
	}
	r.card.First = caps.Mode(order[0])
	r.card.Keep(modestat.Fact, t.String(), t.Comparison(order))
}

// counted is a model that counts the requests to it, and ends when they are too many.
type counted struct {
	callwright.Model
	card *probe.Card
	left int
}

var errTooMany = &callwright.Error{Kind: callwright.KindInternal, Message: "too many requests were refused"}

func (c *counted) Generate(ctx context.Context, req *callwright.Request) (*callwright.Response, error) {
	if c.left == 0 {
		return nil, errTooMany
	}
	c.left--
	c.card.Sent++
	return c.Model.Generate(ctx, req)
}

// ID is the name of the model.
func (c *counted) ID() callwright.ModelID { return c.card.Model }

// Caps returns the capabilities that the model states.
func (c *counted) Caps(ctx context.Context) caps.Caps {
	if d, ok := c.Model.(callwright.Describer); ok {
		return d.Caps(ctx)
	}
	return caps.Caps{}
}
