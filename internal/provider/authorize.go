package provider

import (
	"context"
	"errors"
	"net/http"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/redact"
)

// An Authorizer puts credentials that end on the requests to a provider: a token, or a signature. It is safe for
// concurrent use. One that is an io.Closer is closed by who made it.
type Authorizer interface {
	// Authorize sets the headers of a request that carry the credentials. body is what is sent. It waits for
	// credentials no longer than ctx lasts. Its error has all that people are to read: an *callwright.Error of KindAuth
	// where there are no credentials, of another kind where they cannot be had now.
	Authorize(ctx context.Context, req *http.Request, body []byte) error
	// Renew is told that the provider refused a request for its credentials, and reports whether there may be others
	// for the next try.
	Renew(refused *http.Request) bool
	// Secrets returns the texts that no error may show.
	Secrets() []string
	// Describe names where the credentials are from, for people.
	Describe() string
}

const opAuthorize = "provider.authorize"

// authorizationError returns the error of a request for which there are no credentials.
func authorizationError(ctx context.Context, w *watch, failed error) *callwright.Error {
	var quiet silence
	switch {
	case ctx.Err() != nil:
		return contextError(ctx)
	case errors.As(w.ctx.reason(), &quiet):
		return &callwright.Error{Op: opAuthorize, Kind: callwright.KindTimeout, Err: quiet}
	}
	e := *errorOf(failed, callwright.KindUnavailable, opAuthorize) // it may be that of several requests
	e.Op = opAuthorize
	return &e
}

// isRefused reports whether a provider refused the credentials of a request.
func isRefused(err *callwright.Error) bool {
	return err.Kind == callwright.KindAuth || err.Status == http.StatusUnauthorized || err.Status == http.StatusForbidden
}

// authorize puts credentials on a request, where the provider has an Authorizer.
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

// MissingCredentials returns why the last request had no credentials, "" where it had some, or needs none.
func (p *Provider) MissingCredentials() string {
	if why := p.missing.Load(); why != nil {
		return *why
	}
	return ""
}

// Credentials names where the credentials of requests are from: a program, a cloud, a file. It is empty where that is
// the key of a variable or none.
func (p *Provider) Credentials() string {
	switch path, inFile := p.cfg.APIKey.File(); {
	case p.cfg.Authorizer != nil:
		return p.cfg.Authorizer.Describe()
	case inFile:
		return "the file " + path
	}
	return ""
}
