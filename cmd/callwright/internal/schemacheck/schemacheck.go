// Package schemacheck determines which tools a provider rejects and which are adapted for it, without a request to the
// provider.
package schemacheck

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/adapter"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/toolserver"
	"github.com/callwright/callwright/schema"
)

// A Status is the result of checking a tool for a provider.
type Status string

// The statuses: accepted, adapted, and rejected tools.
const (
	Taken   Status = "taken"   // sent unchanged
	Adapted Status = "adapted" // adapted to the provider's schema subset
	Refused Status = "refused" // the provider rejects requests with the tool
)

// A Finding is a part of a tool that a provider does not accept.
type Finding struct {
	Path    string `json:"path"`    // JSON Pointer into the schema; "" for its root or outside of the schema
	Keyword string `json:"keyword"` // schema keyword, or "name"
	Why     string `json:"why"`
	Remedy  string `json:"remedy"`
}

// A Result is the result of checking one tool, with its findings.
type Result struct {
	Name     string    `json:"name"`
	Server   string    `json:"server,omitempty"` // the MCP server, if the name has a server prefix
	Status   Status    `json:"status"`
	Sent     string    `json:"sent,omitempty"` // the name in requests, if different
	Findings []Finding `json:"findings"`
}

// Tools checks the tools of one request for a provider with the given capabilities.
func Tools(tools []adapter.Tool, known caps.Caps) []Result {
	target := adapter.Target(known.SchemaTarget)
	names := make([]string, len(tools))
	for i := range tools {
		names[i] = tools[i].Name
	}
	sent := adapter.NewNames(target.ToolNames(), names)
	seen, out := map[string]bool{}, make([]Result, len(tools))
	for i, t := range tools {
		r := Result{Name: t.Name, Status: Taken, Findings: []Finding{}}
		r.Server, _ = toolserver.Split(t.Name)
		switch {
		case t.Name == "":
			r.refuse(Finding{Keyword: "name", Why: "the tool has no name", Remedy: "give it one"})
		case seen[t.Name]:
			r.refuse(Finding{Keyword: "name", Why: "two tools have this name", Remedy: "rename one of them"})
		case known.MaxTools > 0 && i >= known.MaxTools:
			r.refuse(Finding{Keyword: "tools", Why: fmt.Sprintf("the provider accepts at most %d tools", known.MaxTools),
				Remedy: "send fewer tools: the gateway omits the tools above the limit"})
		}
		seen[t.Name] = true
		if s := sent.SentName(t.Name); s != t.Name && t.Name != "" {
			r.Sent = s
			r.adapt(Finding{Keyword: "name", Why: "the provider refuses this name",
				Remedy: "nothing: the gateway sends it as " + s + ", and restores the name in calls"})
		}
		r.checkSchema(target, t)
		out[i] = r
	}
	return out
}

// checkSchema checks whether the provider accepts the schema of a tool, and adds findings to r.
func (r *Result) checkSchema(target adapter.Target, t adapter.Tool) {
	if len(t.Parameters) > 0 {
		if _, err := schema.Compile(t.Parameters); err != nil {
			f := Finding{Why: err.Error(), Remedy: "correct the schema"}
			if e, ok := errors.AsType[*schema.CompileError](err); ok {
				f.Path, f.Keyword = e.Path, lastStep(e.Path)
			}
			r.refuse(f)
			return
		}
	}
	if target == "" {
		return
	}
	done, err := adapter.Translate(target, t.Parameters)
	if err != nil {
		r.refuse(Finding{Why: err.Error(), Remedy: "correct the schema"})
		return
	}
	for _, l := range done.Lost {
		r.adapt(Finding{Path: l.Path, Keyword: l.Keyword, Why: l.Why,
			Remedy: "nothing: the gateway omits it for the provider, and validates the arguments against it"})
	}
	if r.Status == Taken && done.Schema != nil && len(t.Parameters) > 0 && !bytes.Equal(done.Schema, jsonx.Trim(t.Parameters)) {
		r.adapt(Finding{Why: "the provider expects the schema in another form", Remedy: "nothing: the gateway translates it without loss"})
	}
}

func lastStep(pointer string) string { return pointer[strings.LastIndexByte(pointer, '/')+1:] }

func (r *Result) refuse(f Finding) {
	r.Status, r.Findings = Refused, append(r.Findings, f)
}

func (r *Result) adapt(f Finding) {
	if r.Status == Taken {
		r.Status = Adapted
	}
	r.Findings = append(r.Findings, f)
}
