// Package background probes models without known facts, while nobody uses them.
//
// A [Prober] is told of the requests that clients make. When the first one to a model was answered the model is queued,
// and probed by [probe.Run], one model at a time, once a day. The requests of a probe are made only while no client's
// request runs at the provider; one that runs when a client's begins is cancelled and made again later. Clients see its
// facts alone.
package background
