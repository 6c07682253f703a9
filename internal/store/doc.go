// Package store keeps the data that gateways share, or that must outlive them, on NATS JetStream: in a server inside
// the process that keeps its files in a folder, or in a cluster by address. Both are used by the same code.
//
// [Open] opens a [Store]; its methods return implementations of the interfaces of other packages, such as [caps.Store]
// and [trace.Log]. Their data is in streams, one of each [Kind], which are made when they are first used. Subjects have
// digests in place of the names of owners and models.
//
// # In the process
//
// The server of a folder opens no port and locks the folder: opening it in a second process fails with
// [callwright.KindConflict]. Acknowledged data is on disk. Only this user can read the files.
//
// A process that replaces another one without interruption joins it ([Config].Join): it uses the server of the other
// process over a socket in the folder. When the other process ends, for any reason, its lock of the folder ends too.
// The process that joined then locks the folder and starts a server of its own. Calls wait meanwhile.
//
// # A cluster
//
// A cluster of three servers or more keeps three copies of each stream, one server one copy. It needs NATS 2.12 or
// newer. While its servers elect a leader, calls are retried for some seconds.
//
// # When NATS is away
//
// Facts and opaque state are kept in memory too: reading them never waits for the network, and changes made meanwhile
// are written when NATS is back. Traces wait in memory, up to a bound. A write that must be acknowledged fails with
// [callwright.KindUnavailable]. Its data may be kept all the same; only a read shows that. [Store.Health] returns the
// problem. A cluster without a quorum is connected and does not answer: a request waits for it once. Until the cluster
// answers again, writes that can wait are tried beside requests. A Store also opens while NATS is away, and connects
// when NATS is there.
package store
