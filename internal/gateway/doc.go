// Package gateway is the HTTP server. It serves the APIs of the wires, and answers each request by a reliable model.
//
// A client speaks the API it already speaks. Its request is decoded by that wire's codec, answered by the
// reliable.Client of the model it names, and the answer is encoded by the same codec: with the provider's own bytes
// where nothing was changed. Errors have the shape of the client's API. Every answer has a report, named in the header
// Callwright-Report and kept for GET /callwright/reports/{id}.
//
// The table routes lists the served paths. Answers of the Responses API are kept for an hour, so that a request can
// continue from one by its id; only the key that made an answer reads it. Package archive stores these answers and the
// reports: in memory, unless a Config says otherwise.
package gateway
