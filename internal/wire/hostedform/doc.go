// Package hostedform knows the tools that providers run themselves, such as web search: how each API declares them in a
// request, and how it shows their calls in a response. The gateway runs such a tool itself if the provider does not
// have it.
package hostedform
