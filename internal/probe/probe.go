package probe

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
)

// Options bound a probe. The zero value is fit for use.
type Options struct {
	MaxTokens int           // of the output of one request; 0 means 2048
	Timeout   time.Duration // of one request; 0 means 90 s
	Progress  func(Check)   // called after each check that was made; nil where nobody looks
}

// Tokens is how many tokens one request may put out at most.
func (o Options) Tokens() int { return cmp.Or(o.MaxTokens, 2048) }

const defaultTimeout = 90 * time.Second

// MaxRequests is how many requests a probe makes at most, but for those that a provider makes again because it failed.
func MaxRequests() int {
	n := maxAdapted
	for i := range checks {
		n += checks[i].most * checks[i].tries()
	}
	return n
}

// Run probes the model, one request at a time. m should be a model without a healing client around it, which would hide
// faults. The first error is of a model that cannot be asked, or no longer: the Card has the results until then, and is
// nil without any. Run ends with ctx.
func Run(ctx context.Context, m callwright.Model, o Options) (*Card, error) {
	r := newRun(ctx, m, o)
	for i := range checks {
		ended := r.err != nil
		c := r.check(ctx, &checks[i])
		if i == 0 && r.err != nil {
			return nil, r.err
		}
		r.card.Checks = append(r.card.Checks, c)
		if o.Progress != nil && !ended {
			o.Progress(c)
		}
	}
	r.card.finish()
	return &r.card, r.err
}

// A run is one probe.
type run struct {
	m        callwright.Model
	o        Options
	known    caps.Caps // how requests have to be written, without what is to be found out
	name     string    // of the model, for the dialect of its family
	card     Card
	err      error             // that ended it
	failures int               // of the provider, on end
	adapted  int               // refusals that changed how requests are written
	doubt    bool              // the last request was not answered, or not to the end
	left     []callwright.Edit // leave out the members that the provider refused

	native   state                // what becomes of declared tools
	unsure   bool                 // whether it makes a call that is required is not known
	thinks   bool                 // answers hold reasoning, or it is known that they may
	sees     bool                 // images in messages of the user
	noResult bool                 // the result of a call was refused
	dialect  string               // the format in which calls came as text although tools were declared
	finished string               // what was wrong with a finish reason, "" for nothing
	first    *callwright.Response // the answer with the first sound call
	parallel []callwright.Call    // calls that came in one answer
}

// A state is the use of the tools in a request.
type state uint8

const (
	unasked state = iota
	refused       // the provider takes none
	ignored       // no call comes
	asText        // calls come as text
	broken        // the provider, or its API, cannot read the call
	works         // calls come
)

func newRun(ctx context.Context, m callwright.Model, o Options) *run {
	r := &run{m: m, o: o}
	r.card.Facts = map[string]string{}
	if named, ok := m.(callwright.Identifier); ok {
		r.card.Model = named.ID()
		_, r.name = r.card.Model.Split()
	}
	if d, ok := m.(callwright.Describer); ok {
		r.known = d.Caps(ctx)
	}
	r.thinks = r.known.Efforts != ""
	c := &r.known
	for _, t := range []*caps.Truth{
		&c.Tools, &c.ParallelTools, &c.ParallelField, &c.ParallelUnasked, &c.ChoiceField, &c.ChoiceForced, &c.StreamTools,
		&c.JSONSchema, &c.JSONObject,
		&c.JSONWithTools, &c.TextCalls, &c.Images, &c.ResultImages, &c.StrictTools, &c.StreamUsage, &c.ReasoningTools,
	} {
		*t = caps.Unknown
	}
	return r
}

// check makes one check, twice where the first answer does not settle it.
func (r *run) check(ctx context.Context, c *check) Check {
	began := time.Now()
	v := r.verdict(ctx, c)
	for _, f := range v.facts {
		r.card.keep(f.key, f.value, v.why)
	}
	if c.key != "" && !v.undecided {
		switch v.result {
		case Pass:
			r.card.keep(c.key, yes, v.why)
		case Fail:
			r.card.keep(c.key, no, v.why)
		case Skip:
		}
	}
	return Check{Name: c.name, Result: v.result, Why: v.why, MS: time.Since(began).Milliseconds(), About: c.about}
}

func (r *run) verdict(ctx context.Context, c *check) verdict {
	if r.err != nil {
		return skip("not asked: the probe had ended")
	}
	if c.needs != nil {
		if why := c.needs(r); why != "" {
			return skip("%s", why)
		}
	}
	v := c.ask(ctx, r)
	if v.result != Fail || v.firm || c.once || r.err != nil {
		return r.annotateError(c, v)
	}
	first := v.why
	if v = c.ask(ctx, r); v.result == Pass {
		v.why += "; at first: " + first
	}
	return r.annotateError(c, v)
}

// annotateError names the check in the error that ended the probe.
func (r *run) annotateError(c *check, v verdict) verdict {
	if r.err != nil {
		r.err = fmt.Errorf("check %s: %w", c.name, r.err)
	}
	return v
}

// A verdict is a check's verdict on an answer.
type verdict struct {
	result    Result
	why       string
	firm      bool // another try would not change it
	undecided bool // it says nothing about the fact of the check
	facts     []found
}

// found is a fact that was found.
type found struct{ key, value string }

func pass(format string, args ...any) verdict {
	return verdict{result: Pass, why: fmt.Sprintf(format, args...)}
}

func fail(format string, args ...any) verdict {
	return verdict{result: Fail, why: fmt.Sprintf(format, args...)}
}

func skip(format string, args ...any) verdict {
	return verdict{result: Skip, why: fmt.Sprintf(format, args...)}
}

// with is the verdict with a fact.
func (v verdict) with(key, value string) verdict {
	v.facts = append(v.facts, found{key, value})
	return v
}

// deciding says whether the verdict tells something about the fact of its check.
func (v verdict) deciding(is bool) verdict {
	v.undecided = !is
	return v
}
