package provider

import (
	"context"
	"errors"
	"net/http"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/redact"
)

// An Authorizer adds credentials that expire to requests: a token or a signature. It is safe for concurrent use. If it
// is an io.Closer, its creator closes it.
type Authorizer interface {
	// Authorize sets the headers of req that carry the credentials. body is the request body, for signatures. It waits for
	// credentials until ctx ends. Its error is a complete message for people: a *callwright.Error of KindAuth if there are
	// no credentials, of another kind if they cannot be obtained at present.
	Authorize(ctx context.Context, req *http.Request, body []byte) error
	// Renew reports that the provider refused the credentials of a request. It returns true if a retry may have other
	// credentials.
	Renew(refused *http.Request) bool
	// Secrets returns the texts that errors must not contain.
	Secrets() []string
	// Describe returns the source of the credentials for people, such as "the AWS profile models".
	Describe() string
}

const opAuthorize = "provider.authorize"

// authorizationError returns the error of a request whose credentials could not be obtained. failed is the error of the
// Authorizer. A cancelled or expired request has precedence.
func authorizationError(ctx context.Context, w *watch, failed error) *callwright.Error {
	var quiet silence
	switch {
	case ctx.Err() != nil:
		return contextError(ctx)
	case errors.As(w.ctx.reason(), &quiet):
		return &callwright.Error{Op: opAuthorize, Kind: callwright.KindTimeout, Err: quiet}
	}
	e := *errorOf(failed, callwright.KindUnavailable, opAuthorize) // a copy, since several requests may share the error
	e.Op = opAuthorize
	return &e
}

// isRefused reports whether err is a provider's refusal of the credentials: KindAuth, or status 401 or 403.
func isRefused(err *callwright.Error) bool {
	return err.Kind == callwright.KindAuth || err.Status == http.StatusUnauthorized || err.Status == http.StatusForbidden
}

// authorize adds credentials to a request if the provider has an Authorizer. It records the reason if that fails.
func (p *Provider) authorize(ctx context.Context, w *watch, req *http.Request, body []byte) *callwright.Error {
	if p.cfg.Authorizer == nil {
		return nil
	}
	if err := p.cfg.Authorizer.Authorize(w.ctx, req, body); err != nil {
		e := authorizationError(ctx, w, err)
		if ctx.Err() == nil {
			sealed := redact.Of(p.secrets()...).Error(&callwright.Error{Message: e.Message, Err: e.Err, Kind: e.Kind})
			text := failureText(sealed)
			p.missing.Store(&text)
		}
		return e
	}
	if p.missing.Load() != nil {
		p.missing.Store(nil)
	}
	return nil
}

// MissingCredentials returns the reason why the credentials of the last request could not be obtained, or "" if they
// were obtained or are not needed.
func (p *Provider) MissingCredentials() string {
	if why := p.missing.Load(); why != nil {
		return *why
	}
	return ""
}

// Credentials returns the source of the credentials for people: a program, a cloud or a file. It returns "" for an API
// key in the configuration or in a variable, and for no credentials.
func (p *Provider) Credentials() string {
	switch path, inFile := p.cfg.APIKey.File(); {
	case p.cfg.Authorizer != nil:
		return p.cfg.Authorizer.Describe()
	case inFile:
		return "the file " + path
	}
	return ""
}
