// Package toolserver extracts the name of the MCP server from a tool name.
package toolserver

import (
	"strings"
)

// Split splits a tool name into the name of an MCP server and the tool's name on that server. It accepts
// mcp__SERVER__TOOL, as used by coding agents (https://code.claude.com/docs/en/mcp), and SERVER:TOOL, as used by
// package mcptool. For any other name, server is "" and tool is name.
func Split(name string) (server, tool string) {
	if rest, ok := strings.CutPrefix(name, "mcp__"); ok {
		if server, tool, ok := strings.Cut(rest, "__"); ok && server != "" && tool != "" {
			return server, tool
		}
		return "", name
	}
	if server, tool, ok := strings.Cut(name, ":"); ok && server != "" && tool != "" {
		return server, tool
	}
	return "", name
}

// Describe returns text such as "tool `x` of server `y`", or "tool `x`" if the name has no server.
func Describe(name string) string {
	server, tool := Split(name)
	if server == "" {
		return "tool `" + name + "`"
	}
	return "tool `" + tool + "` of server `" + server + "`"
}
