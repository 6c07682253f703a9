package telemetry

import (
	"context"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"time"

	"go.opentelemetry.io/otel/attribute"
	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"
)

// A span is a span before export. Unlike a span of the OpenTelemetry SDK, it belongs to one request, so that it needs
// no lock and no copies.
type span struct {
	at           trace.SpanContext
	parent       trace.SpanID // zero for a root span
	name         string
	kind         trace.SpanKind
	began, ended time.Time
	attrs        []attribute.KeyValue
	notes        [][]attribute.KeyValue // attributes of an event for each note
	dropped      int                    // number of notes above mostNotes
	failed       bool
	failure      string
}

// mostNotes is the maximum number of notes of a span. mostAttributes is the initial capacity of its attributes.
const (
	mostNotes      = 128
	mostAttributes = 17
)

// set sets attributes and replaces those with the same key.
func (s *span) set(attrs ...attribute.KeyValue) {
next:
	for _, a := range attrs {
		for i := range s.attrs {
			if s.attrs[i].Key == a.Key {
				s.attrs[i] = a
				continue next
			}
		}
		s.attrs = append(s.attrs, a)
	}
}

// fail marks the span as failed.
func (s *span) fail(text string) { s.failed, s.failure = true, text }

// start returns a new span for a request with the remote parent in ctx, nil if the request is not sampled.
func (s *Spans) start(ctx context.Context, name string) *span {
	parent := trace.SpanContextFromContext(ctx)
	id := parent.TraceID()
	if !parent.IsValid() {
		binary.NativeEndian.PutUint64(id[:8], rand.Uint64())
		binary.NativeEndian.PutUint64(id[8:], rand.Uint64()|1) // an id must not be zero
	}
	verdict := s.sampler.ShouldSample(sdk.SamplingParameters{ParentContext: ctx, TraceID: id, Name: name, Kind: trace.SpanKindServer})
	if verdict.Decision != sdk.RecordAndSample {
		return nil
	}
	out := &span{name: name, kind: trace.SpanKindServer, attrs: make([]attribute.KeyValue, 0, mostAttributes),
		at: trace.NewSpanContext(trace.SpanContextConfig{TraceID: id, SpanID: newSpanID(),
			TraceFlags: parent.TraceFlags() | trace.FlagsSampled, TraceState: verdict.Tracestate})}
	if parent.IsValid() {
		out.parent = parent.SpanID()
	}
	out.set(verdict.Attributes...)
	return out
}

// below returns a new child span.
func (s *span) below(name string) *span {
	return &span{name: name, kind: trace.SpanKindClient, at: s.at.WithSpanID(newSpanID()), parent: s.at.SpanID(),
		attrs: make([]attribute.KeyValue, 0, mostAttributes)}
}

func newSpanID() (id trace.SpanID) {
	binary.NativeEndian.PutUint64(id[:], rand.Uint64()|1)
	return id
}

// Environment variables for the sampler and its ratio.
const (
	envSampler    = "OTEL_TRACES_SAMPLER"
	envSamplerArg = "OTEL_TRACES_SAMPLER_ARG"
)

// samplers are the values of OTEL_TRACES_SAMPLER. The values with parentbased_, and the default, follow the client's
// traceparent header. They use the named sampler only if there is none.
//
// Source: https://opentelemetry.io/docs/specs/otel/configuration/sdk-environment-variables/#general-sdk-configuration
var samplers = []struct {
	name string
	made func(ratio float64) sdk.Sampler
}{
	{"", func(float64) sdk.Sampler { return sdk.ParentBased(sdk.AlwaysSample()) }},
	{"always_on", func(float64) sdk.Sampler { return sdk.AlwaysSample() }},
	{"always_off", func(float64) sdk.Sampler { return sdk.NeverSample() }},
	{"traceidratio", sdk.TraceIDRatioBased},
	{"parentbased_always_on", func(float64) sdk.Sampler { return sdk.ParentBased(sdk.AlwaysSample()) }},
	{"parentbased_always_off", func(float64) sdk.Sampler { return sdk.ParentBased(sdk.NeverSample()) }},
	{"parentbased_traceidratio", func(ratio float64) sdk.Sampler { return sdk.ParentBased(sdk.TraceIDRatioBased(ratio)) }},
}

// samplerFrom returns the sampler with a name. part is the ratio of sampled requests as text; "" means 1.
func samplerFrom(name, part string) (sdk.Sampler, error) {
	ratio := 1.0
	if part != "" {
		var err error
		if ratio, err = strconv.ParseFloat(part, 64); err != nil || !(ratio >= 0 && ratio <= 1) {
			return nil, fmt.Errorf("%s: expected a number from 0 to 1, got %q", envSamplerArg, part)
		}
	}
	for _, s := range samplers {
		if strings.EqualFold(s.name, name) {
			return s.made(ratio), nil
		}
	}
	return nil, fmt.Errorf("%s: expected always_on, always_off or traceidratio, or one of them with the prefix parentbased_, got %q",
		envSampler, name)
}
