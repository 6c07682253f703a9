package http1

import (
	"net/http"
	"strings"
)

// canSend reports whether this package can send a request: without TLS, without a proxy, by GET or POST, with a body in
// memory. It leaves requests that net/http would reject to net/http.
func (t *Transport) canSend(req *http.Request) bool {
	if !canRead || req.URL == nil || req.URL.Scheme != "http" || req.Method != http.MethodPost && req.Method != http.MethodGet ||
		req.Close || req.ContentLength < 0 || len(req.TransferEncoding) > 0 || len(req.Trailer) > 0 {
		return false
	}
	if _, inMemory := req.Body.(Body); !inMemory && req.Body != nil || inMemory != (req.ContentLength > 0) {
		return false
	}
	if !isHost(req.URL.Host) || req.Host != "" && !isHost(req.Host) || !consistsOf(req.URL.RequestURI(), inTarget) {
		return false
	}
	for name, values := range req.Header {
		if !isPlain(name, values) {
			return false
		}
	}
	if t.cfg.Proxy == nil {
		return true
	}
	proxy, err := t.cfg.Proxy(req)
	return proxy == nil && err == nil
}

// isPlain reports whether a header field does not concern the connection and needs no escaping.
func isPlain(name string, values []string) bool {
	switch name {
	case "", "Connection", "Expect", "Host", "Content-Length", "Te", "Trailer", "Transfer-Encoding", "Upgrade":
		return false
	}
	if !consistsOf(name, inName) {
		return false
	}
	for _, v := range values {
		if !consistsOf(v, inValue) {
			return false
		}
	}
	return true
}

// isHost reports whether a host is a name or an address in ASCII, with or without a port.
func isHost(host string) bool { return host != "" && consistsOf(host, inHost) }

// The parts of an HTTP request in which a byte is permitted, as bits.
const (
	inName   = 1 << iota // name of a header field
	inValue              // value of a header field: no control characters except tabs
	inHost               // host
	inTarget             // request target: no spaces or control characters
)

// places maps each byte to the parts of a request in which it is permitted, such as inName | inValue.
var places = func() (of [256]uint8) {
	for i := range of {
		switch c := byte(i); {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9', c == '-', c == '_':
			of[c] = inName | inValue | inHost | inTarget
		case strings.IndexByte(".:[]", c) >= 0:
			of[c] = inValue | inHost | inTarget
		case c == ' ', c == '\t':
			of[c] = inValue
		case c > ' ' && c != 0x7f:
			of[c] = inValue | inTarget
		}
	}
	return of
}()

// consistsOf reports whether all bytes of s are permitted in a part of a request, such as inHost.
func consistsOf(s string, place uint8) bool {
	for i := range len(s) {
		if places[s[i]]&place == 0 {
			return false
		}
	}
	return true
}
