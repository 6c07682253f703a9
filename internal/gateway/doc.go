// Package gateway is the HTTP server: the front doors of the wires, behind which every model is a reliable one.
//
// A client speaks the API it already speaks. Its request is decoded by that wire's codec, answered by the
// reliable.Client of the model it names, and the answer is encoded by the same codec: with the provider's own bytes
// where nothing was changed. Errors have the shape of the client's API. Every answer has a report, named in the header
// Callwright-Report and kept for GET /callwright/reports/{id}.
//
// What is served stands in one table, see routes. Answers of the Responses API are kept for an hour, so that a request
// may go on from one by its id; only the key that made an answer reads it. Where they and the reports are kept is the
// affair of package archive: in memory, unless a Config says otherwise.
package gateway
