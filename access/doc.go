// Package access decides who may ask, for which model, and how much: keys with names, scopes, an end, and limits of requests, tokens and
// money.
//
// A [Gate] finds the [Caller] of the keys that a client presents. What a caller has used is counted in windows of time, a minute, a day or
// a month, by [Counters], which several gateways share.
package access
