package probe

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
)

// Options limits the requests of a probe. The zero value is usable.
type Options struct {
	MaxTokens int           // maximum output tokens of one request; 0 for 2048
	Timeout   time.Duration // of one request; 0 for 90 s
	Progress  func(Check)   // called after each check, except the checks skipped after the end of the probe; may be nil
}

// Tokens returns the maximum number of output tokens of one request.
func (o Options) Tokens() int { return cmp.Or(o.MaxTokens, 2048) }

const defaultTimeout = 90 * time.Second

// MaxRequests returns the maximum number of requests of a probe, without the retries by which a provider client repeats
// a failed request.
func MaxRequests() int {
	n := maxAdapted
	for i := range checks {
		n += checks[i].most * checks[i].tries()
	}
	return n
}

// Run probes the model m, one request at a time, until all checks have run or ctx ends. m should not repair or correct
// responses, since this would hide faults.
//
// If the provider refuses all requests or fails repeatedly, Run returns an error that names the check, and a Card in
// which the later checks are skipped. If the first check fails in this way, the Card is nil.
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

// A run is one probe in progress.
type run struct {
	m        callwright.Model
	o        Options
	known    caps.Caps // facts for the encoding of requests; those that the probe tests are unknown
	name     string    // name of the model without its provider; selects the call format of its family
	card     Card
	err      error             // error that ended the probe, nil while it runs
	failures int               // consecutive failures of the provider
	adapted  int               // number of refused members to which the probe has adapted, at most maxAdapted
	doubt    bool              // the last request got no response, or a truncated response
	removals []callwright.Edit // edits that remove the refused members from requests

	native   toolUse              // the model's use of tools in a request
	unsure   bool                 // unknown whether a required call was made, since the response was missing or truncated
	thinks   bool                 // a response had reasoning, or the model's facts list reasoning efforts
	sees     bool                 // the model reads images in user messages
	noResult bool                 // the provider refused a request with a tool result
	dialect  string               // call format in the text of a response to a request with tools, "" for none
	finished string               // description of a wrong finish reason, "" for none
	first    *callwright.Response // first response with a valid call, nil for none
	parallel []callwright.Call    // calls of a response with several calls
}

// A toolUse is the model's use of the tools in requests.
type toolUse uint8

const (
	unasked toolUse = iota
	refused         // the provider refuses requests with tools
	ignored         // responses have no call
	asText          // responses have calls in their text
	broken          // the provider, or its API, could not parse the call
	works           // responses have native calls
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

// check runs one check and stores its facts in the card. It runs a failed check once more, unless the check or its
// verdict excludes a repetition.
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

// annotateError adds the name of the check to the error that ended the probe. It returns v.
func (r *run) annotateError(c *check, v verdict) verdict {
	if r.err != nil {
		r.err = fmt.Errorf("check %s: %w", c.name, r.err)
	}
	return v
}

// A verdict is the result of a check, with its facts.
type verdict struct {
	result    Result
	why       string
	firm      bool // a repetition cannot change the result, as the provider refused the request
	undecided bool // the result does not set the fact check.key
	facts     []found
}

// A found is a fact of a check: the key and value as in package caps.
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

// with returns v with a further fact.
func (v verdict) with(key, value string) verdict {
	v.facts = append(v.facts, found{key, value})
	return v
}

// deciding returns v. If the argument is false, the result does not set the fact check.key.
func (v verdict) deciding(is bool) verdict {
	v.undecided = !is
	return v
}
