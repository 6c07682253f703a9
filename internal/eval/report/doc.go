// Package report evaluates the results of a run of package eval. A [Summary] is printed for people, written as JSON, or
// shown as a page for a browser. A [Comparison] compares two runs, or two settings within one run.
//
// The success rate is that of the trials that are OK or Failed; their number is called n. Refused trials were rejected
// by the provider, Broken trials never reached it, and Skipped trials are combinations that make no sense. These three
// are counted apart and shown beside the rate. Durations are those of the n trials. All other sums are over all trials.
//
// Nothing here depends on the order of the results. Of two runs with the same results but for times, the JSON differs
// only in members called times; docs/evaluation-reports.md describes it.
package report
