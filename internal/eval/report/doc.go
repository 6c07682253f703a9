// Package report evaluates the results of a run of package eval. A [Summary] can be printed as text, written as JSON,
// or rendered as an HTML page. A [Comparison] compares two runs, or two settings within one run.
//
// The success rate is the share of OK trials among those that are OK or Failed, whose number is n. Refused trials were
// rejected by the provider, Broken trials did not reach it, and Skipped trials are meaningless combinations. These
// three are counted separately. Durations are of the n counted trials. All other sums are over all trials.
//
// The output does not depend on the order of the results. The JSON of two runs with equal results differs only in
// members named times. docs/evaluation-reports.md describes it.
package report
