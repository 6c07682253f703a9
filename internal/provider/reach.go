package provider

import (
	"context"
	"errors"
	"net/http"
	"slices"

	"github.com/callwright/callwright"
)

// A Reached is a provider that answers.
type Reached struct {
	Models []Listing // by name, empty where it lists none
	// Complete says that a model that the list lacks cannot be asked.
	Complete bool
	// Unlisted says that the list is not found, although the base address may be right: some servers have none.
	Unlisted bool
	// Refused says that nothing listens at the base address, beside an error.
	Refused bool
	// Passing says that the next request may well be answered, beside an error: the answer was late, the server failed,
	// or the connection broke.
	Passing bool
}

// Reach looks whether the provider answers, by one request: for its list of models or, where it has none, for its base
// address. Errors are *callwright.Error.
func (p *Provider) Reach(ctx context.Context) (Reached, error) {
	r := p.newRemote("")
	r.id = callwright.ModelID(p.cfg.Name)
	if p.row.ModelsPath == "" {
		if _, err := r.get(ctx, "/"); err != nil && err.Status == 0 && err.Kind != callwright.KindBadAnswer { // any answer will do
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
	err.Message = "the list of models is not found: " + p.baseHint()
	return Reached{}, r.seal(err)
}

// stateFromError returns the known state of a provider that does not answer.
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

// Address returns the base address, for people: without a query.
func (p *Provider) Address() string { return p.redactURL(p.base) }

// Row returns the row of the provider.
func (p *Provider) Row() Row { return p.row }

// HasKey reports whether requests carry a key or other credentials.
func (p *Provider) HasKey() bool { return !p.keys[0].secret.Empty() || p.cfg.Authorizer != nil }

// isNoPath reports whether a server does not know a path.
func isNoPath(err *callwright.Error) bool {
	return err.Status == http.StatusNotFound || err.Status == http.StatusMethodNotAllowed
}
