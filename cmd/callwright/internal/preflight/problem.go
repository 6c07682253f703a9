package preflight

import (
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/callwright/callwright"
)

// detail says what was found of a provider that answers.
func detail(r reached) string {
	switch e, failed := errors.AsType[*callwright.Error](r.err); {
	case failed && e.Status == http.StatusForbidden:
		return "it does not show its models to this key"
	case failed && e.Status != 0:
		return fmt.Sprintf("it answers %d now", e.Status)
	case r.err != nil:
		return ""
	case len(r.Models) == 1:
		return "1 model"
	case len(r.Models) > 0:
		return fmt.Sprintf("%d models", len(r.Models))
	}
	return "it lists no models"
}

// problem says why a provider cannot be used, and what to do; "" where it can.
func (c *Checker) problem(r reached) string {
	switch {
	case r.Unlisted:
		return fmt.Sprintf("%s has no list of models: is providers.%s.base_url right?", r.address, r.name)
	case r.err == nil:
		return ""
	}
	e, ok := errors.AsType[*callwright.Error](r.err)
	setting := "providers." + r.name + "."
	switch {
	case !ok:
		return r.err.Error()
	case e.Kind == callwright.KindAuth && e.Status == 0:
		return c.noKey(r)
	case e.Op != "" && e.Status == 0 && e.Kind == callwright.KindInvalid: // it could not be made
		return e.Message + ": see " + setting + "base_url"
	case e.Kind == callwright.KindAuth:
		return refusedKey(r, e.Status)
	case e.Kind == callwright.KindRateLimited, e.Kind == callwright.KindOverloaded, e.Kind == callwright.KindPermission:
		return ""
	case e.Status/100 == 4 && e.Status != http.StatusNotFound && e.Status != http.StatusMethodNotAllowed: // it answers, if not this
		return ""
	case r.Refused:
		return nobody(r)
	case e.Kind == callwright.KindTimeout, e.Kind == callwright.KindCanceled:
		return fmt.Sprintf("%s does not answer within %s: is it reachable from here, and is %sbase_url right?", r.address, Time, setting)
	case e.Status != 0:
		return fmt.Sprintf("%s answers %d: %s", r.address, e.Status, said(e))
	}
	return fmt.Sprintf("%s: %s: see %sbase_url", r.address, said(e), setting)
}

// said is the text of an error, on one line.
func said(e *callwright.Error) string {
	text := e.Message
	if e.Err != nil {
		text = strings.TrimPrefix(text+": "+e.Err.Error(), ": ")
	}
	return strings.Join(strings.Fields(text), " ")
}

// noKey says that a variable has no key.
func (c *Checker) noKey(r reached) string {
	state := "not set"
	if _, there := c.Env(r.variable); there {
		state = "empty"
	}
	return fmt.Sprintf("%s is %s: export %s=... with a key of %s", r.variable, state, r.variable, r.name)
}

// refusedKey says that a provider does not take the key, by where the key is from.
func refusedKey(r reached, status int) string {
	switch {
	case !r.hasKey:
		return fmt.Sprintf("%s wants a key (status %d) and none is set: set providers.%s.api_key", r.address, status, r.name)
	case r.written:
		return fmt.Sprintf("%s does not accept the key (status %d): correct providers.%s.api_key", r.address, status, r.name)
	}
	return fmt.Sprintf("%s does not accept the key of %s (status %d): export %s=... with a valid key of %s", r.address, r.variable, status, r.variable, r.name)
}

// nobody says that nothing listens at the address of a provider, and how the server is started.
func nobody(r reached) string {
	if r.server.Start != "" {
		return fmt.Sprintf("nothing listens at %s (%s): start it with `%s`", r.address, r.server.Title, r.server.Start)
	}
	return fmt.Sprintf("nothing listens at %s: start the server, or correct providers.%s.base_url", r.address, r.name)
}
