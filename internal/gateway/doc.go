// Package gateway is an HTTP server for the APIs of OpenAI (Chat Completions and Responses), Anthropic, Gemini and
// Ollama. It answers each request with a reliable.Client.
//
// The codec of the client's API decodes the request, the reliable.Client of the requested model generates the response,
// and the same codec encodes it. If nothing was changed, the provider's bytes are forwarded. Errors have the format of
// the client's API. Each response has a report. The response header Callwright-Report has its id, and GET
// /callwright/reports/{id} returns it.
//
// The table routes lists the served paths. Responses of the Responses API are stored for an hour by default, so that a
// later request can refer to one by its id. Only the key that created a response can read it. Package archive stores
// these responses and the reports: in memory unless Config says otherwise.
package gateway
