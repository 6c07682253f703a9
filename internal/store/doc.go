// Package store keeps what gateways share, and what must outlive them, on NATS JetStream: in a server inside the
// process that keeps its files in a folder, or in a cluster by address. Both are used by the same code.
//
// [Open] opens a [Store]; its methods give implementations of the interfaces of other packages, such as [caps.Store]
// and [trace.Log]. What they keep lies in streams, one of each [Kind], which are made when they are first used.
// Subjects have digests in place of the names of owners and models.
//
// # In the process
//
// The server of a folder opens no port, and has the folder for itself: a second process is told so with
// [callwright.KindConflict]. What is acknowledged is on disk. Files are for this user alone.
//
// A process that is to take the place of another one, without anybody noticing, joins it ([Config].Join): it uses the
// server of that one by a socket in the folder. When that one ends, in whatever way, its lock of the folder ends with
// it; then the process that joined has the folder, and starts a server of its own. Calls wait meanwhile.
//
// # A cluster
//
// A cluster of three servers or more keeps three copies of each stream, one server one copy. It has to be NATS 2.12 or
// newer. While its servers elect a leader, calls are tried again for some seconds.
//
// # When NATS is away
//
// Facts and opaque state are kept in memory too: reading them never waits for the network, and what is learned
// meanwhile is written when NATS is back. Traces wait in memory, up to a bound. Whatever must be acknowledged fails
// with [callwright.KindUnavailable], and may then be kept all the same: only reading it tells. [Store.Health] says what
// is wrong. A cluster without a quorum is connected and does not answer: a request waits for it once. Until it answers
// again, what can wait is tried beside requests. A Store opens without NATS as well, and finds it when it comes.
package store
