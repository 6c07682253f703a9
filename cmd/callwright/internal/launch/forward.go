package launch

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"strings"
	"time"

	"github.com/callwright/callwright/internal/boundedfile"
)

// A gateway with a certificate is reached by TLS, and that certificate is what is trusted, whatever names it has.
// Agents are programs of several kinds, each of which trusts other authorities, and the certificate may be for a name
// that is not this machine's loopback: they are given a port of loopback that leads to the gateway.

// maxCertificate bounds the bytes of a file of certificates.
const maxCertificate = 1 << 20

// transportFor returns how a gateway is reached: by TLS where cert names the file of its certificate, which is read for
// each connection, as it may be replaced.
func transportFor(cert string) *http.Transport {
	t := &http.Transport{DisableCompression: true}
	if cert == "" {
		return t
	}
	t.DialTLSContext = func(ctx context.Context, network, address string) (net.Conn, error) {
		conf, err := trusting(cert)
		if err != nil {
			return nil, err
		}
		d := tls.Dialer{Config: conf}
		return d.DialContext(ctx, network, address)
	}
	return t
}

// trusting returns a configuration that trusts the certificates of a file alone, and expects a name that the first of
// them has.
func trusting(file string) (*tls.Config, error) {
	text, err := boundedfile.Read(file, maxCertificate)
	if err != nil {
		return nil, err
	}
	conf := &tls.Config{RootCAs: x509.NewCertPool()}
	for block, rest := pem.Decode(text); block != nil; block, rest = pem.Decode(rest) {
		c, err := x509.ParseCertificate(block.Bytes)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		conf.RootCAs.AddCert(c)
		if conf.ServerName == "" {
			conf.ServerName = nameOf(c)
		}
	}
	if conf.ServerName == "" {
		return nil, fmt.Errorf("%s: expected a certificate with a name, got none", file)
	}
	return conf, nil
}

// nameOf is a name for which a certificate is.
func nameOf(c *x509.Certificate) string {
	switch {
	case len(c.DNSNames) > 0:
		return strings.Replace(c.DNSNames[0], "*", "any", 1)
	case len(c.IPAddresses) > 0:
		return c.IPAddresses[0].String()
	}
	return ""
}

// headTime is how long an agent may take to send the head of a request.
const headTime = 30 * time.Second

// forward opens a port of loopback that leads to the gateway, until end is called.
func (g *Gateway) forward(ctx context.Context) (address string, end func(), err error) {
	to, err := url.Parse(g.Address)
	if err != nil {
		return "", nil, err
	}
	var listening net.ListenConfig
	ln, err := listening.Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return "", nil, err
	}
	quiet := log.New(io.Discard, "", 0) // the agent has the terminal
	transport := transportFor(g.cert)
	srv := &http.Server{ReadHeaderTimeout: headTime, ErrorLog: quiet, Handler: &httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) {
			r.SetURL(to)
			r.Out.Host = r.In.Host // by which a gateway without keys knows a page that has its name mean this machine
		}, Transport: transport, FlushInterval: -1, ErrorLog: quiet,
	}}
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = srv.Serve(ln) // it was closed
	}()
	return "http://" + ln.Addr().String(), func() {
		_ = srv.Close()
		<-done
		transport.CloseIdleConnections()
	}, nil
}
