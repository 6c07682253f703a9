package auth

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/callwright/callwright"
)

// maxAnswer is the maximum size in bytes of a response of a token service.
const maxAnswer = 1 << 20

// dialTime is the timeout of a connection to a token service.
const dialTime = 5 * time.Second

// NewClient returns an HTTP client for token services. It follows no redirects, so that a secret is sent only to the
// configured address.
func NewClient() *http.Client {
	dialer := &net.Dialer{Timeout: dialTime}
	return &http.Client{
		// Connections are not reused, since tokens are requested about once an hour.
		Transport: &http.Transport{Proxy: http.ProxyFromEnvironment, DialContext: dialer.DialContext,
			TLSHandshakeTimeout: dialTime, DisableKeepAlives: true},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// NewLocalClient returns an HTTP client for services of the machine itself, such as metadata servers. It uses no proxy.
func NewLocalClient() *http.Client {
	c := NewClient()
	transport, _ := c.Transport.(*http.Transport)
	transport.Proxy = nil
	dialer := &net.Dialer{Timeout: 2 * time.Second} // outside a cloud nothing has the address
	transport.DialContext = dialer.DialContext
	return c
}

// Ask sends a request to a token service and returns the status and the body of the response. The error is that of the
// connection, without addresses.
func Ask(client *http.Client, req *http.Request) (status int, body []byte, err error) {
	resp, err := client.Do(req)
	if err != nil {
		return 0, nil, Cause(err)
	}
	defer func() { _ = resp.Body.Close() }()
	body, err = io.ReadAll(io.LimitReader(resp.Body, maxAnswer))
	return resp.StatusCode, body, Cause(err)
}

var (
	errTime   = errors.New("no answer in time")
	errNoHost = errors.New("no such host")
	errBroken = errors.New("the connection failed")
)

// IsTransient reports whether a token service that responds with status may succeed later: 5xx or 429.
func IsTransient(status int) bool { return status/100 == 5 || status == http.StatusTooManyRequests }

// Cause returns the cause of a connection error without the host, its address and the request.
func Cause(err error) error {
	var (
		of    *url.Error
		name  *net.DNSError
		on    *net.OpError
		timed net.Error
	)
	switch {
	case err == nil:
		return nil
	case errors.As(err, &name):
		return errNoHost
	case errors.Is(err, context.DeadlineExceeded), errors.As(err, &timed) && timed.Timeout():
		return errTime
	case errors.As(err, &on):
		if call, ok := errors.AsType[*os.SyscallError](on.Err); ok {
			return call.Err
		}
		return errBroken
	case errors.As(err, &of):
		return errBroken
	}
	return err
}

// ShortenText returns a service's text on one line and shortened, for a message.
func ShortenText(text string) string {
	return callwright.Excerpt(strings.Join(strings.FieldsFunc(text, func(r rune) bool { return r <= ' ' || r == 0x7f }), " "))
}
