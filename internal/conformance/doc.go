// Package conformance checks a server of a chat API against the documentation of that API. [Run] sends a bounded number
// of small requests. It returns a [Card] with the result of each check and, for failures, a curl command and an excerpt
// of the response.
//
// There are two kinds of checks. A protocol check depends only on the server. A model check needs a model that calls
// tools as instructed, and is tried several times. If the model does something else, the result is "not tested". A
// model check fails only if the server changed a call.
//
// The package has its own encoders and decoders of the five APIs, written by their documentation. It imports no codec
// of this module, so that checking a gateway can find defects of the codecs.
package conformance
