// Package conformance checks a server of a chat API against the documentation of that API. [Run] sends a bounded number
// of small requests and returns a [Card] with the result of each check, the request that shows a failure as a line for
// curl, and an excerpt of the answer.
//
// There are two kinds of checks. A protocol check depends on the server alone. A model check needs a model that calls
// tools as it is told: it is tried several times, is not tested where the model does something else, and fails only by
// what the server did to a call.
//
// The five APIs are written and read here once more, from their documentation. The package imports no codec, so that an
// error of a codec does not hide in the check of a gateway that uses it.
package conformance
