// Package balance chooses the key and the host that a request to a provider is sent with, where the provider has several of either.
//
// A pair of a key and a host is a target. A request gets the target with the fewest requests in flight relative to its weight; of equal ones the
// turn is taken by a smooth weighted round robin, as in nginx (https://nginx.org/en/docs/http/ngx_http_upstream_module.html#least_conn). A request
// of a known conversation gets the target that its affinity ranks first by rendezvous hashing
// (https://en.wikipedia.org/wiki/Rendezvous_hashing), which gateways that share nothing rank alike. It gets the next one in
// that order while the first one cools down or is overloaded: it has more than twice its share of the requests in flight, and at least
// [StickyRequests].
//
// A part of a target, which is its key, its host, or its key for one model, cools down after a failure that is about the part. No target is chosen
// while a part of it cools down and another target is free. After a cooldown that nobody stated, one request at a time is sent until one is answered.
package balance
