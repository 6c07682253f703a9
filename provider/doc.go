// Package provider opens language models over HTTP.
//
//	model, err := provider.Open("groq/llama-3.3-70b-versatile") // the key comes from GROQ_API_KEY
//	client := reliable.New(model)
//
// [Open] finds the address, the API and the environment variable of the key of common providers in a table.
// [WithBaseURL] and [WithWire] describe any other server. A [Model] sends requests unchanged, retries transport
// failures before the first byte of a response, and has a circuit breaker. Package reliable wraps a Model to adapt
// requests to it and to repair its responses. Every error is a *callwright.Error whose Kind determines retry and
// fallback. Errors and printed values never contain credentials.
package provider
