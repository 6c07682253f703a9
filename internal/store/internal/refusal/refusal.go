// Package refusal tells why a server of NATS did not take a connection.
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

// IsUnauthorized reports whether a server does not let us in.
func IsUnauthorized(err error) bool {
	return errors.Is(err, nats.ErrAuthorization) || errors.Is(err, nats.ErrAuthExpired) ||
		errors.Is(err, nats.ErrAuthRevoked) || errors.Is(err, nats.ErrAccountAuthExpired) ||
		errors.Is(err, nats.ErrPermissionViolation)
}

// IsUntrusted reports whether we do not trust the certificate of a server.
func IsUntrusted(err error) bool {
	_, ok := errors.AsType[*tls.CertificateVerificationError](err)
	return ok
}

// IsCertificateRefused reports whether a server does not trust our certificate. It tells so by an alert, of which Go
// has a type of its own only for QUIC, and may end the connection before that is read.
func IsCertificateRefused(err error) bool {
	e, ok := errors.AsType[*net.OpError](err)
	return ok && e.Op == "remote error" && strings.Contains(e.Err.Error(), "certificate") || IsDropped(err)
}

// IsDropped reports whether a connection ended behind its TLS handshake without a word.
func IsDropped(err error) bool {
	return errors.Is(err, nats.ErrTLS) && (errors.Is(err, io.EOF) || errors.Is(err, syscall.EPIPE) || errors.Is(err, syscall.ECONNRESET))
}

// IsNetwork reports whether an error is of the network itself rather than of an answer over it.
func IsNetwork(err error) bool {
	_, ok := errors.AsType[net.Error](err)
	_, op := errors.AsType[*net.OpError](err)
	return ok || op
}
