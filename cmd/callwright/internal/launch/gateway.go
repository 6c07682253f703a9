package launch

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// A Gateway is a client for a running gateway.
type Gateway struct {
	Address string // http://host:port or https://host:port
	Key     string // "" for none
	cert    string // file of its certificate, "" for none
	client  *http.Client
}

// NewGateway returns the client for a gateway that listens on this machine. listen is its host:port; an unspecified
// host such as 0.0.0.0 becomes loopback. cert is the file of its TLS certificate, "" for plain HTTP.
func NewGateway(listen, key, cert string) (*Gateway, error) {
	host, port, err := net.SplitHostPort(listen)
	if err != nil {
		return nil, err
	}
	if ip := net.ParseIP(host); host == "" || ip != nil && ip.IsUnspecified() {
		host = "127.0.0.1"
		if ip != nil && ip.To4() == nil {
			host = "::1"
		}
	}
	scheme := "http://"
	if cert != "" {
		scheme = "https://"
	}
	transport := transportFor(cert)
	transport.DisableKeepAlives = true
	return &Gateway{Address: scheme + net.JoinHostPort(host, port), Key: key, cert: cert,
		client: &http.Client{Timeout: answerTime, Transport: transport}}, nil
}

// GatewayAt returns the client for the gateway at a base URL.
func GatewayAt(address, key string) (*Gateway, error) {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return nil, fmt.Errorf("expected the URL of a gateway, such as http://127.0.0.1:8787, got %q", address)
	}
	return &Gateway{Address: u.Scheme + "://" + u.Host, Key: key,
		client: &http.Client{Timeout: answerTime, Transport: &http.Transport{Proxy: http.ProxyFromEnvironment, DisableKeepAlives: true}}}, nil
}

// Limits of requests to a gateway before the agent starts.
const (
	answerTime  = 20 * time.Second // the gateway may have to query its providers for models
	answerBytes = 8 << 20
)

// greeting is the start of every gateway's response at helloPath.
const (
	greeting  = "callwright is running"
	helloPath = "/api/hello"
)

// ErrStranger is the error if another program listens at the gateway's address.
var ErrStranger = errors.New("another program listens there")

// Runs reports whether the gateway is running. The error wraps ErrStranger if a program listens at the address and does
// not respond like a gateway. If no program listens, Runs returns false and no error.
func (g *Gateway) Runs(ctx context.Context) (bool, error) {
	status, body, err := g.ask(ctx, helloPath)
	var refused *net.OpError
	switch {
	case err == nil && status == http.StatusOK && strings.HasPrefix(string(body), greeting):
		return true, nil
	case errors.As(err, &refused) && refused.Op == "dial":
		return false, nil
	case ctx.Err() != nil:
		return false, ctx.Err()
	}
	return false, fmt.Errorf("%s: %w", g.Address, ErrStranger)
}

// Models returns the names of the gateway's models.
func (g *Gateway) Models(ctx context.Context) ([]string, error) {
	status, body, err := g.ask(ctx, "/v1/models")
	if err != nil {
		return nil, err
	}
	if status != http.StatusOK {
		return nil, g.refusalError(status, body)
	}
	var list struct{ Data []struct{ ID string } }
	if err := json.Unmarshal(body, &list); err != nil {
		return nil, fmt.Errorf("the list of models at %s: %w", g.Address, err)
	}
	var names []string
	for _, m := range list.Data {
		names = append(names, m.ID)
	}
	return names, nil
}

// Status returns the status of the gateway as a JSON object. If the gateway does not respond, the error names a remedy.
func (g *Gateway) Status(ctx context.Context) ([]byte, error) {
	status, body, err := g.ask(ctx, "/callwright/status")
	switch {
	case err != nil:
		return nil, g.silenceError(err)
	case status == http.StatusNotFound:
		return nil, fmt.Errorf("%s has no status: another program or an earlier version of the gateway listens there", g.Address)
	case status != http.StatusOK:
		return nil, g.refusalError(status, body)
	}
	return body, nil
}

// silenceError returns the error for a gateway that does not respond, with a remedy.
func (g *Gateway) silenceError(err error) error {
	if failed, ok := errors.AsType[*url.Error](err); ok {
		err = failed.Err // without the URL, which has the address
	}
	return fmt.Errorf("no gateway answers at %s: %w: start one with callwright serve, or name another with --url", g.Address, err)
}

// Running returns the requests in progress as JSON, nil if the gateway's version does not support it.
func (g *Gateway) Running(ctx context.Context) ([]byte, error) {
	status, body, err := g.ask(ctx, "/callwright/running")
	switch {
	case err != nil:
		return nil, g.silenceError(err)
	case status == http.StatusNotFound:
		return nil, nil
	case status != http.StatusOK:
		return nil, g.refusalError(status, body)
	}
	return body, nil
}

// Ready reports whether the gateway accepts requests. reasons explain why it does not, or why only some models are
// available. It needs no key.
func (g *Gateway) Ready(ctx context.Context) (ready bool, reasons []string, err error) {
	status, body, err := g.ask(ctx, "/readyz")
	if err != nil {
		return false, nil, g.silenceError(err)
	}
	var said struct {
		Status  string
		Reasons []string
	}
	if err := json.Unmarshal(body, &said); err != nil || said.Status == "" {
		return false, nil, fmt.Errorf("%s: %w", g.Address, ErrStranger)
	}
	return status == http.StatusOK, said.Reasons, nil
}

// Check returns an error that explains why a model is not available, nil if it is.
func (g *Gateway) Check(ctx context.Context, model string) error {
	status, body, err := g.ask(ctx, "/v1/models/"+(&url.URL{Path: model}).EscapedPath())
	if err == nil && status != http.StatusOK {
		err = g.refusalError(status, body)
	}
	return err
}

// refusalError returns the error message in a gateway's response.
func (g *Gateway) refusalError(status int, body []byte) error {
	var said struct{ Error struct{ Message string } }
	if err := json.Unmarshal(body, &said); err != nil || said.Error.Message == "" {
		said.Error.Message = "it answered with status " + http.StatusText(status)
	}
	if status == http.StatusUnauthorized || status == http.StatusForbidden {
		return fmt.Errorf("the gateway at %s rejects the key: %s: set %s to one of its keys", g.Address, said.Error.Message, KeyVariable)
	}
	if status == http.StatusNotFound {
		return unknownModel(said.Error.Message)
	}
	return errors.New(said.Error.Message)
}

// unknownModel is the message of the gateway's 404 response about a model.
type unknownModel string

func (e unknownModel) Error() string { return string(e) }

// Call sends an admin request to the gateway and returns the response body. A failed connection and a status of 300 or
// more are errors that name a remedy.
func (g *Gateway) Call(ctx context.Context, method, path string, body []byte) ([]byte, error) {
	status, answer, err := g.send(ctx, method, path, body)
	switch {
	case err != nil:
		return nil, g.silenceError(err)
	case status >= http.StatusMultipleChoices:
		return nil, g.refusalError(status, answer)
	}
	return answer, nil
}

// Limits of requests for an evidence bundle. They are high because the gateway replays the request many times.
const (
	bundleTime  = 2 * time.Minute
	bundleBytes = 256 << 20
)

// Bundle returns the evidence bundle of a request as a zip archive.
func (g *Gateway) Bundle(ctx context.Context, id string) ([]byte, error) {
	patient := *g.client
	patient.Timeout = bundleTime
	slow := *g
	slow.client = &patient
	status, body, err := slow.sendBounded(ctx, http.MethodGet, "/callwright/traces/"+url.PathEscape(id)+"/bundle", nil, bundleBytes)
	switch {
	case err != nil:
		return nil, g.silenceError(err)
	case status != http.StatusOK:
		return nil, g.refusalError(status, body)
	}
	return body, nil
}

func (g *Gateway) ask(ctx context.Context, path string) (status int, body []byte, err error) {
	return g.send(ctx, http.MethodGet, path, nil)
}

func (g *Gateway) send(ctx context.Context, method, path string, sent []byte) (status int, body []byte, err error) {
	return g.sendBounded(ctx, method, path, sent, answerBytes)
}

// sendBounded is like send with another maximum size of the response body: most, in bytes. It truncates a longer body.
func (g *Gateway) sendBounded(ctx context.Context, method, path string, sent []byte, most int64) (status int, body []byte, err error) {
	req, err := http.NewRequestWithContext(ctx, method, g.Address+path, bytes.NewReader(sent))
	if err != nil {
		return 0, nil, err
	}
	if len(sent) > 0 {
		req.Header.Set("Content-Type", "application/json")
	}
	if g.Key != "" {
		req.Header.Set("Authorization", "Bearer "+g.Key)
	}
	resp, err := g.client.Do(req)
	if err != nil {
		return 0, nil, err
	}
	defer func() { _ = resp.Body.Close() }()
	body, err = io.ReadAll(io.LimitReader(resp.Body, most))
	return resp.StatusCode, body, err
}
