// Package store stores data on NATS JetStream that gateways share or that must outlive them. It uses a NATS cluster, or
// a server inside this process with a data directory. Both work in the same way.
//
// [Open] opens a [Store]. Its methods return implementations of the interfaces of other packages, such as [caps.Store]
// and [trace.Log]. Each [Kind] of data has a stream, created on first use. Subjects contain hashes in place of the
// names of owners and models.
//
// # Server inside the process
//
// The server opens no port and locks its directory. Opening the directory in a second process fails with
// [callwright.KindConflict]. Acknowledged data is on disk. Only the current user can read the files.
//
// A process that replaces another one without interruption joins it ([Config].Join). It uses the server of the other
// process over a socket in the directory. When the other process ends, for any reason, its lock ends too. The joined
// process then locks the directory and starts its own server. Calls wait meanwhile.
//
// # Cluster
//
// NATS 2.12 or newer is required. A cluster of three or more servers keeps three copies of each stream; a single server
// keeps one. While the servers elect a leader, calls are retried for some seconds.
//
// # Without NATS
//
// Facts about models and reasoning signatures are also kept in memory. Reading them never waits for the network, and
// changes are written when NATS is available again. Traces are queued in memory up to a limit. A write that must be
// acknowledged fails with [callwright.KindUnavailable]; its data may still have been stored, which only a read shows.
// [Store.Health] returns the problem. A cluster without a quorum is connected but does not answer. One request waits
// for it; until it answers again, other writes are retried in the background if they can be delayed. Open succeeds
// while NATS is unavailable, and the Store connects later.
package store
