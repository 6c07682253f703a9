package tuned

import (
	"context"
	"encoding/json"
	"fmt"
	"hash"
	"hash/fnv"
	"iter"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/callcheck"
	"github.com/callwright/callwright/internal/callrule"
	"github.com/callwright/callwright/internal/companion"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/probe/background"
	"github.com/callwright/callwright/internal/provider"
	"github.com/callwright/callwright/internal/transformset"
)

// tuned is a model with its configuration applied.
type tuned struct {
	*provider.Remote
	s      Settings
	laid   atomic.Pointer[laid]
	digest []byte // digest of the configuration, for fingerprints
}

var (
	_ callwright.Model      = (*tuned)(nil)
	_ callwright.Describer  = (*tuned)(nil)
	_ callwright.Identifier = (*tuned)(nil)
	_ callwright.Previewer  = (*tuned)(nil)
)

// Settings are the configuration of a model.
type Settings struct {
	Facts      []caps.Fact
	Params     Params
	Edits      []callwright.Edit
	Cache      callwright.CacheMode // for requests that do not set it
	Transforms *transformset.Set    // nil for none
	Rules      *callrule.Set        // rules for tool calls; nil for none
	Prober     *background.Prober   // is notified of requests; nil for none
	// Finding exempts notes about configured members from the policy strict, which forbids repairs of responses but not
	// configured changes of requests.
	Finding bool
	// FallbackOn are the kinds of errors after which the model is tried as a fallback, nil for all.
	FallbackOn []callwright.Kind
	// TotalTime limits the duration of a request over all attempts and models, 0 for no limit.
	TotalTime time.Duration
	// Attempted is called after each attempt with the model: whether it was successful, and its duration. It may be nil.
	Attempted func(m callwright.ModelID, right bool, took time.Duration)
}

// isZero reports whether no setting is set.
func (s *Settings) isZero() bool {
	return s.Transforms == nil && len(s.Facts) == 0 && len(s.Edits) == 0 && len(s.Params) == 0 && s.Cache == "" &&
		s.Prober == nil && s.FallbackOn == nil && s.TotalTime == 0 && s.Attempted == nil && s.Rules == nil
}

// New returns the model r with the settings s applied. It returns r itself if s is zero.
func New(r *provider.Remote, s Settings) callwright.Model {
	if s.isZero() {
		return r
	}
	h := fnv.New128a()
	for _, f := range s.Facts {
		fmt.Fprintf(h, "%q %q ", f.Key, f.Value)
	}
	for i := range s.Params {
		fmt.Fprintf(h, "%q %s ", s.Params[i].Name, s.Params[i].Value)
	}
	for _, e := range s.Edits {
		fmt.Fprintf(h, "%q %q ", e.Path, e.Value)
	}
	s.Transforms.AddTo(h)
	s.Rules.AddTo(h)
	fmt.Fprint(h, s.Cache)
	if s.FallbackOn != nil {
		fmt.Fprint(h, s.FallbackOn)
	}
	return &tuned{Remote: r, s: s, digest: h.Sum(nil)}
}

// Lay returns c with facts applied over it. It ignores invalid facts.
func Lay(c caps.Caps, facts []caps.Fact) caps.Caps {
	for _, f := range facts {
		if with, err := c.With(f); err == nil {
			c = with
		}
	}
	return c
}

// laid caches the facts of a model with the configured facts applied.
type laid struct {
	under *caps.Caps // the facts without configuration, as Remote.SharedCaps returned them
	caps  caps.Caps
}

// Caps returns the known facts of the model with the configured facts applied.
func (t *tuned) Caps(context.Context) caps.Caps {
	under, l := t.SharedCaps(), t.laid.Load()
	if l == nil || l.under != under {
		l = &laid{under, Lay(*under, t.s.Facts)}
		t.laid.Store(l)
	}
	return l.caps
}

// Transforms returns the transforms for requests to the model and its responses, or nil for none.
func (t *tuned) Transforms() *transformset.Set { return t.s.Transforms }

// FallbackOn returns the kinds of errors after which the model is tried as a fallback, or nil for all.
func (t *tuned) FallbackOn() []callwright.Kind { return t.s.FallbackOn }

// TotalTime returns the maximum duration of a request over all attempts and models, or 0 for none.
func (t *tuned) TotalTime() time.Duration { return t.s.TotalTime }

// Attempted reports the result and the duration of an attempt to Settings.Attempted.
func (t *tuned) Attempted(right bool, took time.Duration) {
	if t.s.Attempted != nil {
		t.s.Attempted(t.Remote.ID(), right, took)
	}
}

// CallRules returns the call rules of the model, or nil for none.
func (t *tuned) CallRules() callcheck.Rules {
	if t.s.Rules == nil {
		return nil
	}
	return t.s.Rules
}

// AddTo adds the configuration of the model to h, the fingerprint of a request.
func (t *tuned) AddTo(h hash.Hash) { h.Write(t.digest) }

// began notifies the prober that a request begins. It returns a function to call when the request ends, with its error
// or nil.
func (t *tuned) began() func(error) {
	if t.s.Prober == nil {
		return func(error) {}
	}
	return t.s.Prober.Begin(t.Remote.ID(), t.Remote)
}

// Generate sends the request with the configuration applied, and returns the complete response.
func (t *tuned) Generate(ctx context.Context, req *callwright.Request) (*callwright.Response, error) {
	req, notes := t.merge(req)
	ended := t.began()
	resp, err := t.Remote.Generate(ctx, req)
	ended(err)
	if err != nil || len(notes) == 0 {
		return resp, err
	}
	rep := callwright.Report{}
	if resp.Report != nil {
		rep = *resp.Report
	}
	rep.Notes = append(notes, rep.Notes...)
	resp.Report = &rep
	return resp, nil
}

// Stream sends the request with the configuration applied, and yields the events of the response.
func (t *tuned) Stream(ctx context.Context, req *callwright.Request) iter.Seq2[callwright.Event, error] {
	return callwright.FlattenBatches(t.Batches(ctx, req))
}

// Batches is Stream in batches. The notes about the applied configuration precede the first batch.
func (t *tuned) Batches(ctx context.Context, req *callwright.Request) iter.Seq2[callwright.Batch, error] {
	req, notes := t.merge(req)
	return func(yield func(callwright.Batch, error) bool) {
		first, ended, failed := true, t.began(), error(nil)
		defer func() { ended(failed) }()
		for b, err := range t.Remote.Batches(ctx, req) {
			failed = err
			if err == nil && first && len(notes) > 0 && !yield(callwright.Batch{Notes: notes, More: true}, nil) {
				return
			}
			first = false
			if !yield(b, err) {
				return
			}
		}
	}
}

// Preview returns the encoded request without sending it.
func (t *tuned) Preview(ctx context.Context, req *callwright.Request) (callwright.Preview, error) {
	req, notes := t.merge(req)
	pre, err := t.Remote.Preview(ctx, req)
	pre.Notes = append(notes, pre.Notes...)
	return pre, err
}

// merge returns a copy of the request with the configured parameters and members, and a note for each. Values of the
// client are kept, unless the configuration removes the member.
func (t *tuned) merge(req *callwright.Request) (*callwright.Request, []callwright.Note) {
	var notes []callwright.Note
	note := func(path, now string) {
		n := callwright.Note{Rule: "request.configured", Stage: callwright.StageEncode, Path: path, Now: now,
			Why: "the configuration asks for it"}.Classify()
		if !t.s.Finding {
			n.Risk = callwright.RiskLossless
		}
		notes = append(notes, n)
	}
	filled := req.Params
	if len(t.s.Params) > 0 {
		t.s.Params.fill(&filled, t.refusedFields(req), func(p *Param) { note("/"+p.Name, string(p.Value)) }, func(p *Param) {
			notes = append(notes, callwright.Note{Rule: "request.left_out", Stage: callwright.StageEncode, Path: "/" + p.Name,
				Was: string(p.Value), Why: "the model refuses it"})
		})
	}
	var edits []callwright.Edit
	for _, e := range t.s.Edits {
		if e.Value != nil && t.hasClientMember(req, e.Path) {
			continue
		}
		note(pointer(e.Path), string(e.Value))
		edits = append(edits, e)
	}
	cache := t.caching(req)
	if len(notes) == 0 && cache == req.Cache {
		return req, nil
	}
	variant := companion.With(req, func(c *companion.Companion) { c.Edits = append(c.Edits, edits...) })
	variant.Params, variant.Cache = filled, cache
	return variant, notes
}

// caching returns the prompt-cache mode for a request: the mode of the request. The configured mode replaces it if the
// request has none, or if the configured mode is off.
func (t *tuned) caching(req *callwright.Request) callwright.CacheMode {
	if t.s.Cache != "" && (req.Cache == "" || t.s.Cache == callwright.CacheOff) {
		return t.s.Cache
	}
	return req.Cache
}

// refusedFields returns the list of members that the model is known to refuse for this request.
func (t *tuned) refusedFields(req *callwright.Request) string {
	if known := companion.Of(req).Known; known != nil {
		return known.DropFields
	}
	return t.Caps(context.Background()).DropFields
}

// hasClientMember reports whether the client set the member at a path: in the body of its request, as a parameter, or
// by an edit.
func (t *tuned) hasClientMember(req *callwright.Request, path []string) bool {
	came := companion.Of(req)
	for _, e := range came.Edits {
		if e.Value != nil && len(path) <= len(e.Path) && slices.Equal(path, e.Path[:len(path)]) {
			return true
		}
	}
	if len(path) == 1 {
		if given, ok := params[path[0]]; ok {
			return given(&req.Params)
		}
	}
	wire := t.Provider().Wire()
	doc := json.RawMessage(nil)
	switch {
	case came.Body != nil && came.Wire() == wire:
		doc = came.Bytes()
	case req.Extra.Wire == wire:
		doc = req.Extra.JSON
	}
	_, ok := jsonx.Lookup(doc, path...)
	return len(doc) > 0 && ok
}

// params maps the names that APIs have for a parameter to functions that report whether the client set it.
var params = map[string]func(p *callwright.Params) bool{
	"temperature":           func(p *callwright.Params) bool { return p.Temperature != "" },
	"top_p":                 func(p *callwright.Params) bool { return p.TopP != "" },
	"top_k":                 func(p *callwright.Params) bool { return p.TopK != "" },
	"presence_penalty":      func(p *callwright.Params) bool { return p.Presence != "" },
	"frequency_penalty":     func(p *callwright.Params) bool { return p.Frequency != "" },
	"seed":                  func(p *callwright.Params) bool { return p.Seed != "" },
	"max_tokens":            func(p *callwright.Params) bool { return p.MaxTokens != "" },
	"max_completion_tokens": func(p *callwright.Params) bool { return p.MaxTokens != "" },
	"stop":                  func(p *callwright.Params) bool { return p.Stop != nil },
	"stop_sequences":        func(p *callwright.Params) bool { return p.Stop != nil },
	"user":                  func(p *callwright.Params) bool { return p.User != "" },
	"parallel_tool_calls":   func(p *callwright.Params) bool { return p.Parallel != nil },
	"tool_choice":           func(p *callwright.Params) bool { return p.Choice.Mode != "" },
	"response_format":       func(p *callwright.Params) bool { return p.Format != nil },
	"reasoning_effort":      func(p *callwright.Params) bool { return p.Thinking.Effort != "" },
}

// pointer returns a path as a JSON Pointer: a, b -> /a/b.
func pointer(path []string) string {
	var b strings.Builder
	for _, k := range path {
		b.WriteString("/" + jsonx.EscapeToken(k))
	}
	return b.String()
}
