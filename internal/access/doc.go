// Package access controls access to models: keys with names, scopes, an expiry, and limits of requests, tokens and
// money.
//
// A [Gate] finds the [Caller] of the keys that a client presents. The use of a caller is counted in windows of time, a
// minute, a day or a month, by [Counters], which several gateways share. The tokens of a request and their cost are not
// known before it is sent. They are reserved by an estimate and settled afterwards ([Use]), so that concurrent requests
// do not pass a limit together. [Prices] are the prices of models. Keys are kept as hashes, and may come from a [File]
// that changes while a gateway runs.
package access
