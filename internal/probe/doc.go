// Package probe asks a live model what it can do. [Run] sends it a bounded number of small requests, as they are and without any healing,
// and gives a [Card]: what each check found, a score, counts of damaged calls, and facts for a [caps.Store].
//
// A check that fails by what the model said is made twice before it counts; one that the provider refused counts at once. Facts are
// only those that a check decided: an answer that was cut off, and a provider that failed, decide nothing.
package probe
