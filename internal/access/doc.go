// Package access controls access to models: keys with names, scopes, an expiry, and limits of requests, tokens and
// money.
//
// A [Gate] returns the [Caller] for the keys that a client presents. The use of a caller is counted in time windows of
// a minute, a day or a month, by [Counters] that several gateways share. The tokens and the cost of a request are
// unknown before it is sent. They are reserved by an estimate and settled afterwards ([Use]), so that concurrent
// requests together do not exceed a limit. [Prices] are the prices of models. Keys are stored as hashes. They may come
// from a [File] that changes while a gateway runs.
package access
