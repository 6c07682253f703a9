// Package balance chooses the key and the host that a request to a provider is sent with, and has the one table of
// cooldowns: the times in which a key, a host or a model is avoided, because of how an earlier request ended. A
// provider with one key and one host has the same rules as one with several.
//
// A pair of a key and a host is a target. A request gets the target with the fewest requests in flight relative to its
// weight; of equal ones the turn is taken by a smooth weighted round robin, as in nginx
// (https://nginx.org/en/docs/http/ngx_http_upstream_module.html#least_conn). A request of a known conversation gets the
// target that its affinity ranks first by rendezvous hashing (https://en.wikipedia.org/wiki/Rendezvous_hashing), which
// gateways that share nothing rank alike. It gets the next one in that order while the first one cools down or is
// overloaded: it has more than twice its share of the requests in flight, and at least [StickyRequests].
//
// A part cools down after a failure that is about it: a key, a host, a model, a key for one model, or a host for one
// model. The provider states how long, or the time follows from the kind of the failure and doubles while failures
// follow one another (see restOf). No target is chosen while a part of it cools down and another target is free. After
// a cooldown one request is sent, and others avoid the part until its answer is there. A host whose failures nobody
// states a time for cools down only where there is another host: the circuit breaker is for the only one.
package balance
