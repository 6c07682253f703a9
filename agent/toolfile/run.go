package toolfile

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"
	"unicode/utf8"

	"github.com/callwright/callwright/agent"
	"github.com/callwright/callwright/internal/jsonx"
)

// The members of run, for a command and for an endpoint.
var (
	ofCommand  = []string{"command", "env", "dir"}
	ofEndpoint = []string{"url", "method", "headers"}
)

// run reads what is done with a call.
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
		t.Run = bounded(t.Run, t.Timeout)
	}
}

// A runner does what a tool is for.
type runner = func(context.Context, json.RawMessage) (agent.Output, error)

// bounded ends a call after its time, and one for which nobody set a limit after the longest.
func bounded(run runner, limit time.Duration) runner {
	return func(ctx context.Context, arguments json.RawMessage) (agent.Output, error) {
		if len(arguments) == 0 {
			arguments = json.RawMessage("{}")
		}
		within := limit
		if _, ends := ctx.Deadline(); !ends && within == 0 {
			within = longest
		}
		if within > 0 {
			var cancel context.CancelFunc
			ctx, cancel = context.WithTimeout(ctx, within)
			defer cancel()
		}
		out, err := run(ctx, arguments)
		switch {
		case err == nil || ctx.Err() == nil:
			return out, err
		case errors.Is(ctx.Err(), context.DeadlineExceeded):
			return agent.Output{}, &agent.ToolError{Code: agent.CodeTimeout, Message: "it did not end in its time"}
		}
		return agent.Output{}, ctx.Err()
	}
}

// outputOf is an output for what came: the JSON value where it is exactly one, else text, without the line end that commands print last.
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

func failed(format string, args ...any) error {
	return &agent.ToolError{Code: agent.CodeToolFailed, Message: fmt.Sprintf(format, args...)}
}

func tooLarge(limit int64) error {
	return &agent.ToolError{Code: agent.CodeOutputTooLarge, Message: fmt.Sprintf("expected at most %d bytes of output, got more", limit)}
}
