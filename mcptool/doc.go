// Package mcptool makes the tools of an MCP server tools of an agent, and serves functions of a program as an MCP
// server.
//
// [Open] starts a server as a child process, or connects to one over HTTP, and gives its tools as an [agent.Source]. A
// server that dies is started again for the next call; its log output is kept apart from the output of calls.
// Everything that a server sends is data: its texts are given to the model as they are, and its annotations are
// believed, so that only trusted servers should be opened.
//
// [Serve] is the other direction: it answers an MCP client on a pair of streams.
package mcptool
