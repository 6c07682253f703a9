// Package refusal classifies the errors of failed connections to a NATS server.
package refusal

import (
	"crypto/tls"
	"errors"
	"io"
	"net"
	"strings"
	"syscall"

	"github.com/nats-io/nats.go"
)

// IsUnauthorized reports whether the server rejected the client's credentials.
func IsUnauthorized(err error) bool {
	return errors.Is(err, nats.ErrAuthorization) || errors.Is(err, nats.ErrAuthExpired) ||
		errors.Is(err, nats.ErrAuthRevoked) || errors.Is(err, nats.ErrAccountAuthExpired) ||
		errors.Is(err, nats.ErrPermissionViolation)
}

// IsUntrusted reports whether the client does not trust the server's certificate.
func IsUntrusted(err error) bool {
	_, ok := errors.AsType[*tls.CertificateVerificationError](err)
	return ok
}

// IsCertificateRefused reports whether the server does not trust the client's certificate. The server sends a TLS
// alert, for which crypto/tls has no exported error type outside QUIC, or closes the connection before the alert is
// read.
func IsCertificateRefused(err error) bool {
	e, ok := errors.AsType[*net.OpError](err)
	return ok && e.Op == "remote error" && strings.Contains(e.Err.Error(), "certificate") || IsDropped(err)
}

// IsDropped reports whether the server closed the connection after the TLS handshake without an error.
func IsDropped(err error) bool {
	return errors.Is(err, nats.ErrTLS) && (errors.Is(err, io.EOF) || errors.Is(err, syscall.EPIPE) || errors.Is(err, syscall.ECONNRESET))
}

// IsNetwork reports whether err is an error of the network and not an error response of the server.
func IsNetwork(err error) bool {
	_, ok := errors.AsType[net.Error](err)
	_, op := errors.AsType[*net.OpError](err)
	return ok || op
}
