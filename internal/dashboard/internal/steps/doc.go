// Package steps shows the processing steps of a model's answer by the entries of its trace: the bytes from the
// provider, the decoded response, the repairs, the validation of the calls, and the bytes to the client.
package steps
