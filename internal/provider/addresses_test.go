package provider_test

import (
	"errors"
	"net"
	"net/http"
	"net/url"
	"os"
	"strings"
	"testing"

	"github.com/callwright/callwright"
)

// A failing is a transport that fails.
type failing struct{ err error }

func (f failing) RoundTrip(*http.Request) (*http.Response, error) { return nil, f.err }

// However a connection fails, the error shows no address: neither of the provider, nor of what stands between.
func TestConnectionErrorsShowNoAddress(t *testing.T) {
	refused := os.NewSyscallError("connect", errors.New("connection refused"))
	at := &net.TCPAddr{IP: net.IPv4(10, 7, 7, 7), Port: 3128}
	dial := &net.OpError{Op: "dial", Net: "tcp", Addr: at, Err: refused}
	for name, err := range map[string]error{
		"refused":          dial,
		"around another":   &url.Error{Op: "Post", URL: "http://10.7.7.7:3128/v1", Err: dial},
		"through a proxy":  &net.OpError{Op: "proxyconnect", Net: "tcp", Err: dial},
		"in words":         errors.New("proxyconnect tcp 10.7.7.7:3128: i/o timeout"),
		"of its own kind":  &net.OpError{Op: "read", Net: "tcp", Addr: at, Err: errors.New("use of closed connection 10.7.7.7:3128")},
		"no name":          &net.DNSError{Err: "no such host", Name: "inner.10.7.7.7.test", Server: "10.7.7.7:53", IsNotFound: true},
		"no server for it": &net.DNSError{Err: "server misbehaving", Name: "inner.10.7.7.7.test", Server: "10.7.7.7:53"},
	} {
		m := open(t, "lab/m-1", withTransport(failing{err}), withBaseURL("http://lab.test"), withWire(callwright.WireOpenAI), withRetries(0))
		_, got := m.Generate(t.Context(), ask())
		if callwright.KindOf(got) != callwright.KindUnavailable || strings.Contains(got.Error(), "10.7.7.7") {
			t.Errorf("%s: got %v", name, got)
		}
	}
}
