// Package stats contains statistics for reports of trials: percentiles, a confidence interval for a proportion, and
// exact tests for the difference of two proportions. All functions are deterministic and safe for concurrent use.
package stats
