// Package keyring keeps the keys and the groups of keys that are made while gateways run.
//
// A [Ring] has them in memory and changes them in a [Log], which the gateways of an installation share: each change is
// one entry, with who made it, when, and the key as it is afterwards. So the log is the state and the audit of it. Of a
// secret the log has a hash alone; the secret itself is returned once, to who made it. A Ring is an [access.Source]:
// the gate of a gateway takes its keys beside those of the configuration.
package keyring
