package provider

import (
	"context"
	"errors"
	"net/http"
	"slices"

	"github.com/callwright/callwright"
)

// A Reached is the result of a connection test of a provider. Refused and Passing are set together with an error.
type Reached struct {
	Models []Listing // sorted by name; empty if the provider has no list
	// Complete reports whether the provider has no models besides the list.
	Complete bool
	// Unlisted reports whether the provider answered but has no model list at the expected path. Some servers have none.
	Unlisted bool
	// Refused reports whether the connection was refused because nothing listens at the base address.
	Refused bool
	// Passing reports whether the error is transient: a timeout, a server error or a broken connection.
	Passing bool
}

// Reach tests whether the provider answers, with one request: for its model list, or for its base address if it has no
// list. Errors are *callwright.Error.
func (p *Provider) Reach(ctx context.Context) (Reached, error) {
	r := p.newRemote("")
	r.id = callwright.ModelID(p.cfg.Name)
	if p.row.ModelsPath == "" {
		if _, err := r.get(ctx, "/"); err != nil && err.Status == 0 && err.Kind != callwright.KindBadAnswer { // any response is sufficient
			return p.stateFromError(err), r.seal(err)
		}
		return Reached{}, nil
	}
	l, err := p.ownList(ctx)
	switch {
	case err == nil:
		p.discoverer.remember(l)
		return Reached{Models: l.models, Complete: l.complete(p.row)}, nil
	case !isNoPath(err):
		return p.stateFromError(err), r.seal(err)
	case p.wrongBase() == noFault:
		return Reached{Unlisted: true}, nil
	}
	err.Message = "the list of models was not found: " + p.baseHint()
	return Reached{}, r.seal(err)
}

// stateFromError returns the result for a provider whose request failed with err.
func (p *Provider) stateFromError(err *callwright.Error) Reached {
	refused := err.Kind == callwright.KindUnavailable && p.isUnheard(err.Message)
	switch {
	case refused, err.Message == p.noProxy(), errors.Is(err, errNoHost), errors.Is(err, errNoName), errors.Is(err, errUntrusted):
		return Reached{Refused: refused}
	case err.Status != 0:
		return Reached{Passing: err.Status/100 == 5}
	}
	return Reached{Passing: slices.Contains([]callwright.Kind{callwright.KindTimeout, callwright.KindCanceled,
		callwright.KindTruncated, callwright.KindUnavailable}, err.Kind)}
}

// Address returns the base address for people, without a query.
func (p *Provider) Address() string { return p.redactURL(p.base) }

// Row returns the table row of the provider.
func (p *Provider) Row() Row { return p.row }

// HasKey reports whether requests carry an API key or other credentials.
func (p *Provider) HasKey() bool { return !p.keys[0].secret.Empty() || p.cfg.Authorizer != nil }

// isNoPath reports whether a server has no endpoint at the requested path: status 404 or 405.
func isNoPath(err *callwright.Error) bool {
	return err.Status == http.StatusNotFound || err.Status == http.StatusMethodNotAllowed
}
