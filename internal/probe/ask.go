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

// maxFailures is the number of consecutive failures of the provider, such as timeouts, that ends the probe.
const maxFailures = 3

// An answer is a model's response, with the notes of the codec that decoded it.
type answer struct {
	*callwright.Response
	notes  []callwright.Note
	pieces int // number of CallDelta events, if the response was streamed
	calls  []callwright.Call
}

// A question is a request that a check sends to the model.
type question struct {
	messages []callwright.Message
	tools    []callwright.Tool
	params   callwright.Params
	edits    []callwright.Edit
	// reasons is true if the request asks for reasoning: a refusal of a reasoning member is then a result of the check.
	reasons bool
	// assumedFact is the key of a capability fact, set to "yes" for this request so that the encoder sends the tested
	// feature.
	assumedFact string
	// skipNote is the rule or path of a codec's note that the API cannot express the tested feature. A response with this
	// note skips the check.
	skipNote string
}

// userQuestion returns a question with one user message and these tools.
func userQuestion(text string, tools ...callwright.Tool) question {
	return question{messages: []callwright.Message{callwright.UserText(text)}, tools: tools}
}

func (r *run) request(q *question) *callwright.Request {
	known := r.known
	if !q.params.StreamUsage {
		known.StreamUsage = caps.No // the stream_usage check alone requests the usage of a stream
	}
	if q.assumedFact != "" {
		known, _ = known.With(caps.Fact{Key: q.assumedFact, Value: yes, Source: caps.Probed})
	}
	req := &callwright.Request{Model: r.card.Model, Messages: q.messages, Tools: q.tools, Params: q.params,
		Attached: &companion.Companion{Edits: slices.Concat(r.removals, q.edits), Known: &known}}
	tokens := r.o.Tokens()
	if r.known.MaxOutput > 0 {
		tokens = min(tokens, r.known.MaxOutput)
	}
	req.Params.MaxTokens = json.Number(strconv.Itoa(tokens))
	return req
}

// maxAdapted is the maximum number of refused request members, such as "temperature", to which one probe adapts.
const maxAdapted = 3

// limitKey is the member name of the output limit that some servers expect, in place of their API's own name such as
// max_tokens.
const limitKey = "max_completion_tokens"

// adapts reports whether err refuses a request member that no check tests. If so, later requests omit the member. If
// the member is max_tokens, they use limitKey for the output limit. The refusal is stored as a fact.
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
	case !ok, strings.HasPrefix(member, "max_"): // every request needs an output limit
		return false
	default:
		r.removals = append(r.removals, callwright.Edit{Path: strings.Split(member, ".")})
	}
	r.adapted++
	r.known, _ = r.known.With(f)
	r.card.keep(f.Key, f.Value, "refused: "+errorText(e))
	return true
}

// ask sends the request of a question. If ok is false, there is no complete response, and v is the result of the check.
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
		return nil, skip("not answered: the probe was cancelled"), false
	case errors.Is(once.Err(), context.DeadlineExceeded) && err != nil:
		return nil, r.noteFailure(err, "no answer within "+timeout.String()), false
	case !q.reasons && r.adapts(err):
		return r.ask(ctx, q)
	case err != nil:
		return nil, r.refusal(req, err), false
	}
	r.failures = 0
	if q.skipNote != "" {
		for _, n := range a.notes {
			if n.Rule == q.skipNote || n.Path == q.skipNote {
				return nil, skip("the API does not support this"), false
			}
		}
	}
	r.recordFacts(a, q.tools)
	switch a.Finish {
	case callwright.FinishLength:
		r.doubt = true
		return nil, skip("the answer was cut off at %s tokens", req.Params.MaxTokens), false
	case callwright.FinishMalformedCall:
		r.card.Counts.InvalidJSON++
		r.card.Calls++
		v = fail("the API could not parse the model's call")
		v.undecided = true
		return nil, v, false
	}
	return a, v, true
}

// send sends a request and returns the response. A streamed response is read to its end.
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

// refusal returns the verdict on a request that failed with err. An error that every request would get, such as a wrong
// key, ends the probe.
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
		return fail("the answer could not be decoded: %s", errorText(e)).deciding(false)
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
		v.undecided = true // the fact of the feature replaces the fact of the check
	}
	return v
}

// refusedFeature returns the request feature that an error refuses. If the request asked for a JSON answer without a
// schema, a refusal of the response format refuses the JSON mode. If it asked for a schema, a refusal of a schema
// keyword refuses schemas as a whole.
func refusedFeature(req *callwright.Request, e *callwright.Error) callwright.Feature {
	f := req.Params.Format
	switch {
	case e.Feature == feature.ResponseFormat && f != nil && len(f.Schema) == 0:
		return feature.JSONMode
	// the schema of the probe is as simple as possible
	case strings.HasPrefix(string(e.Feature), string(feature.Schemas)) && f != nil && len(f.Schema) > 0:
		return feature.ResponseFormat
	}
	return e.Feature
}

// refusedCall counts a call with invalid JSON and returns the verdict on a response that the provider refused because
// it could not parse the model's call.
func (r *run) refusedCall(why string) verdict {
	r.card.Counts.InvalidJSON++
	r.card.Calls++
	return fail("%s", why).deciding(false)
}

// noteFailure counts a failure of the provider and returns the verdict of a skipped check. maxFailures consecutive
// failures end the probe.
func (r *run) noteFailure(err error, why string) verdict {
	r.doubt = true
	if r.failures++; r.failures >= maxFailures {
		r.err = err
	}
	return skip("the provider failed: %s", why)
}

// errorText returns the message of an error, or its cause or kind if there is no message, as bounded by short.
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

// maxSaid is the maximum length of a quotation, in bytes.
const maxSaid = 160

// short returns a quotation of a model's or provider's text: one line without control characters, at most maxSaid bytes
// and "…".
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
