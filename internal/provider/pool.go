package provider

import (
	"net"
	"net/http"
	"time"

	"github.com/callwright/callwright/internal/provider/internal/http1"
)

const (
	maxIdleConns = 256 // of one host
	idleTimeout  = 90 * time.Second
)

// newPool returns a pool of connections for one provider. Agents send many requests to one host, so connections are
// kept in number; answers pass as they came, so nothing is compressed; dead HTTP/2 connections are found by pings.
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
