package finding

import (
	"slices"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/trace"
	"github.com/callwright/callwright/schema"
)

// A Check is a guarantee of the gateway. breaks reports whether a recorded request violates it.
type Check struct {
	Name, Says string
	breaks     func(r *record) bool
}

// A record is a recorded request with the response or error that ended it.
type record struct {
	asked *callwright.Request // nil if it cannot be decoded
	end   *trace.Entry
	rep   *callwright.Report
	resp  *callwright.Response
}

// Checks are the guarantees of the gateway, in display order.
var Checks = []Check{
	{"gateway.internal", "no request ends with an internal error of the gateway", func(r *record) bool {
		return r.end.Failure != nil && r.end.Failure.Kind == callwright.KindInternal
	}},
	{"gateway.undeclared_call", "the client gets no call of an undeclared tool as valid", func(r *record) bool {
		return anyCall(r, func(c *callwright.Call, t *callwright.Tool) bool { return t == nil })
	}},
	{"gateway.invalid_call", "the client gets no call that violates the schema of its tool as valid", func(r *record) bool {
		return anyCall(r, func(c *callwright.Call, t *callwright.Tool) bool { return t != nil && breaksSchema(c, t) })
	}},
	{"gateway.one_call_id", "no two calls of one answer have the same id", func(r *record) bool {
		if !isValidated(r) {
			return false
		}
		var ids []string
		for _, c := range r.resp.Calls() {
			if c.ID != "" && slices.Contains(ids, c.ID) {
				return true
			}
			ids = append(ids, c.ID)
		}
		return false
	}},
}

// findBrokenChecks returns the names of the checks that a request violates.
func findBrokenChecks(asked, end *trace.Entry, rep *callwright.Report, resp *callwright.Response) (out []string) {
	r := &record{end: end, rep: rep, resp: resp}
	if asked != nil && !asked.Redacted {
		r.asked, _ = asked.Request()
	}
	for i := range Checks {
		if Checks[i].breaks(r) {
			out = append(out, Checks[i].Name)
		}
	}
	slices.Sort(out)
	return out
}

// isValidated reports whether the calls of a response were validated. They are not validated under the policies observe
// and off, in the mode parsed, and if the model was called without a reliable client.
func isValidated(r *record) bool {
	return r.resp != nil && r.rep != nil && r.rep.ID != "" && len(r.rep.Attempts) > 0 && r.rep.Mode != caps.Parsed &&
		!r.end.Redacted && r.end.Failure == nil &&
		!slices.ContainsFunc(r.rep.Notes, func(n callwright.Note) bool { return n.Observed })
}

// anyCall reports whether wrong is true for a validated call of the response. t is the declared tool of c, nil for
// none.
func anyCall(r *record, wrong func(c *callwright.Call, t *callwright.Tool) bool) bool {
	if !isValidated(r) || r.asked == nil {
		return false
	}
	tools, err := r.asked.DeclaredTools()
	if err != nil {
		return false
	}
	for _, c := range r.resp.Calls() {
		if c.Unvalidated || c.Type != "" && c.Type != callwright.FunctionTool {
			continue
		}
		at := slices.IndexFunc(tools, func(t callwright.Tool) bool { return t.Name == c.Name })
		if at < 0 && slices.ContainsFunc(tools, func(t callwright.Tool) bool { return t.Type != "" && t.Type != callwright.FunctionTool }) {
			continue // a provider-hosted tool can stand for several tools
		}
		var t *callwright.Tool
		if at >= 0 {
			t = &tools[at]
		}
		if wrong(&c, t) {
			return true
		}
	}
	return false
}

func breaksSchema(c *callwright.Call, t *callwright.Tool) bool {
	if !jsonx.ValidObject(c.Arguments) {
		return true
	}
	if len(t.Schema) == 0 {
		return false
	}
	compiled, err := schema.Compile(t.Schema)
	if err != nil {
		return false
	}
	return len(compiled.Validate(c.Arguments)) > 0
}
