package mcptool

import (
	"errors"
	"net"
	"net/url"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// An unsentError is that of a call that was not written to its process.
type unsentError struct{ error }

// Unwrap returns the error of the SDK.
func (e unsentError) Unwrap() error { return e.error }

// unsent reports whether an error of a call says that the server has not run it: it does not know the session, or was not reached.
func unsent(err error) bool {
	if _, ok := errors.AsType[unsentError](err); ok || errors.Is(err, mcp.ErrSessionMissing) {
		return true
	}
	dialed, ok := errors.AsType[*net.OpError](err)
	return ok && dialed.Op == "dial"
}

// lost reports whether an error of a call says that the connection is gone, and not that the server has refused the call.
func lost(err error) bool {
	if _, ok := errors.AsType[*url.Error](err); ok || errors.Is(err, mcp.ErrConnectionClosed) { // the SDK calls the former a refusal, too
		return true
	}
	_, refused := errors.AsType[*jsonrpc.Error](err)
	return !refused
}
