package provider

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"slices"
	"strings"
	"syscall"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/redact"
)

const (
	opNew  = "provider.new"
	opSend = "provider.send"

	// maxErrorRead is the maximum number of bytes read of an error response, which may contain the whole text of the
	// model.
	maxErrorRead = 1 << 20
	// maxErrorBody is the maximum number of bytes of the body in an error.
	maxErrorBody = 64 << 10
)

var (
	errDeadline = errors.New("the request's own deadline passed")
	errTooLong  = errors.New("the answer is longer than the limit")

	errNoHost     = errors.New("no such host")
	errNoName     = errors.New("the host's name could not be looked up")
	errUntrusted  = errors.New("the provider's certificate cannot be trusted")
	errConnection = errors.New("the connection failed")
)

func invalid(format string, args ...any) *callwright.Error {
	return &callwright.Error{Op: opNew, Kind: callwright.KindInvalid, Message: fmt.Sprintf(format, args...)}
}

// transportError returns the error of a try whose transport failed with err. ctx is the context of the request, w the
// watch of the try. started reports whether the response header had arrived.
func (p *Provider) transportError(ctx context.Context, w *watch, err error, started bool) *callwright.Error {
	if ctx.Err() != nil {
		return contextError(ctx)
	}
	e := &callwright.Error{Op: opSend, Err: withoutAddresses(err)}
	var quiet silence
	var timed net.Error
	switch {
	case errors.As(w.ctx.reason(), &quiet):
		e.Kind, e.Err = callwright.KindTimeout, quiet
	case errors.As(err, &timed) && timed.Timeout():
		if e.Kind = callwright.KindTimeout; p.connect.limit > 0 && isConnecting(err) {
			e.Err = silence{&p.connect}
		}
	case started:
		e.Kind, e.Message = callwright.KindTruncated, "the answer broke off"
	case p.proxyFailed(err):
		e.Kind, e.Message, e.Err = callwright.KindUnavailable, p.noProxy(), nil
	case errors.Is(err, syscall.ECONNREFUSED):
		e.Kind, e.Message, e.Err = callwright.KindUnavailable, p.nothingListensAt(w.host), nil
	default:
		e.Kind, e.Message = callwright.KindUnavailable, "provider "+p.cfg.Name+" did not answer"
	}
	return e
}

// isConnecting reports whether err is a timeout of this program before the connection was established, in contrast to a
// timeout of the operating system.
func isConnecting(err error) bool {
	of, ok := errors.AsType[*net.OpError](err)
	return (ok && of.Op == "dial" || strings.Contains(err.Error(), "TLS handshake timeout")) && !errors.Is(err, syscall.ETIMEDOUT)
}

// withoutAddresses returns the cause of a transport error without hosts and ports. They may belong to a private
// network, which clients must not see.
func withoutAddresses(err error) error {
	var (
		of   *net.OpError
		name *net.DNSError
		told *tls.CertificateVerificationError
	)
	switch {
	case errors.As(err, &name) && name.IsNotFound:
		return errNoHost
	case errors.As(err, &name):
		return errNoName
	case errors.As(err, &told):
		return errUntrusted
	case errors.As(err, &of):
		return withoutAddresses(of.Err)
	case hasAddress(err.Error()):
		return errConnection
	}
	return err
}

// hasAddress reports whether a text seems to contain host:port.
func hasAddress(text string) bool {
	for i := 1; i+1 < len(text); i++ {
		if text[i] == ':' && text[i-1] > ' ' && '0' <= text[i+1] && text[i+1] <= '9' {
			return true
		}
	}
	return false
}

// errorOf returns the *callwright.Error in err, or a new one of the given kind that wraps err.
func errorOf(err error, kind callwright.Kind, op string) *callwright.Error {
	if e, ok := errors.AsType[*callwright.Error](err); ok {
		return e
	}
	return &callwright.Error{Op: op, Kind: kind, Err: err}
}

// seal prepares an error for callers: it sets the model, limits the body, and masks the API key everywhere. For a
// refused key it replaces the message, the body and the cause, which may contain part of the key.
func (r *Remote) seal(e *callwright.Error) *callwright.Error { return r.sealFor(e, 0) }

// sealFor is seal for a request that was sent with the key p.keys[key].
func (r *Remote) sealFor(e *callwright.Error, key int) *callwright.Error {
	e.Model = r.id
	if e.Kind == callwright.KindAuth && e.Op != opAuthorize {
		e.Message, e.Body, e.Err = r.p.refusedKey(e.Status, &r.p.keys[key]), nil, nil
	}
	e.Op = "" // the model says where it failed
	e = redact.Of(r.p.secrets()...).Error(e)
	if len(e.Body) > maxErrorBody {
		e.Body = e.Body[:maxErrorBody:maxErrorBody]
	}
	return e
}

// during sets the operation of an error, except of an error of missing credentials, which seal recognises by its
// operation.
func during(op string, e *callwright.Error) {
	if e.Op != opAuthorize {
		e.Op = op
	}
}

// secrets returns the texts that errors must not contain: the API keys and the values of configured headers.
func (p *Provider) secrets() []string {
	var all []string
	for i := range p.keys {
		if _, inFile := p.keys[i].secret.File(); !inFile {
			all = append(all, p.keys[i].secret.Reveal())
		}
	}
	for _, f := range p.files {
		all = append(all, f.Texts()...)
	}
	if p.cfg.Authorizer != nil {
		all = append(all, p.cfg.Authorizer.Secrets()...)
	}
	for name, values := range p.header() {
		if _, shipped := p.row.Headers[name]; !shipped && name != "Content-Type" && name != "User-Agent" {
			for _, v := range values {
				if at := strings.LastIndexByte(v, ' '); at >= 0 && name == "Authorization" {
					v = v[at+1:] // skip Bearer or Basic
				}
				all = append(all, v)
			}
		}
	}
	return slices.DeleteFunc(all, func(s string) bool { return len(s) < 8 })
}
