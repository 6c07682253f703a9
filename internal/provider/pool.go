package provider

import (
	"net"
	"net/http"
	"time"

	"github.com/callwright/callwright/internal/provider/internal/http1"
)

const (
	maxIdleConns = 256 // per host
	idleTimeout  = 90 * time.Second
)

// newPool returns a connection pool for one provider. It keeps many idle connections, since agents send many requests
// to one host. It disables compression, since responses are forwarded unchanged. It detects dead HTTP/2 connections by
// pings.
func newPool(t Timeouts) *http1.Transport {
	dialer := &net.Dialer{Timeout: t.Connect, KeepAlive: 30 * time.Second}
	return http1.New(http1.Config{
		Dial: dialer.DialContext, Proxy: http.ProxyFromEnvironment, MaxIdlePerHost: maxIdleConns, IdleTimeout: idleTimeout,
		Next: &http.Transport{
			Proxy:                 http.ProxyFromEnvironment,
			DialContext:           dialer.DialContext,
			TLSHandshakeTimeout:   t.Connect,
			ForceAttemptHTTP2:     true,
			DisableCompression:    true,
			MaxIdleConnsPerHost:   maxIdleConns,
			IdleConnTimeout:       idleTimeout,
			ExpectContinueTimeout: time.Second,
			ReadBufferSize:        16 << 10,
			HTTP2:                 &http.HTTP2Config{SendPingTimeout: 30 * time.Second, PingTimeout: 15 * time.Second},
		},
	})
}
