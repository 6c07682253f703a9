package provider

import (
	"context"
	"net"
	"net/http"
	"time"
)

// newPool returns a pool of connections for one provider. Agents send many requests to one host, so connections are kept in
// number; answers pass as they came, so nothing is compressed; dead HTTP/2 connections are found by pings. What is sent goes past the buffer of a
// connection, but for the head.
func newPool(t Timeouts) *http.Transport {
	dialer := &net.Dialer{Timeout: t.Connect, KeepAlive: 30 * time.Second}
	return &http.Transport{
		Proxy:                 http.ProxyFromEnvironment,
		DialContext:           dial(dialer.DialContext),
		TLSHandshakeTimeout:   t.Connect,
		ForceAttemptHTTP2:     true,
		DisableCompression:    true,
		MaxIdleConnsPerHost:   256,
		IdleConnTimeout:       90 * time.Second,
		ExpectContinueTimeout: time.Second,
		ReadBufferSize:        16 << 10,
		HTTP2:                 &http.HTTP2Config{SendPingTimeout: 30 * time.Second, PingTimeout: 15 * time.Second},
	}
}

// dial makes TCP connections bodyConns.
func dial(next func(ctx context.Context, network, address string) (net.Conn, error)) func(ctx context.Context, network, address string) (net.Conn, error) {
	return func(ctx context.Context, network, address string) (net.Conn, error) {
		c, err := next(ctx, network, address)
		if tcp, ok := c.(*net.TCPConn); ok {
			return &bodyConn{TCPConn: tcp}, err
		}
		return c, err
	}
}
