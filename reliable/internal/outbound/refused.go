package outbound

import (
	"context"
	"errors"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/compose"
	"github.com/callwright/callwright/internal/feature"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/reliable/internal/judge"
)

// RefusesTool reports whether err is a provider's rejection of one tool's schema.
func RefusesTool(err error) bool {
	e, ok := errors.AsType[*callwright.Error](err)
	return ok && strings.HasPrefix(string(e.Feature), string(feature.ToolSchema))
}

// NamingTool returns the rejection e of a tool's schema with the declared tool name in place of the name or position
// in the provider's message.
func (sh *Shaped) NamingTool(ctx context.Context, m callwright.Model, e *callwright.Error) *callwright.Error {
	var pre callwright.Preview
	if p, ok := m.(callwright.Previewer); ok {
		pre, _ = p.Preview(ctx, sh.Request)
	}
	named := *e
	ref := strings.TrimPrefix(string(e.Feature), string(feature.ToolSchema))
	named.Feature = feature.ToolSchema + callwright.Feature(declaredName(ref, pre.Body, sh.Sent.Naming))
	return &named
}

// declaredName returns the declared name of a tool. ref is the sent name, or a JSON pointer into the sent body. It
// returns "" if the pointer does not lead to a tool.
func declaredName(ref string, body []byte, names *judge.Naming) string {
	if strings.HasPrefix(ref, "/") {
		at := body
		for step := range strings.SplitSeq(ref[1:], "/") {
			var ok bool
			if at, ok = compose.Below(at, step); !ok {
				return ""
			}
		}
		for _, path := range [][]string{{"name"}, {"function", "name"}, {"custom", "name"}} {
			if v, ok := jsonx.Lookup(at, path...); ok {
				ref = jsonx.TextOf(v)
				break
			}
		}
	}
	return names.DeclaredName(ref)
}
