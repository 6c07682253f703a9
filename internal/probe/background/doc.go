// Package background probes models whose capabilities are unknown, while no client uses their provider.
//
// The gateway reports each client request to a [Prober]. After the first successful request to a model, the Prober
// queues the model and probes it with [probe.Run], one model at a time and at most once a day. The Prober sends a
// request only while no client request runs at the provider. A client request cancels a running probe request, which is
// repeated later.
package background
