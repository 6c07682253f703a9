package toolfile

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"unicode/utf8"

	"github.com/callwright/callwright/agent"
	"github.com/callwright/callwright/internal/jsonx"
)

// The permitted members of "run", for a command and for an endpoint.
var (
	ofCommand  = []string{"command", "env", "dir"}
	ofEndpoint = []string{"url", "method", "headers"}
)

// run parses the member "run" of a tool, a command or an HTTP endpoint, into t.Run.
func (r *reader) run(v []byte, at string, t *agent.Tool) {
	if v == nil {
		r.fail(at, `expected "run": an object with a command or a url`)
		return
	}
	_, command := jsonx.Find(v, "command")
	_, endpoint := jsonx.Find(v, "url")
	names, others, other := ofCommand, ofEndpoint, "url"
	switch {
	case command && endpoint:
		r.fail(at, "expected a command or a url, got both")
		return
	case endpoint:
		names, others, other = ofEndpoint, ofCommand, "command"
	case !command:
		names, others = append(ofCommand[:3:3], ofEndpoint...), nil
	}
	strange := map[string]string{}
	for _, o := range others {
		strange[o] = fmt.Sprintf("the member %q goes with %q", o, other)
	}
	before := len(r.problems)
	m, ok := r.object(v, at, form{what: "an object with a command or a url", names: names, others: strange})
	switch {
	case !ok:
	case command:
		t.Run = r.command(m, at).run
	case endpoint:
		t.Run = r.endpoint(m, at, t.Schema).run
	case len(r.problems) == before:
		r.fail(at, "expected a command or a url")
	}
	if t.Run != nil {
		t.Run = normalizeCalls(t.Run)
	}
}

// A runner executes a call: it has the signature of agent.Tool.Run.
type runner = func(context.Context, json.RawMessage) (agent.Output, error)

// normalizeCalls wraps run. Empty arguments become {}. A failure after the end of the context is replaced by the
// context's error.
func normalizeCalls(run runner) runner {
	return func(ctx context.Context, arguments json.RawMessage) (agent.Output, error) {
		if len(arguments) == 0 {
			arguments = json.RawMessage("{}")
		}
		out, err := run(ctx, arguments)
		if err != nil && ctx.Err() != nil {
			return agent.Output{}, ctx.Err()
		}
		return out, err
	}
}

// outputOf converts the output bytes of a command or an endpoint. If they are exactly one JSON value, Data is that
// value. Otherwise Data is a JSON string of the text without its last line break.
func outputOf(b []byte) agent.Output {
	if jsonx.Valid(b) == nil {
		return agent.Output{Data: jsonx.Trim(b)}
	}
	out := agent.Output{Data: jsonx.AppendQuote(nil, bytes.TrimSuffix(bytes.TrimSuffix(b, []byte("\n")), []byte("\r")))}
	if !utf8.Valid(b) {
		out.Warnings = []string{"the output is not UTF-8: bytes that are no characters were replaced"}
	}
	return out
}

func toolErrorf(format string, args ...any) error {
	return &agent.ToolError{Code: agent.CodeToolFailed, Message: fmt.Sprintf(format, args...)}
}

func tooLarge(limit int64) error {
	return &agent.ToolError{Code: agent.CodeOutputTooLarge, Message: fmt.Sprintf("expected at most %d bytes of output, got more", limit)}
}
