package mcptool

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/callwright/callwright/agent"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// Limits of a server's list of tools. Entries beyond them are ignored and reported as a problem.
const (
	maxTools     = 1000
	maxPages     = 1000
	maxListBytes = 8 << 20
)

// A serverTool is a tool of an MCP server.
type serverTool struct {
	own         string // name at the server
	name        string // name for models, with the server's prefix
	description string
	schema      json.RawMessage
	effects     agent.Effects
}

// A listing contains the tools of a server in its order. problems are the errors of entries that cannot be used.
type listing struct {
	tools    []serverTool
	problems []error
}

// with returns a copy of the listing with one more problem.
func (l *listing) with(err error) *listing {
	return &listing{tools: l.tools, problems: append(slices.Clip(l.problems), err)}
}

// fetch requests all pages of the server's tools/list.
func (l *link) fetch(ctx context.Context) (*listing, error) {
	info := l.session.InitializeResult()
	if info.Capabilities == nil || info.Capabilities.Tools == nil {
		return &listing{}, nil
	}
	r := listReader{server: l.conf.Name, names: map[string]bool{}, cursors: map[string]bool{}}
	var params struct {
		Cursor string `json:"cursor,omitempty"`
	}
	for range maxPages {
		text, err := callRaw(ctx, l.session, listTools, params, nil)
		if wire, ok := errors.AsType[*jsonrpc.Error](err); ok && wire.Code == jsonrpc.CodeMethodNotFound {
			return &listing{}, nil
		}
		if err != nil {
			return nil, err
		}
		if params.Cursor = r.page(text); params.Cursor == "" {
			return &r.out, nil
		}
	}
	return r.out.with(fmt.Errorf("the list of tools has more than %d pages: the rest is left out", maxPages)), nil
}

// A listReader parses the pages of a tools/list result.
type listReader struct {
	server  string
	out     listing
	bytes   int
	names   map[string]bool // tool names that are in use
	cursors map[string]bool // cursors of the pages read
}

// page parses one page. It returns the cursor of the next page, "" at the end of the list or when a limit is reached.
func (r *listReader) page(text json.RawMessage) (next string) {
	tools, _ := jsonx.Find(text, "tools")
	if !jsonx.IsArray(tools) {
		r.reject("a page of the list of tools has no tools: expected an array")
	}
	for v := range jsonx.Elements(tools) {
		if r.bytes += len(v); len(r.out.tools) >= maxTools || r.bytes > maxListBytes {
			r.reject("the list has more than %d tools or %d MiB: the rest is left out", maxTools, maxListBytes>>20)
			return ""
		}
		r.add(v)
	}
	cursor, _ := jsonx.Find(text, "nextCursor")
	next, _ = jsonx.String(cursor)
	if r.cursors[next] {
		r.reject("the list of tools repeats a page: the rest is left out")
		return ""
	}
	r.cursors[next] = true
	return next
}

// maxProblems is the maximum number of problems that are recorded for a list.
const maxProblems = 50

func (r *listReader) reject(format string, args ...any) {
	if len(r.out.problems) < maxProblems {
		r.out.problems = append(r.out.problems, fmt.Errorf(format, args...))
	}
}

// add parses one tool of a list. A tool that cannot be used becomes a problem.
func (r *listReader) add(v []byte) {
	var wire struct {
		Name        string          `json:"name"`
		Title       string          `json:"title"`
		Description string          `json:"description"`
		InputSchema json.RawMessage `json:"inputSchema"`
		Annotations annotations     `json:"annotations"`
	}
	if err := json.Unmarshal(v, &wire); err != nil {
		r.reject("a tool is left out: %s: %w", jsonx.Clip(string(v), 80), err)
		return
	}
	t := serverTool{own: wire.Name, name: toolName(r.server, wire.Name), description: wire.Description, schema: wire.InputSchema}
	if t.description == "" {
		t.description = wire.Title
	}
	t.effects = wire.Annotations.effects()
	switch {
	case t.own == "":
		r.reject("a tool without a name is left out")
	case r.names[t.name]:
		r.reject("the tool %q is left out: an earlier tool has the same name", jsonx.Clip(t.own, maxToolName))
	case !takesObject(t.schema):
		r.reject("the tool %q is left out: expected a schema of an object, got %s", jsonx.Clip(t.own, maxToolName), describeSchema(t.schema))
	default:
		r.names[t.name] = true
		r.out.tools = append(r.out.tools, t)
	}
}

// takesObject reports whether text is a JSON Schema whose root type is object or missing.
func takesObject(text json.RawMessage) bool {
	if !jsonx.ValidObject(text) {
		return false
	}
	kind, ok := jsonx.Find(text, "type")
	name, _ := jsonx.String(kind)
	return !ok || name == "object"
}

func describeSchema(text json.RawMessage) string {
	if len(text) == 0 {
		return "nothing"
	}
	return jsonx.Clip(string(text), 80)
}

// annotations are a server's hints about the effects of a tool. Missing members are nil.
type annotations struct {
	ReadOnly    *bool `json:"readOnlyHint"`
	Destructive *bool `json:"destructiveHint"`
	Idempotent  *bool `json:"idempotentHint"`
}

// effects converts the hints. The first true one of read-only, destructive, idempotent counts. Missing ones are false.
func (a annotations) effects() agent.Effects {
	said := func(b *bool) bool { return b != nil && *b }
	switch {
	case said(a.ReadOnly):
		return agent.EffectsNone
	case said(a.Destructive):
		return agent.EffectsDestructive
	case said(a.Idempotent):
		return agent.EffectsIdempotent
	}
	return agent.EffectsUnknown
}
