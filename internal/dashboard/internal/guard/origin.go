package guard

import (
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"os"
	"slices"
	"strings"
)

// SameOrigin reports whether a request comes from a page of the host that it asks. Browsers alone send these headers,
// and no page can change them; all of today send one of them with a form.
func SameOrigin(r *http.Request) bool {
	if site := r.Header.Get("Sec-Fetch-Site"); site != "" && site != "same-origin" {
		return false
	}
	origin := r.Header.Get("Origin")
	if origin == "" {
		return r.Header.Get("Sec-Fetch-Site") != ""
	}
	u, err := url.Parse(origin)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != "" && strings.EqualFold(u.Host, r.Host)
}

// Hosts are the names of this machine beside those of its loopback.
type Hosts struct {
	own  []string
	more func() []string
}

// OwnHosts returns the names of this machine with those that more gives at any time; nil gives none.
func OwnHosts(more func() []string) Hosts {
	h := Hosts{more: more}
	if own, err := os.Hostname(); err == nil && own != "" {
		h.own = []string{own, own + ".local"}
	}
	return h
}

// Own reports whether the host of a request is this machine by its name: a website may have its own name resolve to
// loopback.
func (h Hosts) Own(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	host = strings.TrimSuffix(strings.ToLower(strings.Trim(host, "[]")), ".")
	if ip, err := netip.ParseAddr(host); err == nil && ip.Unmap().IsLoopback() {
		return true
	}
	same := func(name string) bool { return strings.EqualFold(name, host) }
	return host == "localhost" || strings.HasSuffix(host, ".localhost") || slices.ContainsFunc(h.own, same) || h.more != nil &&
		slices.ContainsFunc(h.more(), same)
}
