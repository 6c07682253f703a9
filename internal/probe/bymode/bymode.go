// Package bymode sends the same questions to a live model in each mode that the model supports, such as native tool
// calls and calls in text, and counts the correct calls. The requests are those of a gateway without corrections.
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

// Questions is the default number of questions in each mode.
const Questions = 8

// The limits of a run.
const (
	maxModes    = 4
	maxTokens   = 1024 // maximum output tokens of one request
	maxFailures = 3    // consecutive failures of the provider that end a run
	maxRefusals = 4    // requests per mode that are repeated without a refused feature
)

// MaxRequests returns the maximum number of requests of [Run] with this number of questions.
func MaxRequests(questions int) int {
	if questions <= 0 {
		return 0
	}
	return maxModes * (min(questions, MaxQuestions) + maxRefusals)
}

// Run sends the first n questions to the model in each mode. The facts of the card select the modes. Run appends the
// result of each mode to card.Modes, sets card.First, and adds the fact mode_success.
//
// Run returns an error if the provider fails repeatedly or ctx ends. The card then has the modes measured before.
func Run(ctx context.Context, m callwright.Model, card *probe.Card, n int, o probe.Options) error {
	if n <= 0 {
		return nil
	}
	r := &run{card: card, o: o, questions: questions[:min(n, MaxQuestions)], capsStore: caps.NewMemory(nil),
		m: &countingModel{Model: m, card: card, left: MaxRequests(n)}}
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

// A run is the measurement of one model in progress.
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

// open returns the modes that the model supports, in the order that applies if no counts were measured.
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

// measure sends the questions in one mode and returns the counts. The row is zero for a mode that the model lacks.
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

// addAnswer returns the counts of a with the one answer of b. Tokens and Millis are the means of all answers.
func addAnswer(a, b modestat.Row) modestat.Row {
	n := a.Answers()
	mean := func(a, b float64) float64 { return (a*n + b) / (n + 1) }
	return modestat.Row{Mode: a.Mode, Clean: a.Clean + b.Clean, Helped: a.Helped + b.Helped, Failed: a.Failed + b.Failed,
		Tokens: mean(a.Tokens, b.Tokens), Millis: mean(a.Millis, b.Millis)}
}

// ask sends one question and returns the counts of its answer. It returns an error that does not concern the model's
// calls, such as a timeout; an error about the calls counts as a failed answer.
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

// saysOfCalls reports whether an error is caused by the text or calls of the model's response.
func saysOfCalls(err error) bool {
	switch callwright.KindOf(err) {
	case callwright.KindInvalidCall, callwright.KindNoCall, callwright.KindRefusedCall, callwright.KindBadAnswer, callwright.KindTruncated:
		return true
	}
	return false
}

// keep adds the results of the modes to the card, and the fact mode_success.
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

// A countingModel is a model that counts its requests in card.Sent. It returns errTooMany after left requests.
type countingModel struct {
	callwright.Model
	card *probe.Card
	left int
}

var errTooMany = &callwright.Error{Kind: callwright.KindInternal, Message: "too many requests were refused"}

func (c *countingModel) Generate(ctx context.Context, req *callwright.Request) (*callwright.Response, error) {
	if c.left == 0 {
		return nil, errTooMany
	}
	c.left--
	c.card.Sent++
	return c.Model.Generate(ctx, req)
}

// ID returns the model's ID in the card.
func (c *countingModel) ID() callwright.ModelID { return c.card.Model }

// Caps returns the capabilities of the wrapped model.
func (c *countingModel) Caps(ctx context.Context) caps.Caps {
	if d, ok := c.Model.(callwright.Describer); ok {
		return d.Caps(ctx)
	}
	return caps.Caps{}
}
