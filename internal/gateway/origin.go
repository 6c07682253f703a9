package gateway

import (
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/callwright/callwright"
)

// originSchemes are the URL schemes of the web views of desktop programs such as editors. Websites cannot have them.
var originSchemes = []string{"app", "file", "tauri", "vscode-file", "vscode-webview"}

// An originPolicy protects a gateway without keys against websites. A web page in a local browser can send requests to
// loopback addresses, also by a host name of its own that resolves to loopback (DNS rebinding).
type originPolicy struct {
	hosts   []string // names of this machine, in lower case
	origins []string // origins of allowed web pages; one "*" matches any characters
}

func newFence(cfg *Config) *originPolicy {
	f := &originPolicy{origins: normalizeAll(cfg.Origins), hosts: normalizeAll(cfg.Hosts)}
	if own, err := os.Hostname(); err == nil && own != "" {
		own = strings.ToLower(own)
		f.hosts = append(f.hosts, own, own+".local")
	}
	return f
}

func normalizeAll(list []string) []string {
	out := make([]string, len(list))
	for i, s := range list {
		out[i] = strings.TrimSuffix(strings.ToLower(s), "/")
	}
	return out
}

// check returns an error for a request with a foreign host or from a foreign web page. It trusts Origin and
// Sec-Fetch-Site, because only browsers send them and pages cannot change them.
func (f *originPolicy) check(r *http.Request) error {
	if !f.isLocal(r.Host) {
		return permissionError("sent to the host " + quoteExcerpt(r.Host) +
			", which is no name of this machine: add it to hosts, or configure keys")
	}
	if origins := r.Header["Origin"]; len(origins) > 0 {
		if !f.trusts(origins[0], r.Host) {
			return permissionError("sent by a page of " + quoteExcerpt(origins[0]) + ": add it to origins to allow it")
		}
		return nil
	}
	switch site := r.Header.Get("Sec-Fetch-Site"); site {
	case "", "none", "same-origin":
		return nil
	default:
		return permissionError("sent by a page of another site (" + quoteExcerpt(site) + ")")
	}
}

func quoteExcerpt(s string) string { return strconv.Quote(callwright.Excerpt(s)) }

func permissionError(why string) *callwright.Error {
	return &callwright.Error{Kind: callwright.KindPermission,
		Message: "a gateway without keys serves only programs on this machine; the request was " + why}
}

// isLocal reports whether the Host of a request names this machine.
func (f *originPolicy) isLocal(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	host = strings.TrimSuffix(strings.ToLower(strings.Trim(host, "[]")), ".")
	if ip, err := netip.ParseAddr(host); err == nil {
		return ip.Unmap().IsLoopback() || slices.Contains(f.hosts, host)
	}
	return host == "" || // HTTP/1.0, which no browser uses
		host == "localhost" || strings.HasSuffix(host, ".localhost") || slices.Contains(f.hosts, host)
}

// trusts reports whether pages of an origin may use the gateway: pages of the gateway, pages of desktop programs, and
// configured origins.
func (f *originPolicy) trusts(origin, host string) bool {
	origin = strings.ToLower(origin)
	u, err := url.Parse(origin)
	switch {
	case f.isNamed(origin):
		return true
	case err != nil || u.Scheme == "":
		return false
	case u.Scheme == "http" || u.Scheme == "https":
		return u.Host != "" && u.Host == strings.ToLower(host)
	}
	return slices.Contains(originSchemes, u.Scheme)
}

func (f *originPolicy) isNamed(origin string) bool {
	return slices.ContainsFunc(f.origins, func(pattern string) bool { return matches(pattern, origin) })
}

// matches reports whether text matches pattern, in which one "*" matches any characters.
func matches(pattern, text string) bool {
	first, last, wild := strings.Cut(pattern, "*")
	if !wild {
		return pattern == text
	}
	return len(text) >= len(first)+len(last) && strings.HasPrefix(text, first) && strings.HasSuffix(text, last)
}

// addCORS adds the CORS headers that allow a page of a configured origin to read the response. It returns true if the
// request was a preflight request, which is then answered.
func (f *originPolicy) addCORS(w http.ResponseWriter, r *http.Request) (answered bool) {
	origin := r.Header.Get("Origin")
	if len(f.origins) == 0 || origin == "" {
		return false
	}
	h := w.Header()
	h.Add("Vary", "Origin")
	if !f.isNamed(strings.ToLower(origin)) {
		return false
	}
	h.Set("Access-Control-Allow-Origin", origin)
	h.Set("Access-Control-Expose-Headers", reportHeader)
	if r.Method != http.MethodOptions || r.Header.Get("Access-Control-Request-Method") == "" {
		return false
	}
	h.Set("Access-Control-Allow-Methods", "GET, POST, DELETE")
	h.Set("Access-Control-Allow-Headers", r.Header.Get("Access-Control-Request-Headers"))
	h.Set("Access-Control-Max-Age", "600")
	if r.Header.Get("Access-Control-Request-Private-Network") != "" {
		h.Set("Access-Control-Allow-Private-Network", "true")
	}
	w.WriteHeader(http.StatusNoContent)
	return true
}
