// Package ollamahost parses the variable OLLAMA_HOST as Ollama does.
package ollamahost

import (
	"context"
	"net"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// Default is the address of a local Ollama if OLLAMA_HOST is not set.
const (
	defaultPort = "11434"
	Default     = "127.0.0.1:" + defaultPort
)

// Of returns the base URL of the Ollama at OLLAMA_HOST, and its host:port to dial. Loopback replaces a wildcard address
// such as 0.0.0.0. If the variable is not set or is invalid, base is "" and address is Default.
func Of(env func(string) (string, bool)) (base, address string) {
	said, _ := env("OLLAMA_HOST")
	said = strings.Trim(strings.TrimSpace(said), `"'`)
	if said == "" {
		return "", Default
	}
	scheme, rest, ok := strings.Cut(said, "://")
	port := map[string]string{"http": "80", "https": "443"}[scheme]
	if !ok {
		scheme, rest, port = "http", said, defaultPort
	}
	rest, path, _ := strings.Cut(rest, "/")
	host := strings.Trim(rest, "[]")
	if h, p, err := net.SplitHostPort(rest); err == nil {
		host = h
		if _, err := strconv.ParseUint(p, 10, 16); err == nil {
			port = p
		}
	}
	if ip, err := netip.ParseAddr(host); host == "" || err == nil && ip.IsUnspecified() {
		host = "127.0.0.1"
	}
	address = net.JoinHostPort(host, port)
	base = scheme + "://" + address
	if path = strings.Trim(path, "/"); path != "" {
		base += "/" + path
	}
	if (scheme != "http" && scheme != "https") || !isAddress(base) {
		return "", Default
	}
	return base, address
}

// isAddress reports whether text is a URL with a host and without credentials.
func isAddress(text string) bool {
	u, err := url.Parse(text)
	return err == nil && u.Host != "" && u.User == nil
}

// probeTime is the timeout of Listens.
const probeTime = 200 * time.Millisecond

// Listens reports whether a TCP connection to addr, a host:port, succeeds within 200 ms.
func Listens(ctx context.Context, addr string) bool {
	d := net.Dialer{Timeout: probeTime}
	conn, err := d.DialContext(ctx, "tcp", addr)
	if err != nil {
		return false
	}
	_ = conn.Close()
	return true
}
