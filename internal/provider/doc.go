// Package provider sends requests to models over HTTP. A [Provider] is an endpoint with its credentials, connections
// and quirks. A [Remote] is one model of a Provider, and implements callwright.Model.
//
// Built-in providers are rows of a table, see [Rows]. A [Config] describes any other provider. The codecs of package
// wire encode requests and decode responses. This package transfers bytes, limits the time of each phase, retries
// failures that occur before the first event was yielded, and has a circuit breaker for each model. Every error is a
// *callwright.Error, whose Kind decides about retries and fallbacks. Errors and printed values contain no credentials.
package provider
