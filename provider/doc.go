// Package provider reaches models over HTTP. A [Provider] is an endpoint with its credentials, its connections and its
// quirks; a [Remote] is one model there, a callwright.Model.
//
//	m, err := provider.Open("groq/llama-3.3-70b-versatile") // the key comes from GROQ_API_KEY
//	client := reliable.New(m)
//
// Known providers are rows of a table, see [Rows]; any other is described by a [Config]. What the answers mean is the
// work of the codecs below wire, which write tools and schemas as they are: package reliable puts them into the form that a provider takes
// beforehand, and undoes that afterwards. This package sends bytes, watches the time of every phase, tries again what is worth
// another try before the first byte was handed on, and keeps a breaker per model. Every failure is a *callwright.Error
// whose Kind decides what comes next. Credentials appear in no error and in no printed value.
package provider
