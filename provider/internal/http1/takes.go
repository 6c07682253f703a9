package http1

import (
	"net/http"
	"strings"
)

// takes reports whether a request is written here: in the clear, to its host itself, of a form that asks for nothing but to be answered. What
// net/http would refuse is left to it too.
func (t *Transport) takes(req *http.Request) bool {
	if !canRead || req.URL == nil || req.URL.Scheme != "http" || req.Method != http.MethodPost && req.Method != http.MethodGet ||
		req.Close || req.ContentLength < 0 || len(req.TransferEncoding) > 0 || len(req.Trailer) > 0 {
		return false
	}
	if _, inMemory := req.Body.(Body); !inMemory && req.Body != nil || inMemory != (req.ContentLength > 0) {
		return false
	}
	if !isHost(req.URL.Host) || req.Host != "" && !isHost(req.Host) || !visible(req.URL.RequestURI()) {
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

// isPlain reports whether a header says nothing about the connection, and can be written as it stands.
func isPlain(name string, values []string) bool {
	switch name {
	case "", "Connection", "Expect", "Host", "Content-Length", "Te", "Trailer", "Transfer-Encoding", "Upgrade":
		return false
	}
	if !consistsOf(name, "-_") {
		return false
	}
	for _, v := range values {
		for i := range len(v) {
			if v[i] < ' ' && v[i] != '\t' || v[i] == 0x7f {
				return false
			}
		}
	}
	return true
}

// isHost reports whether a host is a name or an address in ASCII, perhaps with a port, that is written as it stands.
func isHost(host string) bool { return host != "" && consistsOf(host, "-_.:[]") }

// consistsOf reports whether a text has nothing but letters and digits of ASCII, and others that are listed.
func consistsOf(s, others string) bool {
	for i := range len(s) {
		c := s[i] | 0x20 // a small letter, for letters
		if (c < 'a' || c > 'z') && (s[i] < '0' || s[i] > '9') && strings.IndexByte(others, s[i]) < 0 {
			return false
		}
	}
	return true
}

// visible reports whether a text has no spaces and no control characters.
func visible(s string) bool {
	for i := range len(s) {
		if s[i] <= ' ' || s[i] == 0x7f {
			return false
		}
	}
	return true
}
