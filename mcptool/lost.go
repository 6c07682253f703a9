package mcptool

import (
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/url"
	"strings"

	"github.com/callwright/callwright/agent"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// An unsentError is that of a call that was not written to its process.
type unsentError struct{ error }

// Unwrap returns the error of the SDK.
func (e unsentError) Unwrap() error { return e.error }

// unsent reports whether an error of a call says that the server has not run it: it does not know the session, or was
// not reached.
func unsent(err error) bool {
	if _, ok := errors.AsType[unsentError](err); ok || errors.Is(err, mcp.ErrSessionMissing) {
		return true
	}
	dialed, ok := errors.AsType[*net.OpError](err)
	return ok && dialed.Op == "dial"
}

// isConnectionLost reports whether an error of a call says that the connection is gone, and not that the server has
// refused the call.
func isConnectionLost(err error) bool {
	if _, ok := errors.AsType[*url.Error](err); ok || errors.Is(err, mcp.ErrConnectionClosed) { // the SDK calls the former a refusal, too
		return true
	}
	_, refused := errors.AsType[*jsonrpc.Error](err)
	return !refused
}

// isToolError reports whether an error is already the result of a call for the model.
func isToolError(err error) bool {
	_, ok := errors.AsType[*agent.ToolError](err)
	return ok
}

// A handshakeError is that of the requests with which a connection begins.
type handshakeError struct{ error }

// Unwrap returns the error of the SDK.
func (e handshakeError) Unwrap() error { return e.error }

// isServerAnswer reports whether the server answered the handshake with an error. Another version of the protocol may
// then work. Errors of the connection itself are no answer.
func isServerAnswer(err error) bool {
	_, shaking := errors.AsType[handshakeError](err)
	_, unreached := errors.AsType[*url.Error](err)
	return shaking && !unreached && !errors.Is(err, mcp.ErrConnectionClosed) && !errors.Is(err, io.EOF)
}

// versionsIn are the versions of the protocol that a server says it speaks where it has refused another, "" where it
// does not say.
func versionsIn(err error) string {
	var said struct{ Supported []string }
	if wire, ok := errors.AsType[*jsonrpc.Error](err); !ok || wire.Code != mcp.CodeUnsupportedProtocolVersion ||
		json.Unmarshal(wire.Data, &said) != nil {
		return ""
	}
	return strings.Join(said.Supported, ", ")
}
