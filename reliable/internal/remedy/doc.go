// Package remedy changes the request of a self-correction, in addition to the correction message. Small models often
// repeat a failed response if the request hardly changes. A remedy is one change, for example another seed or strict
// tools. The table has all remedies in their default order. The remedies that helped the model most often after the
// same kind of failure come first.
//
// A correction has at most [Fresh] remedies that were not tried before for the request, so that counts show which ones
// help. Remedies of the previous correction stay if they change other parts of the request. A remedy is not used if
// the receiver is known not to support it. If the provider rejects a correction, it is sent once more without
// remedies.
package remedy
