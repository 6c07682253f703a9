package probe

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/companion"
	"github.com/callwright/callwright/internal/evidence"
	"github.com/callwright/callwright/internal/feature"
	"github.com/callwright/callwright/internal/jsonx"
)

// maxFailures is how many requests on end a provider may fail before the probe ends.
const maxFailures = 3

// An answer is a model's answer, with the notes of codecs.
type answer struct {
	*callwright.Response
	notes  []callwright.Note
	pieces int // of calls, in a stream
	calls  []callwright.Call
}

// A question is a request of a check.
type question struct {
	messages []callwright.Message
	tools    []callwright.Tool
	params   callwright.Params
	edits    []callwright.Edit
	reasons  bool   // it is about the members that ask for reasoning
	want     string // the fact that has to hold for the request to be written as it is meant
	place    string // the rule, or the path, of the note that the API has no place for what the check is about
}

// say is a question of one message of the user.
func say(text string, tools ...callwright.Tool) question {
	return question{messages: []callwright.Message{callwright.UserText(text)}, tools: tools}
}

func (r *run) request(q *question) *callwright.Request {
	known := r.known
	if !q.params.StreamUsage {
		known.StreamUsage = caps.No // a stream without it is what the other checks ask for
	}
	if q.want != "" {
		known, _ = known.With(caps.Fact{Key: q.want, Value: yes, Source: caps.Probed})
	}
	req := &callwright.Request{Model: r.card.Model, Messages: q.messages, Tools: q.tools, Params: q.params,
		Attached: &companion.Companion{Edits: slices.Concat(r.left, q.edits), Known: &known}}
	tokens := r.o.Tokens()
	if r.known.MaxOutput > 0 {
		tokens = min(tokens, r.known.MaxOutput)
	}
	req.Params.MaxTokens = json.Number(strconv.Itoa(tokens))
	return req
}

// maxAdapted is how many refusals of members that no check is about may change how later requests are written.
const maxAdapted = 3

// limitKey is the name that some servers want for the output limit, in place of that of their API.
const limitKey = "max_completion_tokens"

// adapts reports whether an error is the refusal of a member that no check is about: later requests are made without
// it, and with the limit of their output under its other name.
func (r *run) adapts(err error) bool {
	e, ok := errors.AsType[*callwright.Error](err)
	if !ok || e.Kind != callwright.KindUnsupported || r.adapted == maxAdapted {
		return false
	}
	member, ok := strings.CutPrefix(string(e.Feature), string(feature.Field))
	if !ok || member == "" {
		return false
	}
	f, ok := feature.FactOf(e.Feature, r.known)
	switch {
	case member == "max_tokens" && r.known.MaxTokensKey == "":
		f = caps.Fact{Key: "max_tokens_key", Value: limitKey}
	case !ok, strings.HasPrefix(member, "max_"): // no request goes without its limit
		return false
	default:
		r.left = append(r.left, callwright.Edit{Path: strings.Split(member, ".")})
	}
	r.adapted++
	r.known, _ = r.known.With(f)
	r.card.keep(f.Key, f.Value, "refused: "+errorText(e))
	return true
}

// ask puts a question. Where no answer came that can be judged, ok is false and the verdict says why.
func (r *run) ask(ctx context.Context, q question) (a *answer, v verdict, ok bool) {
	req := r.request(&q)
	timeout := r.o.Timeout
	if timeout <= 0 {
		timeout = defaultTimeout
	}
	once, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	r.card.Sent++
	r.doubt = false
	a, err := r.send(once, req)
	switch {
	case ctx.Err() != nil:
		r.err = ctx.Err()
		return nil, skip("not answered: the probe was ended"), false
	case errors.Is(once.Err(), context.DeadlineExceeded) && err != nil:
		return nil, r.noteFailure(err, "no answer came within "+timeout.String()), false
	case !q.reasons && r.adapts(err):
		return r.ask(ctx, q)
	case err != nil:
		return nil, r.refusal(req, err), false
	}
	r.failures = 0
	if q.place != "" {
		for _, n := range a.notes {
			if n.Rule == q.place || n.Path == q.place {
				return nil, skip("the API has no place for it"), false
			}
		}
	}
	r.look(a, q.tools)
	switch a.Finish {
	case callwright.FinishLength:
		r.doubt = true
		return nil, skip("the answer was cut off at %s tokens", req.Params.MaxTokens), false
	case callwright.FinishMalformedCall:
		r.card.Counts.InvalidJSON++
		r.card.Calls++
		v = fail("the API could not read the model's call")
		v.undecided = true
		return nil, v, false
	}
	return a, v, true
}

// send sends a request, whole or streamed.
func (r *run) send(ctx context.Context, req *callwright.Request) (*answer, error) {
	a := &answer{}
	if !req.Params.Stream {
		resp, err := r.m.Generate(ctx, req)
		if err != nil {
			return nil, err
		}
		a.Response, a.calls = resp, resp.Calls()
		if resp.Report != nil {
			a.notes = resp.Report.Notes
		}
		return a, nil
	}
	var c callwright.Collector
	for b, err := range callwright.Batches(ctx, r.m, req) {
		if err != nil {
			return nil, err
		}
		a.notes = append(a.notes, b.Notes...)
		for _, ev := range b.Events {
			if _, ok := ev.(callwright.CallDelta); ok {
				a.pieces++
			}
			c.Add(ev)
		}
	}
	a.Response = c.Response()
	a.calls = a.Response.Calls()
	return a, nil
}

// refusal is the verdict on an error. One that will meet all requests ends the probe.
func (r *run) refusal(req *callwright.Request, err error) verdict {
	e, typed := errors.AsType[*callwright.Error](err)
	if !typed {
		e = &callwright.Error{Kind: callwright.KindInternal, Err: err}
	}
	why := "refused: " + errorText(e)
	if r.card.Sent == 1 {
		r.err = err
	}
	switch e.Kind {
	case callwright.KindAuth, callwright.KindBilling, callwright.KindCanceled, callwright.KindInternal:
		r.err = err
		return skip("not answered: %s", errorText(e))
	case callwright.KindBadAnswer, callwright.KindTruncated:
		return fail("the answer could not be read: %s", errorText(e)).deciding(false)
	case callwright.KindRefusedCall:
		return r.refusedCall(why)
	}
	if e.Recovered != "" {
		return r.refusedCall(why)
	}
	if e.Kind.Transient() {
		return r.noteFailure(err, errorText(e))
	}
	r.failures = 0
	v := verdict{result: Fail, why: why, firm: true}
	switch {
	case e.Kind == callwright.KindContextLength, e.Kind == callwright.KindTooLarge, e.Kind == callwright.KindContentFilter,
		evidence.Quotes(e, req):
		v.undecided = true
	case e.Feature != "":
		if f, ok := feature.FactOf(refusedFeature(req, e), r.known); ok {
			v.facts = append(v.facts, found{f.Key, f.Value})
		}
		v.undecided = true // the feature decides
	}
	return v
}

// refusedFeature is the feature that an error names. A form of the answer that asked for no schema is refused as JSON
// mode.
func refusedFeature(req *callwright.Request, e *callwright.Error) callwright.Feature {
	f := req.Params.Format
	switch {
	case e.Feature == feature.ResponseFormat && f != nil && len(f.Schema) == 0:
		return feature.JSONMode
	case strings.HasPrefix(string(e.Feature), string(feature.Schemas)) && f != nil && len(f.Schema) > 0: // it is as simple as can be
		return feature.ResponseFormat
	}
	return e.Feature
}

// refusedCall is the verdict where the provider could not parse the model's call.
func (r *run) refusedCall(why string) verdict {
	r.card.Counts.InvalidJSON++
	r.card.Calls++
	return fail("%s", why).deciding(false)
}

// noteFailure is the verdict where the provider failed: nothing is known. Too many on end are the end.
func (r *run) noteFailure(err error, why string) verdict {
	r.doubt = true
	if r.failures++; r.failures >= maxFailures {
		r.err = err
	}
	return skip("the provider failed: %s", why)
}

// errorText returns the short text of an error.
func errorText(e *callwright.Error) string {
	text := e.Message
	if text == "" && e.Err != nil {
		text = e.Err.Error()
	}
	if text == "" {
		text = string(e.Kind)
	}
	return short(text)
}

// maxSaid bounds a quotation.
const maxSaid = 160

// short returns a quotation of a text of a model or a provider: bounded, in one line, and without control characters.
func short(text string) string {
	text = strings.Map(func(r rune) rune {
		if !unicode.IsGraphic(r) {
			return unicode.ReplacementChar
		}
		return r
	}, strings.Join(strings.Fields(text), " "))
	if len(text) > maxSaid {
		return jsonx.Clip(text, maxSaid) + "…"
	}
	return text
}
