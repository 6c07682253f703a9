// Package runcmd is the commands callwright run and callwright runs: a model works with tools until it has answered,
// and the runs that are kept are listed.
package runcmd
