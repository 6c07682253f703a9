package preflight

import (
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/callwright/callwright"
)

// detail returns a short description of a provider that responds, such as its number of models.
func detail(r reached) string {
	switch e, failed := errors.AsType[*callwright.Error](r.err); {
	case failed && e.Status == http.StatusForbidden:
		return "it does not list its models for this key"
	case failed && e.Status != 0:
		return fmt.Sprintf("it currently answers with status %d", e.Status)
	case r.err != nil:
		return ""
	case len(r.Models) == 1:
		return "1 model"
	case len(r.Models) > 0:
		return fmt.Sprintf("%d models", len(r.Models))
	}
	return "it lists no models"
}

// credentials returns a phrase with the source of a provider's credentials, "" if that is an environment variable.
func credentials(r reached) string {
	if r.endpoint == nil || r.endpoint.Credentials() == "" {
		return ""
	}
	return ", with credentials from " + r.endpoint.Credentials()
}

// problem returns the reason why a provider cannot be used, with the remedy; "" if it can be used.
func (c *Checker) problem(r reached) string {
	switch {
	case r.Unlisted:
		return fmt.Sprintf("%s has no list of models: check %s.base_url", r.address, r.path)
	case r.err == nil:
		return ""
	}
	e, ok := errors.AsType[*callwright.Error](r.err)
	switch {
	case !ok:
		return r.err.Error()
	// The message already contains the setting and the remedy.
	case r.endpoint == nil, e.Kind == callwright.KindAuth, strings.HasPrefix(e.Message, r.path+": "):
		return e.Message
	case e.Kind == callwright.KindRateLimited, e.Kind == callwright.KindOverloaded, e.Kind == callwright.KindPermission:
		return ""
	case e.Status/100 == 4 && e.Status != http.StatusNotFound && e.Status != http.StatusMethodNotAllowed: // responds
		return ""
	case r.Refused:
		return r.endpoint.NothingListens(r.address)
	case e.Kind == callwright.KindTimeout, e.Kind == callwright.KindCanceled:
		return fmt.Sprintf("%s does not answer within %s: check the network and %s.base_url", r.address, Time, r.path)
	case e.Status != 0:
		return fmt.Sprintf("%s answers with status %d: %s", r.address, e.Status, errorText(e))
	}
	return fmt.Sprintf("%s: %s: check %s.base_url", r.address, errorText(e), r.path)
}

// errorText returns the message of an error on one line.
func errorText(e *callwright.Error) string {
	text := e.Message
	if e.Err != nil {
		text = strings.TrimPrefix(text+": "+e.Err.Error(), ": ")
	}
	return strings.Join(strings.Fields(text), " ")
}
