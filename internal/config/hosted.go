package config

import (
	"slices"
	"strings"
)

// HostedTools names the tool that is run for each kind of tools that providers run: a tool of an MCP server, as
// SERVER/TOOL.
type HostedTools struct {
	WebSearch       string `json:"web_search,omitempty" default:"none" example:"search/web_search" jsonschema:"a search of the web, as SERVER/TOOL: a tool of an MCP server that stands below agent.mcp"`
	WebFetch        string `json:"web_fetch,omitempty" default:"none" example:"fetch/fetch" jsonschema:"the fetch of a page, likewise"`
	CodeInterpreter string `json:"code_interpreter,omitempty" default:"none" example:"sandbox/run" jsonschema:"a program that is run, likewise; what it may do is the server's to bound"`
}

// A HostedTool is the tool for one kind.
type HostedTool struct{ Kind, Server, Tool string }

// List returns the configured tools, in the order of the kinds.
func (h *HostedTools) List() []HostedTool {
	var out []HostedTool
	for _, said := range [...]struct{ kind, tool string }{{"web_search", h.WebSearch}, {"web_fetch", h.WebFetch},
		{"code_interpreter", h.CodeInterpreter}} {
		if said.tool != "" {
			server, tool, _ := strings.Cut(said.tool, "/")
			out = append(out, HostedTool{said.kind, server, tool})
		}
	}
	return out
}

// hostedTools checks that each is a tool of a server that there is.
func (k *checker) hostedTools() {
	var servers []string
	for i := range k.c.Agent.MCP {
		servers = append(servers, k.c.Agent.MCP[i].Name)
	}
	for _, t := range k.c.HostedTools.List() {
		path := "hosted_tools." + t.Kind
		switch {
		case k.bad(path), k.bad("agent.mcp"):
		case t.Server == "" || t.Tool == "":
			k.fail(path, "expected SERVER/TOOL, a tool of an MCP server below agent.mcp, got %q", t.Server)
		case len(servers) == 0:
			k.fail(path, "expected an MCP server called %s below agent.mcp, got no server there", t.Server)
		case !slices.Contains(servers, t.Server):
			k.fail(path, "%v", unknown("MCP server", t.Server, servers))
		}
	}
}
