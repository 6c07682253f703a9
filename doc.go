// Package callwright makes tool calls reliable on every language model.
//
// It holds the vocabulary in which all rooms speak ([Request], [Message], [Part], [Tool], [Call], [Result], [Event],
// [Response], [Note], [Report], [Error]), the [Model] interface, and [New], which wraps any Model into a [Client]: a Model
// whose calls name declared tools and satisfy their schemas, or that says honestly why there are none. On the way a
// request is planned (which model, which mode), made fit for its receiver, sent, its answer normalised, judged and
// corrected; every change is a [Note] in the [Report].
//
// Callers with an HTTP client of their own use the three steps alone: [Shape], [Extract] and [Validate].
package callwright
