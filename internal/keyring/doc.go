// Package keyring stores the keys and groups of keys that are created while gateways run.
//
// A [Ring] has them in memory and records changes in a [Log], which all gateways of an installation share. An entry of
// the log is one change: who made it, when, and the state of the key afterwards. The log is therefore both the stored
// state and the audit. It contains only the hash of a secret. The secret is returned once, to the caller that created
// it. A Ring is an [access.Source]: a gateway's gate accepts its keys in addition to the configured ones.
package keyring
