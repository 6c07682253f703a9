// Package steps shows the steps of a model's answer, out of the entries of a trace: the bytes that the provider sent,
// their meaning in its API, the repairs, the validation of the calls, and the bytes that the client was sent.
package steps
