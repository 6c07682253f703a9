// Package bound bounds the use by one conversation of a client: calls of tools, tokens and money.
//
// The use of a conversation is counted by [access.Counters], which several gateways share, and counts for 24 hours. Its
// model is told once that it comes near a bound. After that, at the bound, requests are refused. A conversation that
// reaches a bound before its model was told has one more request, in which the model is told.
package bound
