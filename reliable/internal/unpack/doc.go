// Package unpack converts malformed native calls: a call whose tool name has the arguments, a call whose arguments are
// markup in a text format, and a call that wraps several calls.
package unpack
