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

// maxAnswer bounds the answer of a token service.
const maxAnswer = 1 << 20

// dialTime bounds how long a connection to a service of tokens may take to stand.
const dialTime = 5 * time.Second

// NewClient makes a client for services of tokens. It follows no redirect: a secret goes nowhere but to the address
// that it was meant for.
func NewClient() *http.Client {
	dialer := &net.Dialer{Timeout: dialTime}
	return &http.Client{
		// A token is asked for once an hour: no connection waits for that.
		Transport: &http.Transport{Proxy: http.ProxyFromEnvironment, DialContext: dialer.DialContext,
			TLSHandshakeTimeout: dialTime, DisableKeepAlives: true},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// NewLocalClient makes a client for services at the machine itself, such as metadata servers, which no proxy reaches.
func NewLocalClient() *http.Client {
	c := NewClient()
	transport, _ := c.Transport.(*http.Transport)
	transport.Proxy = nil
	dialer := &net.Dialer{Timeout: 2 * time.Second} // elsewhere the address leads nowhere
	transport.DialContext = dialer.DialContext
	return c
}

// Ask sends a request to a service of tokens and returns the status and the body of its answer. The error is one of the
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

// IsTransient reports whether a service of tokens that answers with a status may give one later.
func IsTransient(status int) bool { return status/100 == 5 || status == http.StatusTooManyRequests }

// Cause returns the reason of a failed connection, without addresses of hosts and without the request.
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

// ShortenText returns a text of a service for people, on one line and not too long.
func ShortenText(text string) string {
	return callwright.Excerpt(strings.Join(strings.FieldsFunc(text, func(r rune) bool { return r <= ' ' || r == 0x7f }), " "))
}
