// Package openapi makes an OpenAPI 3.1 document of operations whose bodies are Go types
// (https://spec.openapis.org/oas/v3.1.0).
//
// A package that serves paths lists them as [Operation] values, beside the handlers; [Document] puts the lists
// together. Schemas follow from the types by the rules of encoding/json, so that the document and the answers cannot
// differ in their members.
package openapi
