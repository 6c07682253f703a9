package telemetry

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/gateway"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/propagation"
	sdk "go.opentelemetry.io/otel/sdk/trace"
)

// A SpansConfig has the destination and the content of spans.
type SpansConfig struct {
	// Endpoint is the full URL of an OTLP collector for HTTP, such as http://127.0.0.1:4318/v1/traces.
	Endpoint string
	Headers  map[string]string // headers of each request to Endpoint
	// Current, if not nil, returns headers that override Headers. It is called for each request, so that they may change.
	Current func() map[string]string
	// Content adds contents to spans: messages, answers, and quotations in notes. Without it, spans only have names and
	// numbers.
	Content bool
	Service string               // service.name; "" means callwright
	Version string               // version of the program
	Extra   []attribute.KeyValue // additional attributes of the resource
	Sampler sdk.Sampler          // selects the sampled requests; nil follows traceparent, otherwise all
	Logger  *slog.Logger         // logs lost and restored connections to the collector; nil disables logging
	Client  http.RoundTripper    // nil means a new transport
	Timeout time.Duration        // time limit of a request to the collector; 0 means 10 seconds
}

// Spans create a span for each request to a model, with a child span for each attempt and an event for each note. The
// span of a request is a child of the client's traceparent. The trace context is not sent to providers. Spans are safe
// for concurrent use. The caller must call Close.
type Spans struct {
	content bool
	sampler sdk.Sampler
	queue   *queue
}

var _ gateway.Observer = (*Spans)(nil)

const scope = "github.com/callwright/callwright/telemetry"

// NewSpans returns Spans and starts sending. It returns an error if the endpoint is not an HTTP URL.
func NewSpans(cfg SpansConfig) (*Spans, error) {
	u, err := url.Parse(cfg.Endpoint)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return nil, fmt.Errorf("telemetry: expected an endpoint with http:// or https:// and a host, got %q", cfg.Endpoint)
	}
	s := &Spans{content: cfg.Content, sampler: cfg.Sampler, queue: newQueue(newExporter(&cfg), cfg.Logger)}
	if s.sampler == nil {
		s.sampler = samplers[0].made(1)
	}
	return s, nil
}

// SentCount returns the number of spans that the collector accepted.
func (s *Spans) SentCount() uint64 { return s.queue.sent.Load() }

// DroppedCount returns the number of lost spans.
func (s *Spans) DroppedCount() uint64 { return s.queue.dropped.Load() }

// Close sends the queued spans until ctx is done. Spans that end afterwards are dropped.
func (s *Spans) Close(ctx context.Context) error { return s.queue.shutdown(ctx) }

// Begin implements gateway.Observer.
func (s *Spans) Begin(ctx context.Context, o gateway.Observation) context.Context {
	if o.Method != http.MethodPost {
		return ctx
	}
	span := s.start(propagation.TraceContext{}.Extract(ctx, propagation.HeaderCarrier(o.Header)), operationChat)
	if span == nil {
		return ctx
	}
	span.began = o.Began
	span.set(keyMethod.String(o.Method), keyPath.String(labelValue(o.Path)))
	return context.WithValue(ctx, spanKey{}, span)
}

// spanKey is the context key of a request's *span.
type spanKey struct{}

// spanOf returns the span created by Begin, nil if there is none.
func spanOf(ctx context.Context) *span {
	span, _ := ctx.Value(spanKey{}).(*span)
	return span
}

// End implements gateway.Observer.
func (s *Spans) End(ctx context.Context, o gateway.Observation) {
	if span := spanOf(ctx); span != nil {
		span.ended = o.Ended
		s.describe(span, &o)
		s.queue.put(span)
	}
}

// describe sets the attributes of a request's span.
func (s *Spans) describe(span *span, o *gateway.Observation) {
	attrs := append(span.attrs, keyStatus.Int(o.Status), keyWire.String(string(o.Wire)))
	if o.Model == "" {
		span.name = o.Method
	} else {
		span.name = operationChat + " " + labelValue(string(o.Model))
		attrs = append(attrs, keyOperation.String(operationChat), keyRequestModel.String(labelValue(string(o.Model))),
			keyRequestStream.Bool(o.Streamed))
	}
	if o.Key != "" {
		attrs = append(attrs, keyKeyName.String(labelValue(o.Key)))
	}
	if o.Streamed && !o.FirstContent.IsZero() {
		attrs = append(attrs, keyFirstChunk.Float64(o.FirstContent.Sub(o.Began).Seconds()))
	}
	if rep := o.Report; rep != nil {
		attrs = append(attrs, keyReport.String(rep.ID))
		if len(rep.Attempts) > 0 {
			attrs = appendTotal(attrs, rep)
		}
		for i := range rep.Attempts {
			s.queue.put(s.attempt(span, &rep.Attempts[i], o))
		}
		span.dropped = max(len(rep.Notes)-mostNotes, 0)
		for i := range rep.Notes[span.dropped:] {
			span.notes = append(span.notes, s.note(&rep.Notes[span.dropped+i]))
		}
	}
	if o.Outcome != "" {
		attrs = append(attrs, keyOutcome.String(string(o.Outcome)))
	}
	span.attrs = attrs
	s.fail(span, o)
}

// appendTotal appends the total usage of all attempts, and the provider and model of the last one.
func appendTotal(attrs []attribute.KeyValue, rep *callwright.Report) []attribute.KeyValue {
	var used callwright.Usage
	for i := range rep.Attempts {
		used = used.Plus(rep.Attempts[i].Usage)
	}
	by, name := rep.Attempts[len(rep.Attempts)-1].Model.Split()
	attrs = append(appendUsage(attrs, used), keyProvider.String(by), keyResponseModel.String(labelValue(name)), keyUntouched.Bool(rep.Untouched))
	if rep.Mode != "" {
		attrs = append(attrs, keyMode.String(string(rep.Mode)))
	}
	return attrs
}

func appendUsage(attrs []attribute.KeyValue, u callwright.Usage) []attribute.KeyValue {
	if !u.Known {
		return attrs
	}
	attrs = append(attrs, keyInputTokens.Int(u.Input), keyOutputTokens.Int(u.Output))
	if u.CacheRead > 0 {
		attrs = append(attrs, keyCacheRead.Int(u.CacheRead))
	}
	if u.CacheWrite > 0 {
		attrs = append(attrs, keyCacheWrite.Int(u.CacheWrite))
	}
	return attrs
}

// fail marks a request's span as failed. The error message is only added if content is enabled, because it may quote
// requests and answers.
func (s *Spans) fail(span *span, o *gateway.Observation) {
	if o.Aborted {
		span.attrs = append(span.attrs, keyAborted.Bool(true))
	}
	if o.Err == nil {
		return
	}
	span.attrs = append(span.attrs, keyErrorType.String(string(o.Err.Kind)))
	if o.Status >= 500 || o.Aborted && o.Err.Kind != callwright.KindCanceled { // else no server failure
		span.fail(s.contentText(o.Err.Error()))
	}
}

// contentText returns text as valid UTF-8 if content is enabled, otherwise "".
func (s *Spans) contentText(text string) string {
	if !s.content {
		return ""
	}
	return strings.ToValidUTF8(text, "\uFFFD")
}

// attempt returns the child span of an attempt.
func (s *Spans) attempt(of *span, a *callwright.Attempt, o *gateway.Observation) *span {
	by, name := a.Model.Split()
	name = labelValue(name)
	span := of.below(operationChat + " " + name)
	if span.began = a.Began; span.began.IsZero() {
		span.began = o.Began
	}
	span.ended = span.began.Add(a.Duration)
	attrs := append(appendUsage(span.attrs, a.Usage), keyOperation.String(operationChat), keyProvider.String(by),
		keyRequestModel.String(name), keyMode.String(string(a.Mode)))
	if a.Why != "" {
		attrs = append(attrs, keyWhy.String(a.Why))
	}
	if a.Dialect != "" {
		attrs = append(attrs, keyDialect.String(a.Dialect))
	}
	if a.Tries > 1 {
		attrs = append(attrs, keyTries.Int(a.Tries))
	}
	if a.Kind != "" {
		attrs = append(attrs, keyErrorType.String(string(a.Kind)))
		span.fail(s.contentText(a.Error))
	}
	span.attrs = attrs
	return span
}

// note returns the attributes of the event for a note. Quotations are only included if content is enabled.
func (s *Spans) note(n *callwright.Note) []attribute.KeyValue {
	attrs := []attribute.KeyValue{keyRule.String(n.Rule)}
	add := func(key attribute.Key, text string) {
		if text != "" {
			attrs = append(attrs, key.String(strings.ToValidUTF8(text, "\uFFFD")))
		}
	}
	add(keyFault, n.Fault)
	add(keyRisk, string(n.Risk))
	add(keyStage, string(n.Stage))
	if n.Observed {
		attrs = append(attrs, keyObserved.Bool(true))
	}
	if n.Count > 1 {
		attrs = append(attrs, keyCount.Int(n.Count))
	}
	if s.content {
		add(keyCall, n.Call)
		add(keyNotePath, n.Path)
		add(keyWas, n.Was)
		add(keyNow, n.Now)
		add(keyNoteWhy, n.Why)
	}
	return attrs
}
