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

// SameOrigin reports whether a request was sent by a page of its own host. It relies on the headers Sec-Fetch-Site and
// Origin, which pages cannot change. All current browsers send at least one of them with a form.
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

// Hosts are the accepted host names of this machine, in addition to loopback names.
type Hosts struct {
	own  []string
	more func() []string
}

// OwnHosts returns the accepted names of this machine: its host name, also with ".local", and the names that the
// function more returns when called. more may be nil.
func OwnHosts(more func() []string) Hosts {
	h := Hosts{more: more}
	if own, err := os.Hostname(); err == nil && own != "" {
		h.own = []string{own, own + ".local"}
	}
	return h
}

// Own reports whether the Host of a request names this machine. The check prevents DNS rebinding, in which the host
// name of a website resolves to loopback.
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
