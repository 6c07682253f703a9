// Package restore saves the opaque state of answers (signatures, encrypted reasoning) in a [signature.Store] and adds
// it to the history of later requests. It serves clients that send back only the ID, the name and the arguments of a
// call.
//
// A [Trail] collects the state of one answer, a [Recorder] saves it before the client receives the end of the answer,
// and [Signatures] adds it to a request for the same model.
package restore
