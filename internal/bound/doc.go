// Package bound limits the use by one conversation of a client: tool calls, tokens and cost.
//
// Use is counted for 24 hours in [access.Counters], which several gateways can share. When a conversation comes near a
// limit, the model is informed once by a sentence in the prompt. At the limit, requests are rejected. If a conversation
// reaches a limit before the model was informed, one more request with the sentence is allowed.
package bound
