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

// An unsentError wraps the error of a call that was not written to the server's process.
type unsentError struct{ error }

// Unwrap returns the wrapped error of the MCP SDK.
func (e unsentError) Unwrap() error { return e.error }

// unsent reports whether err guarantees that the server has not run the call: the call was not sent, the server could
// not be reached, or it does not know the session.
func unsent(err error) bool {
	if _, ok := errors.AsType[unsentError](err); ok || errors.Is(err, mcp.ErrSessionMissing) {
		return true
	}
	dialed, ok := errors.AsType[*net.OpError](err)
	return ok && dialed.Op == "dial"
}

// isConnectionLost reports whether err means that the connection is lost, and not that the server rejected the call.
func isConnectionLost(err error) bool {
	// The SDK reports a url.Error as a jsonrpc.Error too.
	if _, ok := errors.AsType[*url.Error](err); ok || errors.Is(err, mcp.ErrConnectionClosed) {
		return true
	}
	_, refused := errors.AsType[*jsonrpc.Error](err)
	return !refused
}

// isToolError reports whether err is an *agent.ToolError, which the model receives unchanged.
func isToolError(err error) bool {
	_, ok := errors.AsType[*agent.ToolError](err)
	return ok
}

// A handshakeError wraps an error of the first requests of a connection.
type handshakeError struct{ error }

// Unwrap returns the wrapped error of the MCP SDK.
func (e handshakeError) Unwrap() error { return e.error }

// isServerAnswer reports whether the server responded to the handshake with an error, so that another protocol version
// may work. It is false for errors of the connection itself.
func isServerAnswer(err error) bool {
	_, shaking := errors.AsType[handshakeError](err)
	_, unreached := errors.AsType[*url.Error](err)
	return shaking && !unreached && !errors.Is(err, mcp.ErrConnectionClosed) && !errors.Is(err, io.EOF)
}

// versionsIn returns the protocol versions that a server lists in its error for an unsupported version, separated by
// commas; "" if it lists none.
func versionsIn(err error) string {
	var said struct{ Supported []string }
	if wire, ok := errors.AsType[*jsonrpc.Error](err); !ok || wire.Code != mcp.CodeUnsupportedProtocolVersion ||
		json.Unmarshal(wire.Data, &said) != nil {
		return ""
	}
	return strings.Join(said.Supported, ", ")
}
