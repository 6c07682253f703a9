// Package correction writes the request that asks a model again after an answer that cannot stand: the conversation so far, what
// the model wrote, the calls that are taken, and what is wrong with the others in the words of their schemas.
package correction
