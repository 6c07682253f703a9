// Package restore records the opaque state of answers in a [signature.Store], and restores it in the history of later
// requests, for clients that send back only the id, the name and the arguments of a call.
//
// A [Trail] assembles the states of one answer, a [Recorder] stores them before the client sees the end of the answer,
// and [Signatures] puts them back into a request for the same model.
package restore
