// Package balance chooses the API key and the host for a request to a provider. It also has the cooldowns: the times in
// which a key, a host or a model is avoided because of the result of an earlier request. The rules are the same for
// providers with one key and one host.
//
// A pair of a key and a host is a target. A request gets the target with the fewest requests in flight relative to its
// weight. Equal targets take turns by a smooth weighted round robin, as in nginx
// (https://nginx.org/en/docs/http/ngx_http_upstream_module.html#least_conn). A request of a known conversation gets the
// target that its affinity ranks first by rendezvous hashing (https://en.wikipedia.org/wiki/Rendezvous_hashing). All
// gateways compute the same ranking. The request gets the next target in the ranking if the first one is in a cooldown
// or overloaded, that is, has more than twice its share of the requests in flight and more than [StickyRequests].
//
// A part is a key, a host, a model, a key for one model, or a host for one model. A failure begins a cooldown of the
// part that caused it. The provider states its duration. Otherwise the duration depends on the kind of failure, and
// doubles with each consecutive failure (see restOf). A target with a part in a cooldown is not chosen while another
// target is free. After a cooldown one request is sent, and others avoid the part until its response arrives. A failing
// host without a stated duration gets a cooldown only if there is another host. A single host has the circuit breaker
// instead.
package balance
