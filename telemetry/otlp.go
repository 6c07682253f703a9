package telemetry

import (
	"encoding/json"
	"strconv"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"
)

// The messages of OTLP that are sent, as its JSON encoding writes them: ids as hexadecimal text, 64-bit numbers as text, enumerations as numbers.
//
// Source: https://github.com/open-telemetry/opentelemetry-proto/blob/main/opentelemetry/proto/trace/v1/trace.proto
type (
	otlpRequest struct {
		ResourceSpans []otlpResourceSpans `json:"resourceSpans"`
	}
	otlpResourceSpans struct {
		Resource   otlpResource     `json:"resource"`
		ScopeSpans []otlpScopeSpans `json:"scopeSpans"`
	}
	otlpResource struct {
		Attributes []otlpAttribute `json:"attributes,omitempty"`
	}
	otlpScopeSpans struct {
		Scope otlpScope  `json:"scope"`
		Spans []otlpSpan `json:"spans"`
	}
	otlpScope struct {
		Name    string `json:"name"`
		Version string `json:"version,omitempty"`
	}
	otlpSpan struct {
		TraceID           string          `json:"traceId"`
		SpanID            string          `json:"spanId"`
		TraceState        string          `json:"traceState,omitempty"`
		ParentSpanID      string          `json:"parentSpanId,omitempty"`
		Flags             uint32          `json:"flags,omitempty"`
		Name              string          `json:"name"`
		Kind              int             `json:"kind"`
		Start             string          `json:"startTimeUnixNano"`
		End               string          `json:"endTimeUnixNano"`
		Attributes        []otlpAttribute `json:"attributes,omitempty"`
		DroppedAttributes int             `json:"droppedAttributesCount,omitempty"`
		Events            []otlpEvent     `json:"events,omitempty"`
		DroppedEvents     int             `json:"droppedEventsCount,omitempty"`
		Status            otlpStatus      `json:"status"`
	}
	otlpEvent struct {
		Time       string          `json:"timeUnixNano"`
		Name       string          `json:"name"`
		Attributes []otlpAttribute `json:"attributes,omitempty"`
	}
	otlpStatus struct {
		Code    int    `json:"code,omitempty"`
		Message string `json:"message,omitempty"`
	}
	otlpAttribute struct {
		Key   string         `json:"key"`
		Value map[string]any `json:"value"`
	}
)

// encode writes spans, all of one resource and one scope, as the body of a request.
func encode(spans []sdk.ReadOnlySpan) []byte {
	first := spans[0]
	in := otlpScopeSpans{Scope: otlpScope{first.InstrumentationScope().Name, first.InstrumentationScope().Version}, Spans: make([]otlpSpan, len(spans))}
	for i, s := range spans {
		in.Spans[i] = otlpSpanOf(s)
	}
	body, err := json.Marshal(otlpRequest{[]otlpResourceSpans{{otlpResource{otlpAttributes(first.Resource().Attributes())}, []otlpScopeSpans{in}}}})
	if err != nil {
		panic("telemetry: spans cannot be written: " + err.Error()) // all of it are texts and numbers
	}
	return body
}

func otlpSpanOf(s sdk.ReadOnlySpan) otlpSpan {
	at := s.SpanContext()
	out := otlpSpan{
		TraceID: at.TraceID().String(), SpanID: at.SpanID().String(), TraceState: at.TraceState().String(), Flags: uint32(at.TraceFlags()),
		Name: s.Name(), Kind: otlpKind(s.SpanKind()), Start: nanos(s.StartTime()), End: nanos(s.EndTime()),
		Attributes: otlpAttributes(s.Attributes()), DroppedAttributes: s.DroppedAttributes(), DroppedEvents: s.DroppedEvents(),
		Status: otlpStatusOf(s.Status()),
	}
	if p := s.Parent(); p.HasSpanID() {
		out.ParentSpanID = p.SpanID().String()
	}
	for _, e := range s.Events() {
		out.Events = append(out.Events, otlpEvent{nanos(e.Time), e.Name, otlpAttributes(e.Attributes)})
	}
	return out
}

// otlpKind returns the number of a kind of spans: internal 1, server 2, client 3, producer 4, consumer 5.
func otlpKind(k trace.SpanKind) int { return int(k) }

// otlpStatusOf returns a status: OTLP counts ok as 1 and error as 2, the library the other way round.
func otlpStatusOf(s sdk.Status) otlpStatus {
	switch s.Code {
	case codes.Ok:
		return otlpStatus{Code: 1}
	case codes.Error:
		return otlpStatus{Code: 2, Message: s.Description}
	}
	return otlpStatus{}
}

func nanos(t time.Time) string { return strconv.FormatInt(t.UnixNano(), 10) }

func otlpAttributes(list []attribute.KeyValue) []otlpAttribute {
	out := make([]otlpAttribute, 0, len(list))
	for _, kv := range list {
		out = append(out, otlpAttribute{string(kv.Key), otlpValue(kv.Value)})
	}
	return out
}

func otlpValue(v attribute.Value) map[string]any {
	switch v.Type() {
	case attribute.BOOL:
		return map[string]any{"boolValue": v.AsBool()}
	case attribute.INT64:
		return map[string]any{"intValue": strconv.FormatInt(v.AsInt64(), 10)}
	case attribute.FLOAT64:
		return map[string]any{"doubleValue": v.AsFloat64()}
	case attribute.STRINGSLICE:
		values := []map[string]any{}
		for _, s := range v.AsStringSlice() {
			values = append(values, map[string]any{"stringValue": s})
		}
		return map[string]any{"arrayValue": map[string]any{"values": values}}
	}
	return map[string]any{"stringValue": v.String()}
}
