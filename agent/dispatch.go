package agent

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/callcheck"
	"github.com/callwright/callwright/internal/jsonx"
)

// callKey is the context key under which Tool.Run's context has a callContext.
type callKey struct{}

// A callContext identifies the call of a tool. It is stored in the context that Tool.Run receives.
type callContext struct {
	run   RunID
	call  *pending
	board *progressBoard // receives progress reports; nil if the run is not streamed
}

// RunOf returns the id of the run from the context that Tool.Run receives, "" for any other context.
func RunOf(ctx context.Context) RunID {
	of, _ := ctx.Value(callKey{}).(callContext)
	return of.run
}

// check validates a call before it is run. It returns the tool and the arguments to run, and a nil envelope. If the
// call must not run, the envelope contains the error for the model.
func (r *run) check(ctx context.Context, p *pending) (*Tool, []byte, *Envelope) {
	tool, arguments, bad := r.checkTool(p)
	if bad != nil || p.started {
		return tool, arguments, bad
	}
	if _, err := r.callCheck(ctx, tool, arguments); err != nil {
		r.note(p, "loop.refused", "refused", callwright.Excerpt(err.Error()))
		return nil, nil, failure(CodeNotAllowed, "%s; do not make this call again", callwright.Excerpt(err.Error()))
	}
	return tool, arguments, nil
}

// callCheck applies the call rules in ctx to a call. ask is the reason why a person must approve the call, "" for none.
// err is the reason why the call is refused.
func (r *run) callCheck(ctx context.Context, tool *Tool, arguments []byte) (ask string, err error) {
	check := callcheck.From(ctx)
	if check == nil {
		return "", nil
	}
	call := callwright.Call{Name: tool.Name, Arguments: bytes.Clone(arguments)}
	return callWithRecover("the check of calls", func() (string, error) { return check(call) })
}

// checkTool looks up the tool of a call and validates the arguments against its schema. The envelope is the error for
// the model, nil if the call is valid.
func (r *run) checkTool(p *pending) (*Tool, []byte, *Envelope) {
	c := &p.call
	tool := r.tools.byName[c.Name]
	if tool == nil {
		if name := r.tools.withheld.resolveName(c.Name); name != "" {
			return nil, nil, r.refuse(p, name)
		}
	}
	switch {
	case tool == nil && r.tools.hidden[c.Name]:
		return nil, nil, failure(CodeNotAllowed, "the tool %q is not allowed here", c.Name)
	case tool == nil && len(r.tools.offered) == 0:
		return nil, nil, failure(CodeUnknownTool, "there are no tools; answer in text")
	case tool == nil:
		return nil, nil, failure(CodeUnknownTool, "there is no tool %q; there are: %s", callwright.Excerpt(c.Name), r.tools.names())
	case len(c.Arguments) > r.o.maxArguments:
		return nil, nil, failure(CodeArgumentsTooLarge,
			"the arguments have %d bytes, and %d are taken; make a shorter call, or several", len(c.Arguments), r.o.maxArguments)
	}
	arguments := []byte(c.Arguments)
	if len(jsonx.Trim(arguments)) == 0 {
		arguments = []byte("{}")
	}
	if err := jsonx.Valid(arguments); err != nil {
		calls := r.st.round.calls
		if r.st.round.truncated && p == calls[len(calls)-1] {
			return nil, nil, failure(CodeInvalidArguments,
				"the answer was cut at its length limit inside this call, which was not run; make a shorter call, or several")
		}
		return nil, nil, failure(CodeInvalidArguments, "the arguments are not valid JSON: %s", err)
	}
	arguments, bad := r.withRun(tool, arguments)
	if bad == nil {
		bad = r.violations(tool, arguments)
	}
	if bad != nil {
		return nil, nil, bad
	}
	return tool, arguments, nil
}

// withRun sets the tool's RunArgument to the id of the run if the argument is missing or null. If it has any other
// value than this id, the envelope contains the error for the model; otherwise it is nil.
func (r *run) withRun(tool *Tool, arguments []byte) ([]byte, *Envelope) {
	if tool.RunArgument == "" || !jsonx.IsObject(jsonx.Trim(arguments)) {
		return arguments, nil
	}
	given, mine := false, true
	for k, v := range jsonx.Members(arguments) { // check duplicate members too: the tool may read any of them
		if k.Is(tool.RunArgument) && !jsonx.IsNull(v) {
			id, _ := jsonx.String(v)
			given, mine = true, mine && id == string(r.st.id)
		}
	}
	if !given {
		o, err := jsonx.ParseObject(arguments)
		if err != nil {
			return arguments, nil
		}
		o.Set(tool.RunArgument, jsonx.AppendQuote(nil, r.st.id))
		return o.Append(nil), nil
	}
	if !mine {
		return nil, &Envelope{Errors: []ToolError{{Code: CodeInvalidArguments, Path: "/" + tool.RunArgument,
			Message: fmt.Sprintf("this run is %q; leave %s out, and it is filled in", r.st.id, tool.RunArgument)}}}
	}
	return arguments, nil
}

// maxViolations is the maximum number of schema violations in one error to the model.
const maxViolations = 8

// violations validates the arguments against the tool's schema. It returns an envelope with the violations for the
// model, nil if the arguments are valid.
func (r *run) violations(tool *Tool, arguments []byte) *Envelope {
	raw := tool.Schema
	if raw == nil {
		raw = []byte(`{"type":"object"}`)
	}
	s, err := r.a.schemas.Compile(raw)
	if err != nil {
		return failure(CodeToolFailed, "the schema of the tool cannot be used: %s", err)
	}
	found := s.Validate(arguments)
	if len(found) == 0 {
		return nil
	}
	e := &Envelope{}
	for _, v := range found[:min(len(found), maxViolations)] {
		e.Errors = append(e.Errors, ToolError{Code: CodeInvalidArguments, Message: v.Message, Path: v.Path})
	}
	return e
}

// An outcome is the result of a tool call that was run.
type outcome struct {
	p      *pending
	result callwright.Result
	code   Code
	took   time.Duration
	broken bool // the run was canceled during the call, so its result is unknown
}

// call runs a tool with its time limit and returns the outcome.
func (r *run) call(ctx context.Context, one runnableCall, board *progressBoard) outcome {
	p, tool := one.p, one.tool
	limit := tool.Timeout
	if limit <= 0 {
		limit = r.o.timeout
	}
	inner, cancel := context.WithTimeout(context.WithValue(ctx, callKey{}, callContext{r.st.id, p, board}), limit)
	defer cancel()
	board.begin(p)
	began := time.Now()
	out, err := runTool(inner, tool, bytes.Clone(one.arguments)) // a copy: the tool may write to its arguments
	took := time.Since(began)
	board.end(p)
	e := &Envelope{OK: err == nil, Data: out.Data, Warnings: append(one.warnings, out.Warnings...)}
	var told *ToolError
	switch {
	case err == nil && out.Data != nil && jsonx.Valid(out.Data) != nil:
		*e = *failure(CodeToolFailed, "the tool gave back what is not JSON")
	case err == nil && slices.ContainsFunc(out.Parts, isUnsupportedPart):
		*e, out.Parts = *failure(CodeToolFailed, "the tool gave back a part that is neither text nor an image nor a file"), nil
	case err == nil && len(strings.Join(out.Warnings, "")) > r.o.maxOutput:
		*e = *failure(CodeOutputTooLarge, "the warnings have more than the %d bytes that are taken", r.o.maxOutput)
	case err == nil:
		e.limit(r.o.maxOutput, r.o.cutOutput)
		out.Parts = e.limitParts(out.Parts, r.o.maxOutput, r.o.cutOutput)
		e.OK = len(e.Errors) == 0
	case ctx.Err() != nil:
		return outcome{p: p, took: took, broken: true}
	case errors.As(err, &told):
		code := Code(jsonx.Clip(string(cmp.Or(told.Code, CodeToolFailed)), maxName))
		e.Errors = []ToolError{{code, jsonx.Clip(told.Message, r.o.maxOutput), told.Path}}
	case inner.Err() != nil:
		e.Errors = []ToolError{{Code: CodeTimeout, Message: fmt.Sprintf("the tool did not end within %s", limit)}}
	default:
		e.Errors = []ToolError{{Code: CodeToolFailed, Message: jsonx.Clip(err.Error(), r.o.maxOutput)}}
	}
	if !e.OK {
		e.Data = nil
	}
	return outcome{p: p, result: e.result(&p.call, out.Parts), code: e.code(), took: took}
}

// isUnsupportedPart reports whether a tool result cannot contain the part: it is no Text, Image or File.
func isUnsupportedPart(p callwright.Part) bool {
	switch p.(type) {
	case callwright.Text, callwright.Image, callwright.File:
		return false
	}
	return true
}

// runTool calls tool.Run in a goroutine. A panic becomes an error. If the tool does not return within grace after ctx
// is done, runTool returns the context's error and abandons the goroutine.
func runTool(ctx context.Context, tool *Tool, arguments []byte) (Output, error) {
	type returned struct {
		out Output
		err error
	}
	done := make(chan returned, 1)
	go func() {
		e := returned{err: errors.New("the tool ended its goroutine")}
		defer func() {
			if p := recover(); p != nil {
				e = returned{err: fmt.Errorf("the tool panicked: %v", p)}
			}
			done <- e
		}()
		out, err := tool.Run(ctx, arguments)
		if err != nil {
			_ = err.Error() // an Error method that panics, such as on a nil *ToolError, panics here
		}
		e = returned{out, err}
	}()
	select {
	case e := <-done:
		return e.out, e.err
	case <-ctx.Done():
		select {
		case e := <-done: // the tool returned within grace
			return e.out, e.err
		case <-time.After(grace):
			return Output{}, ctx.Err()
		}
	}
}

// grace is the time for a tool to return after its context is done.
const grace = 100 * time.Millisecond
