// Package toolserver tells which server of the Model Context Protocol the name of a tool tells of.
package toolserver

import (
	"strings"
)

// Split divides the name of a tool into the name of its server and its name there: mcp__SERVER__TOOL, as coding agents
// call it (https://code.claude.com/docs/en/mcp), and SERVER:TOOL, as mcptool does. server is "" for a name that tells
// of none.
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

// Describe is a tool in words: tool `x` of server `y`, or tool `x` alone.
func Describe(name string) string {
	server, tool := Split(name)
	if server == "" {
		return "tool `" + name + "`"
	}
	return "tool `" + tool + "` of server `" + server + "`"
}
