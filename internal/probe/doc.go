// Package probe measures the capabilities of a live model. [Run] sends it a bounded number of small requests, with
// healing disabled, and returns a [Card]: the result of each check, a score, counts of damaged calls, and facts for a
// [caps.Store].
//
// A check that fails by the model's answer is made twice before it counts; a refusal by the provider counts at once. A
// fact needs a decided check: an answer that was cut off, and a provider that failed, decide nothing.
package probe
