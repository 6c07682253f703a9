package anthropic_test

import (
	"errors"
	"testing"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/wire/anthropic"
)

func TestEncodeError(t *testing.T) {
	for _, c := range []struct {
		err    callwright.Error
		status int
		header map[string]string
		body   string
	}{
		{
			callwright.Error{Kind: callwright.KindInvalid, Path: "/messages/0", Message: "expected an object, got number"}, 400,
			map[string]string{"x-should-retry": "false"},
			`{"type":"error","error":{"type":"invalid_request_error","message":"/messages/0: expected an object, got number","details":{"error_code":"invalid_request"}}}`,
		},
		{
			callwright.Error{Kind: callwright.KindOverloaded, Status: 503, Message: "busy", RetryAfter: 1500 * time.Millisecond}, 529,
			map[string]string{"retry-after": "2", "retry-after-ms": "1500", "x-should-retry": ""},
			`{"type":"error","error":{"type":"overloaded_error","message":"busy","details":{"error_code":"overloaded"}}}`,
		},
		{
			callwright.Error{Kind: callwright.KindRateLimited, NoRetry: true, Report: &callwright.Report{ID: "rep_1"}}, 429,
			map[string]string{"x-should-retry": "false"},
			`{"type":"error","error":{"type":"rate_limit_error","message":"rate_limited","details":{"error_code":"rate_limited"}},"request_id":"rep_1"}`,
		},
		{
			callwright.Error{Kind: callwright.KindInvalidCall, Message: "no valid call", Err: errors.New("cause")}, 502,
			map[string]string{"x-should-retry": "false"},
			`{"type":"error","error":{"type":"api_error","message":"no valid call: cause","details":{"error_code":"invalid_tool_call"}}}`,
		},
		{
			callwright.Error{Kind: callwright.KindContextLength, Message: "too much"}, 400, nil,
			`{"type":"error","error":{"type":"invalid_request_error","message":"too much","details":{"error_code":"context_length"}}}`,
		},
	} {
		t.Run(string(c.err.Kind), func(t *testing.T) {
			status, header, body := anthropic.Codec{}.EncodeError(&c.err)
			if status != c.status || string(body) != c.body {
				t.Errorf("expected %d %s\ngot %d %s", c.status, c.body, status, body)
			}
			for name, want := range c.header {
				if got := header.Get(name); got != want {
					t.Errorf("expected %s %q, got %q", name, want, got)
				}
			}
			again := anthropic.Codec{}.DecodeError(status, header, body)
			if again.Kind != c.err.Kind {
				t.Errorf("expected kind %s again, got %s", c.err.Kind, again.Kind)
			}
		})
	}
}
