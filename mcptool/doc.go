// Package mcptool offers the tools of an MCP server to an agent, and serves Go functions as an MCP server.
//
// [Open] starts a server as a child process, or connects to one over HTTP. The returned [Server] is an [agent.Source]
// of its tools. A process that dies is restarted for the next call. Its standard error is kept separate from the output
// of calls. Only trusted servers should be opened: their texts are passed to the model unchanged, and their statements
// about the effects of tools are believed.
//
// [Serve] is the opposite direction: it serves an MCP client on a reader and a writer.
package mcptool
