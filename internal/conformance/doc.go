// Package conformance checks a server of a chat API against the documentation of that API. [Run] sends a bounded number
// of small requests and returns a [Card] with the result of each check, the request that shows a failure as a line for
// curl, and an excerpt of the answer.
//
// There are two kinds of checks. A protocol check depends on the server alone. A model check needs a model that calls
// tools as instructed. It is tried several times. Its result is "not tested" where the model does something else, and
// it fails only for a change that the server made to a call.
//
// The package writes and reads the five APIs with code of its own, by their documentation. It imports no codec, so that
// the check of a gateway finds the errors of the codecs that the gateway uses.
package conformance
