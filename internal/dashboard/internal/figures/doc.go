// Package figures computes metrics from reports: the number of requests, their outcomes, durations, repairs and costs.
package figures
