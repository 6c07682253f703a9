// Package probe tests the capabilities of a live model, such as tool calls, images and JSON answers. [Run] sends at
// most [MaxRequests] small requests and changes no response. It returns a [Card]: the result of each check, a score,
// the counts of damaged calls, and facts for a [caps.Store].
//
// A check that fails because of the model's response is repeated once before it counts as failed. A check whose request
// the provider refuses fails at once. A truncated response and a failed provider set no fact.
package probe
