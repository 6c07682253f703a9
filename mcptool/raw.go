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

// The SDK decodes lists and results into types that lose the order of members and large numbers, and fails as a whole
// where one tool or one piece of content is not as expected. So both are asked for by methods of our own, whose results
// stay JSON text, and the transports give these methods the names that the protocol has for them.
const (
	rawPrefix = "callwright/"
	listTools = "tools/list"
	callTool  = "tools/call"
)

// rawParams are the parameters of a request, an object without _meta, and rawResult its result, as JSON.
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

// MarshalJSON returns the parameters, with _meta: the SDK puts members there that later versions of the protocol want
// in every request.
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

// UnmarshalJSON keeps the result.
func (r *rawResult) UnmarshalJSON(text []byte) error {
	r.text = bytes.Clone(text)
	return nil
}

// A rawError is an error in which the methods have their names.
type rawError struct{ error }

// Error returns the text.
func (e rawError) Error() string { return strings.ReplaceAll(e.error.Error(), rawPrefix, "") }

// Unwrap returns the error of the SDK.
func (e rawError) Unwrap() error { return e.error }

// allowRaw lets a client use the methods.
func allowRaw(c *mcp.Client) {
	for _, method := range []string{listTools, callTool} {
		if err := mcp.AddSendingCustomMethod[*rawParams, *rawResult](c, rawPrefix+method); err != nil {
			panic("mcptool: " + err.Error()) // the prefix is ours
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

// A rawTransport is a transport on which the methods have their names. The SDK knows its own transport over HTTP by its
// type, so that one cannot be wrapped: its requests are changed by a tripper.
type rawTransport struct {
	mcp.Transport
	wrote func(jsonrpc.Message) // is told what was written
}

// Connect connects.
func (t rawTransport) Connect(ctx context.Context) (mcp.Connection, error) {
	c, err := t.Transport.Connect(ctx)
	return rawConnection{c, t.wrote}, err
}

type rawConnection struct {
	mcp.Connection
	wrote func(jsonrpc.Message)
}

// Write writes a message.
func (c rawConnection) Write(ctx context.Context, msg jsonrpc.Message) error {
	defer c.wrote(msg)
	sent, _ := ctx.Value(sentKey{}).(*atomic.Bool)
	if sent != nil {
		sent.Store(true) // before it is, since the answer may be faster than this goroutine
	}
	err := c.Connection.Write(ctx, trimRawPrefix(msg))
	if err != nil && sent != nil {
		sent.Store(false) // what is missing is the end of its line at least, without which nobody reads it
	}
	return err
}

// sentKey is the key, in the context of a request, of the bool that says whether a process was sent it.
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

// A tripper sends requests over HTTP: with the methods' names, and with the header where they go to the server itself.
// Answers are bounded.
type tripper struct {
	base     http.RoundTripper
	server   *url.URL
	header   http.Header
	patience time.Duration
	wrote    func(jsonrpc.Message) // is told what was sent
}

// maxPatience bounds how long the beginning of a stream of notices is waited for.
const maxPatience = 5 * time.Second

// errLogin is the error of a server that takes nobody without a login, or not with the header that it was given.
var errLogin = errors.New("expected an answer, got 401 Unauthorized: give a token that the server takes as a header, such as Authorization (a login by OAuth is not supported)")

// RoundTrip sends a request.
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
	if out.URL.Scheme == t.server.Scheme && out.URL.Host == t.server.Host { // a redirect may lead elsewhere
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
	if !strings.HasPrefix(resp.Header.Get("Content-Type"), "text/event-stream") { // its events are bounded one by one
		resp.Body = http.MaxBytesReader(nil, resp.Body, maxMessage)
	}
	return resp, nil
}

// Headers that later versions of the protocol want.
const (
	methodHeader = "Mcp-Method"
	nameHeader   = "Mcp-Name"
)

// nameRequest names the method and the subject of a request in headers.
func nameRequest(h http.Header, req *jsonrpc.Request) {
	h.Set(methodHeader, req.Method)
	if req.Method == callTool {
		name, _ := jsonx.Find(req.Params, "name")
		text, _ := jsonx.String(name)
		h.Set(nameHeader, text)
	}
}

// send sends a request. The SDK waits without limit for the stream that servers send notices on; one that does not
// begin in time is taken for one that the server does not have.
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

// A cancelBody releases the resources of its request when it is closed.
type cancelBody struct {
	io.ReadCloser
	cancel func()
}

// Close closes the body.
func (b cancelBody) Close() error {
	defer b.cancel()
	return b.ReadCloser.Close()
}
