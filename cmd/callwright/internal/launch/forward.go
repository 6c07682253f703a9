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

// A gateway with a certificate is reached by TLS. Only this certificate is trusted, whatever its names. Agents have
// different sets of trusted authorities, and the certificate may not include the loopback address. Therefore agents get
// a plain HTTP port on loopback that forwards to the gateway.

// maxCertificate is the maximum size of a certificate file in bytes.
const maxCertificate = 1 << 20

// transportFor returns the transport for requests to a gateway. cert is the file of its certificate, "" for plain HTTP.
// The file is read for each connection, because it may be replaced.
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

// trusting returns a TLS configuration that trusts only the certificates in a file. The expected server name is taken
// from the first of them.
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

// nameOf returns a host name for which the certificate is valid, "" if it has none.
func nameOf(c *x509.Certificate) string {
	switch {
	case len(c.DNSNames) > 0:
		return strings.Replace(c.DNSNames[0], "*", "any", 1)
	case len(c.IPAddresses) > 0:
		return c.IPAddresses[0].String()
	}
	return ""
}

// headTime is the time limit for reading a request header from an agent.
const headTime = 30 * time.Second

// forward opens a loopback port that forwards to the gateway. The caller must call end to close it.
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
	quiet := log.New(io.Discard, "", 0) // do not print to the agent's terminal
	transport := transportFor(g.cert)
	srv := &http.Server{ReadHeaderTimeout: headTime, ErrorLog: quiet, Handler: &httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) {
			r.SetURL(to)
			r.Out.Host = r.In.Host // a gateway without keys checks the Host header against DNS rebinding
		}, Transport: transport, FlushInterval: -1, ErrorLog: quiet,
	}}
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = srv.Serve(ln) // Serve returns when end closes the server
	}()
	return "http://" + ln.Addr().String(), func() {
		_ = srv.Close()
		<-done
		transport.CloseIdleConnections()
	}, nil
}
