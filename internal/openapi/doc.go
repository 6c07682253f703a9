// Package openapi generates an OpenAPI 3.1 document for HTTP operations whose bodies are Go types
// (https://spec.openapis.org/oas/v3.1.0).
//
// A package with HTTP handlers lists its endpoints as [Operation] values, and [Document] generates the document from
// all lists. JSON Schemas are generated from the Go types by the rules of encoding/json, so that documented and actual
// members agree.
package openapi
