package telemetry

import (
	"cmp"
	"encoding/hex"
	"strconv"
	"time"

	"github.com/callwright/callwright/internal/jsonx"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/sdk/resource"
	"go.opentelemetry.io/otel/trace"
)

// OTLP messages in the JSON encoding: ids as hexadecimal strings, 64-bit numbers as strings, enumerations as numbers.
// They are appended member by member, because there may be thousands of spans per second.
//
// Source: https://github.com/open-telemetry/opentelemetry-proto/blob/main/opentelemetry/proto/trace/v1/trace.proto

// spanSize is the approximate encoded size of a span in bytes.
const spanSize = 1 << 10

// encodeHead returns the start of each body: the resource and the scope up to the list of spans.
func encodeHead(cfg *SpansConfig) []byte {
	about := append([]attribute.KeyValue{keyServiceName.String(cmp.Or(cfg.Service, "callwright")),
		keyServiceVersion.String(cfg.Version)}, cfg.Extra...)
	dst := appendAttributes([]byte(`{"resourceSpans":[{"resource":{`), resource.NewSchemaless(about...).Attributes())
	dst = appendText(append(dst, `},"scopeSpans":[{"scope":{`...), "name", scope)
	return append(appendText(dst, "version", cfg.Version), `},"spans":[`...)
}

// encode returns a body with the head and the spans.
func encode(head []byte, spans []*span) []byte {
	dst := append(make([]byte, 0, len(head)+len(spans)*spanSize), head...)
	for i, s := range spans {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendSpan(dst, s)
	}
	return append(dst, `]}]}]}`...)
}

func appendSpan(dst []byte, s *span) []byte {
	traceID, spanID := s.at.TraceID(), s.at.SpanID()
	dst = appendID(append(dst, '{'), "traceId", traceID[:])
	dst = appendID(dst, "spanId", spanID[:])
	if state := s.at.TraceState(); state.Len() > 0 {
		dst = appendText(dst, "traceState", state.String())
	}
	if s.parent.IsValid() {
		dst = appendID(dst, "parentSpanId", s.parent[:])
	}
	dst = appendCount(dst, "flags", int(s.at.TraceFlags()))
	dst = appendText(dst, "name", s.name)
	dst = strconv.AppendInt(jsonx.AppendKey(dst, "kind"), otlpKind(s.kind), 10)
	dst = appendTime(dst, "startTimeUnixNano", s.began)
	dst = appendTime(dst, "endTimeUnixNano", s.ended)
	dst = appendAttributes(dst, s.attrs)
	dst = appendEvents(dst, s)
	dst = append(jsonx.AppendKey(dst, "status"), '{')
	if s.failed { // in OTLP, ok is 1 and error is 2
		dst = appendText(appendCount(dst, "code", 2), "message", s.failure)
	}
	return append(dst, "}}"...)
}

// appendEvents appends the notes of a request as events. Their time is the end of the request, because notes have no
// time.
func appendEvents(dst []byte, s *span) []byte {
	if len(s.notes) == 0 {
		return dst
	}
	dst = append(jsonx.AppendKey(dst, "events"), '[')
	for i := range s.notes {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendTime(append(dst, '{'), "timeUnixNano", s.ended)
		dst = appendText(dst, "name", noteEvent)
		dst = append(appendAttributes(dst, s.notes[i]), '}')
	}
	dst = append(dst, ']')
	return appendCount(dst, "droppedEventsCount", s.dropped)
}

// otlpKind returns the OTLP number of a kind of span: internal 1, server 2, client 3, producer 4, consumer 5.
func otlpKind(k trace.SpanKind) int64 { return int64(k) }

// The following functions append members of an object. Optional members of OTLP are omitted if they are empty.

func appendText(dst []byte, name, text string) []byte {
	if text == "" {
		return dst
	}
	return jsonx.AppendQuote(jsonx.AppendKey(dst, name), text)
}

func appendCount(dst []byte, name string, n int) []byte {
	if n == 0 {
		return dst
	}
	return strconv.AppendInt(jsonx.AppendKey(dst, name), int64(n), 10)
}

func appendID(dst []byte, name string, id []byte) []byte {
	return append(hex.AppendEncode(append(jsonx.AppendKey(dst, name), '"'), id), '"')
}

func appendTime(dst []byte, name string, t time.Time) []byte {
	return append(strconv.AppendInt(append(jsonx.AppendKey(dst, name), '"'), t.UnixNano(), 10), '"')
}

func appendAttributes(dst []byte, list []attribute.KeyValue) []byte {
	if len(list) == 0 {
		return dst
	}
	dst = append(jsonx.AppendKey(dst, "attributes"), '[')
	for i := range list {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = jsonx.AppendQuote(append(dst, `{"key":`...), string(list[i].Key))
		dst = append(appendValue(append(dst, `,"value":`...), list[i].Value), '}')
	}
	return append(dst, ']')
}

func appendValue(dst []byte, v attribute.Value) []byte {
	switch v.Type() {
	case attribute.BOOL:
		return append(strconv.AppendBool(append(dst, `{"boolValue":`...), v.AsBool()), '}')
	case attribute.INT64:
		return append(strconv.AppendInt(append(dst, `{"intValue":"`...), v.AsInt64(), 10), `"}`...)
	case attribute.FLOAT64:
		return append(strconv.AppendFloat(append(dst, `{"doubleValue":`...), v.AsFloat64(), 'g', -1, 64), '}')
	case attribute.STRINGSLICE:
		dst = append(dst, `{"arrayValue":{"values":[`...)
		for i, s := range v.AsStringSlice() {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = appendString(dst, s)
		}
		return append(dst, `]}}`...)
	}
	return appendString(dst, v.String())
}

func appendString(dst []byte, s string) []byte {
	return append(jsonx.AppendQuote(append(dst, `{"stringValue":`...), s), '}')
}
