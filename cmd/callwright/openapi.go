package main

import (
	"maps"
	"net/http"
	"slices"
	"sync"

	"github.com/callwright/callwright/internal/access"
	"github.com/callwright/callwright/internal/gateway"
	"github.com/callwright/callwright/internal/keyapi"
	"github.com/callwright/callwright/internal/openapi"
	"github.com/callwright/callwright/internal/version"
)

// openAPI returns the OpenAPI document of the gateway's own API, which excludes the APIs of providers.
func openAPI() ([]byte, error) {
	types := gateway.OperationTypes()
	maps.Copy(types.Enums, keyapi.Enums())
	types.Refine = keyapi.Refine
	return openapi.Document(openapi.Info{
		Title: "Callwright", Version: version.This().Version,
		Description: "The gateway's own API for operators and programs, without the APIs of providers.",
	}, types, slices.Concat(gateway.Operations(), keyapi.Operations()))
}

// serveOpenAPI returns the handler of the OpenAPI document. The first request creates the document.
func serveOpenAPI() gateway.AdminHandler {
	document := sync.OnceValues(openAPI)
	return func(w http.ResponseWriter, r *http.Request, _ *access.Caller) error {
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			return keyapi.Refuse(w, r, http.MethodGet)
		}
		text, err := document()
		if err != nil {
			return err
		}
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write(text)
		return nil
	}
}
