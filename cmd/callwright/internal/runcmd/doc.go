// Package runcmd implements callwright run, in which a model works with tools until it answers, and callwright runs,
// which lists the stored runs.
package runcmd
