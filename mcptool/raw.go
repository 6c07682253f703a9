package mcptool

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
	"time"

	"github.com/callwright/callwright/internal/jsonx"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// The SDK decodes lists and results into types that lose the order of members and large numbers, and fails for a whole
// list if one tool is malformed. Therefore tools/list and tools/call are sent as custom methods of the SDK, whose
// results stay raw JSON. The transports replace the custom method names by the real ones.
const (
	rawPrefix = "callwright/"
	listTools = "tools/list"
	callTool  = "tools/call"
)

// rawParams are the parameters of a request, an object without _meta. rawResult is a result. Both are raw JSON.
type (
	rawParams struct {
		mcp.ParamsBase
		text json.RawMessage
	}
	rawResult struct {
		mcp.ResultBase
		text json.RawMessage
	}
)

// MarshalJSON returns the parameters with _meta, in which the SDK puts members that later protocol versions require in
// every request.
func (p *rawParams) MarshalJSON() ([]byte, error) {
	if len(p.Meta) == 0 {
		return p.text, nil
	}
	meta, err := json.Marshal(p.Meta)
	if err != nil {
		return nil, err
	}
	out := append([]byte(`{"_meta":`), meta...)
	if len(p.text) > len("{}") {
		out = append(out, ',')
	}
	return append(out, p.text[1:]...), nil
}

// UnmarshalJSON stores a copy of the result.
func (r *rawResult) UnmarshalJSON(text []byte) error {
	r.text = bytes.Clone(text)
	return nil
}

// A rawError is an error whose text has the real method names.
type rawError struct{ error }

// Error returns the text of the error with the real method name.
func (e rawError) Error() string { return strings.ReplaceAll(e.error.Error(), rawPrefix, "") }

// Unwrap returns the wrapped error of the MCP SDK.
func (e rawError) Unwrap() error { return e.error }

// allowRaw registers the custom methods at an MCP client.
func allowRaw(c *mcp.Client) {
	for _, method := range []string{listTools, callTool} {
		if err := mcp.AddSendingCustomMethod[*rawParams, *rawResult](c, rawPrefix+method); err != nil {
			panic("mcptool: " + err.Error()) // impossible: the prefix is unique
		}
	}
}

func callRaw(ctx context.Context, s *mcp.ClientSession, method string, params any, meta mcp.Meta) (json.RawMessage, error) {
	text, err := json.Marshal(params)
	if err != nil {
		return nil, err
	}
	got, err := mcp.CallCustomMethod[*rawParams, *rawResult](ctx, s, rawPrefix+method, &rawParams{mcp.ParamsBase{Meta: meta}, text})
	if err != nil {
		return nil, rawError{err}
	}
	return got.text, nil
}

// A rawTransport is a transport that sends custom methods under their real names. The SDK recognizes its HTTP transport
// by type, so that one cannot be wrapped; a tripper changes its requests instead.
type rawTransport struct {
	mcp.Transport
	wrote func(jsonrpc.Message) // called for every message sent
}

// Connect opens the wrapped transport, and wraps its connection too.
func (t rawTransport) Connect(ctx context.Context) (mcp.Connection, error) {
	c, err := t.Transport.Connect(ctx)
	return rawConnection{c, t.wrote}, err
}

type rawConnection struct {
	mcp.Connection
	wrote func(jsonrpc.Message)
}

// Write writes a message. It records in the context's sentKey value whether the message was sent.
func (c rawConnection) Write(ctx context.Context, msg jsonrpc.Message) error {
	defer c.wrote(msg)
	sent, _ := ctx.Value(sentKey{}).(*atomic.Bool)
	if sent != nil {
		sent.Store(true) // before the write, because the response can arrive during it
	}
	err := c.Connection.Write(ctx, trimRawPrefix(msg))
	if err != nil && sent != nil {
		sent.Store(false) // at least the line end is missing, so the server ignores the message
	}
	return err
}

// sentKey is the context key of an *atomic.Bool that becomes true when a request is written to the process.
type sentKey struct{}

func trimRawPrefix(msg jsonrpc.Message) jsonrpc.Message {
	req, ok := msg.(*jsonrpc.Request)
	if !ok || !strings.HasPrefix(req.Method, rawPrefix) {
		return msg
	}
	out := *req
	out.Method = strings.TrimPrefix(req.Method, rawPrefix)
	return &out
}

// A tripper is the http.RoundTripper of a server. It sends custom methods under their real names, adds the configured
// header to requests to the server's own host, and limits the size of responses.
type tripper struct {
	base     http.RoundTripper
	server   *url.URL
	header   http.Header
	patience time.Duration
	wrote    func(jsonrpc.Message) // called for every message sent
}

// maxPatience is the maximum wait for the response headers of the server's notification stream.
const maxPatience = 5 * time.Second

// errLogin is the error of a server that responds with 401 Unauthorized.
var errLogin = errors.New("expected an answer, got 401 Unauthorized: " +
	"set a header with a token that the server accepts, such as Authorization (a login by OAuth is not supported)")

// RoundTrip sends an HTTP request to the MCP server, with the changes that tripper describes.
func (t tripper) RoundTrip(req *http.Request) (*http.Response, error) {
	out := req.Clone(req.Context())
	if req.Body != nil {
		body, err := io.ReadAll(req.Body)
		_ = req.Body.Close()
		if err != nil {
			return nil, err
		}
		msg, err := jsonrpc.DecodeMessage(body)
		if err != nil {
			return nil, err
		}
		defer t.wrote(msg)
		msg = trimRawPrefix(msg)
		if body, err = jsonrpc.EncodeMessage(msg); err != nil {
			return nil, err
		}
		if req, ok := msg.(*jsonrpc.Request); ok && out.Header.Get(methodHeader) != "" {
			nameRequest(out.Header, req)
		}
		out.ContentLength, out.Body = int64(len(body)), io.NopCloser(bytes.NewReader(body))
	}
	if out.URL.Scheme == t.server.Scheme && out.URL.Host == t.server.Host { // not after a redirect to another host
		for name, values := range t.header {
			out.Header[http.CanonicalHeaderKey(name)] = values
		}
	}
	resp, err := t.send(out)
	if err != nil {
		return nil, err
	}
	if resp.StatusCode == http.StatusUnauthorized && req.Method == http.MethodPost {
		_ = resp.Body.Close()
		return nil, errLogin
	}
	if !strings.HasPrefix(resp.Header.Get("Content-Type"), "text/event-stream") { // events are limited individually
		resp.Body = http.MaxBytesReader(nil, resp.Body, maxMessage)
	}
	return resp, nil
}

// HTTP headers that later MCP versions require.
const (
	methodHeader = "Mcp-Method"
	nameHeader   = "Mcp-Name"
)

// nameRequest sets the headers with the method and, for tools/call, the tool name of a request.
func nameRequest(h http.Header, req *jsonrpc.Request) {
	h.Set(methodHeader, req.Method)
	if req.Method == callTool {
		name, _ := jsonx.Find(req.Params, "name")
		text, _ := jsonx.String(name)
		h.Set(nameHeader, text)
	}
}

// send sends a request. If the response to the GET request for the stream of notifications does not begin in time, send
// returns status 405, since the SDK would wait without limit.
func (t tripper) send(req *http.Request) (*http.Response, error) {
	if req.Method != http.MethodGet {
		return t.base.RoundTrip(req)
	}
	ctx, cancel := context.WithCancel(req.Context())
	late := time.AfterFunc(t.patience, cancel)
	resp, err := t.base.RoundTrip(req.WithContext(ctx))
	switch {
	case late.Stop() && err == nil:
		resp.Body = cancelBody{resp.Body, cancel}
		return resp, nil
	case err == nil:
		_ = resp.Body.Close()
	case ctx.Err() == nil || req.Context().Err() != nil:
		cancel()
		return nil, err
	}
	cancel()
	return &http.Response{Status: "405 Method Not Allowed", StatusCode: http.StatusMethodNotAllowed, Proto: "HTTP/1.1",
		ProtoMajor: 1, ProtoMinor: 1,
		Header: http.Header{}, Body: http.NoBody, Request: req}, nil
}

// A cancelBody cancels the context of its request when it is closed.
type cancelBody struct {
	io.ReadCloser
	cancel func()
}

// Close closes the body and cancels the context of its request.
func (b cancelBody) Close() error {
	defer b.cancel()
	return b.ReadCloser.Close()
}
