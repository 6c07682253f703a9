// Package figures makes figures of reports: the number of requests, their outcomes, durations, changes and costs.
package figures
