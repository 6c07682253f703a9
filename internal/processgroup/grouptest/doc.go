// Package grouptest has the helpers of tests that end groups of processes.
package grouptest
