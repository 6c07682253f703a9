// Package provider opens language models over HTTP.
//
//	model, err := provider.Open("groq/llama-3.3-70b-versatile") // the key comes from GROQ_API_KEY
//	client := reliable.New(model)
//
// [Open] knows the address, the API and the key variable of common providers by name. [WithBaseURL] and [WithWire]
// describe any other server. A [Model] is a callwright.Model: it sends requests as they are, retries transport failures
// before the first byte of an answer, and has a circuit breaker. Package reliable shapes requests for it and repairs
// its answers. Every failure is a *callwright.Error whose Kind decides about retry and fallback. Credentials appear in
// no error and in no printed value.
package provider
