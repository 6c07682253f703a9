// Package health lists the problems of a running gateway: models that fail, and faults that its other parts report.
//
// A [Monitor] counts requests by model and kind of error, over the last 15 minutes and since its start. Its memory is
// bounded by the number of models and kinds; counting a request takes constant time, and allocates only for a model or
// a kind that is new.
//
// A model has a problem while failures are recent and nothing shows that they are over. A refusal that is about the
// key, the account or the name of the model is over with the first answer of the model. Other failures are over when so
// many answers came since the last one that four more failures were due at the rate before. Failures that are about a
// request alone, such as an invalid one, are a problem only of a model that answered none.
package health
