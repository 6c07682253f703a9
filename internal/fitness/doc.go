// Package fitness chooses among the models of a group, for one request.
//
// A member is left out that cannot answer the request: its context is too small, it does not take the tools or the
// images, its provider cannot be used, or it is skipped now. The others come in an order: by their success rate, their
// cost, their latency, or as they are configured. Where no member is left, all that could answer at another time are
// asked, and where there are none of those either, all.
package fitness
