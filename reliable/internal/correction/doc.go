// Package correction writes the self-correction request after an invalid answer: the conversation so far, the model's
// answer, the accepted calls, and the violations of the others in the words of their schemas.
package correction
