// Package background probes models of which nothing is known, while nobody uses them.
//
// A [Prober] is told of the requests that clients make. When the first one to a model was answered the model is queued, and probed by
// [probe.Run], one model at a time, once a day. The requests of a probe are made only while no client's request runs at the
// provider; one that runs when a client's begins is broken off and made again later. Nothing of it reaches a client but what was found.
package background
