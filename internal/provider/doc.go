// Package provider reaches models over HTTP. A [Provider] is an endpoint with its credentials, its connections and its
// quirks. A [Remote] is one model there, a callwright.Model.
//
// Known providers are rows of a table, see [Rows]; any other is described by a [Config]. The codecs of package wire
// encode requests and decode answers. This package sends bytes, bounds the time of every phase, retries transport
// failures before the first byte was handed on, and keeps a circuit breaker per model. Every failure is a
// *callwright.Error whose Kind decides about retry and fallback. Credentials appear in no error and in no printed
// value.
package provider
