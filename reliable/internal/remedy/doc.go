// Package remedy changes the request of a self-correction, beside the words that say why the answer cannot stand: small
// models repeat an answer whose request was the same in all that counts for them. A remedy is one such change. The
// table has all of them, in the order in which they are tried; which of them healed a model's answers before, counted
// by kind of failure, goes first.
//
// A correction makes at most [Fresh] remedies that were not tried for the request, so that counts tell which of them
// help. Those of the correction before stay where they concern other parts of the request. Nothing is sent that the
// receiver is known to lack; a refusal teaches it, and the correction is sent once more without remedies.
package remedy
