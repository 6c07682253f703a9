package config

import (
	"slices"
	"strings"
)

// HostedTools names the MCP tool, as SERVER/TOOL, that replaces each type of hosted tool. Hosted tools are tools that a
// provider runs on its side.
type HostedTools struct {
	WebSearch       string `json:"web_search,omitempty" default:"none" example:"search/web_search" jsonschema:"the tool that searches the web, as SERVER/TOOL: a tool of an MCP server under agent.mcp"`
	WebFetch        string `json:"web_fetch,omitempty" default:"none" example:"fetch/fetch" jsonschema:"the tool that fetches a page, as SERVER/TOOL"`
	CodeInterpreter string `json:"code_interpreter,omitempty" default:"none" example:"sandbox/run" jsonschema:"the tool that runs code, as SERVER/TOOL. The MCP server must restrict the code"`
}

// A HostedTool is the tool of an MCP server that replaces hosted tools of a kind, such as web_search.
type HostedTool struct{ Kind, Server, Tool string }

// List returns the configured tools in the order web_search, web_fetch, code_interpreter.
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

// hostedTools reports tools that are not SERVER/TOOL or whose MCP server is not configured.
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
			k.fail(path, "expected SERVER/TOOL, a tool of an MCP server under agent.mcp, got %q", t.Server)
		case len(servers) == 0:
			k.fail(path, "expected an MCP server %s under agent.mcp, got none: add it", t.Server)
		case !slices.Contains(servers, t.Server):
			k.fail(path, "%v", unknown("MCP server", t.Server, servers))
		}
	}
}
