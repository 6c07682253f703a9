// Package stats has the few statistics that reports of trials need: percentiles, an interval for a share, and exact
// tests of whether two shares differ by more than chance. All functions are deterministic and safe for concurrent use.
package stats
