// Package replay reads the requests of a trace again, offline: the clients and codecs of today get the bytes that providers sent then, and
// what comes of it is compared with what was recorded.
package replay
