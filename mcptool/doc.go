// Package mcptool makes the tools of an MCP server tools of an agent, and serves functions of a program as an MCP server.
//
// [Open] starts a server as a child process, or connects to one over HTTP, and gives its tools as an [agent.Source]. A server that dies is
// started again for the next call; what it says in the meantime is kept apart from the output of calls. What a server sends is data: its
// texts are given to the model as they are, and its annotations are believed, so that only servers that are trusted should be opened.
//
// [Serve] is the other direction: it answers an MCP client on a pair of streams.
package mcptool
