// Package health lists the present problems of a gateway: models whose requests fail, and faults that other components
// of the gateway report.
//
// A [Monitor] counts requests by model and kind of error, over the last 15 minutes and since its start. Its memory use
// is bounded by the number of models and kinds. Counting a request takes constant time and allocates memory only for a
// new model or kind.
//
// The failures of a model in the last 15 minutes are a problem under these conditions:
//
//   - A refusal caused by the key, the account or the model's name is a problem until the model answers a request.
//   - A failure of the model or its provider, such as a timeout, is a problem if the model has answered no request, or
//     if at least two requests and 5 % of all failed. It ends after as many answers as contain four failures at the
//     earlier rate.
//   - A failure caused by the request, such as an invalid one, is a problem only if at least three requests failed and
//     the model has answered none.
package health
