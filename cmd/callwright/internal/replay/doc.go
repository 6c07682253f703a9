// Package replay reads the requests of a trace again, offline: the clients and codecs of today get the bytes that
// providers sent then, and the results are compared with the recorded ones.
package replay
