// Package fitness chooses among the models of a group for one request.
//
// It excludes a member that cannot answer the request: its context is too small, it does not support the tools or
// images, its provider cannot be used, or it is skipped at present. The other members are ordered by success rate,
// cost, latency, or the configuration. If all are excluded, the members that are only skipped at present are used, and
// if there are none, all members.
package fitness
