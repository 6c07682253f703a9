// Package access decides who may ask, for which model, and how much: keys with names, scopes, an end, and limits of
// requests, tokens and money.
//
// A [Gate] finds the [Caller] of the keys that a client presents. What a caller has used is counted in windows of time,
// a minute, a day or a month, by [Counters], which several gateways share. What is not known before a request is made,
// its tokens and what they cost, is counted ahead by an estimate and settled afterwards ([Use]), so that many requests
// at the same time do not pass a limit together. [Prices] says what models cost. Keys are kept as hashes, and may come
// from a [File] that changes while a gateway runs.
package access
