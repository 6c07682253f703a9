// Package report says what the results of a run of package eval mean: as a [Summary], which is printed for people,
// written as JSON, or shown as a page for a browser, and as a [Comparison] of two runs, or of two settings within one.
//
// What counts: a trial that is OK or Failed counts for the rate of success, whose denominator is called n. Refused ones
// were not let through by the provider, Broken ones never reached it, Skipped ones make no sense; they are counted
// apart and said beside the rate. Durations are those of the trials that count. All other sums are over all trials.
//
// Nothing here depends on the order of the results. Of two runs with the same results but for times, the JSON differs
// only in members called times; docs/evaluation-reports.md describes it.
package report
