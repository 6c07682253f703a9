// Package steps shows what became of a model's answer, out of the entries of a trace: the bytes that the provider sent, what its API means by them,
// what was mended, how the calls were judged, and what the client was sent.
package steps
