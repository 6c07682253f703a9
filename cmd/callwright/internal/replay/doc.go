// Package replay replays the requests of a trace offline: the current clients and codecs process the recorded provider
// responses, and the results are compared with the recorded ones.
package replay
