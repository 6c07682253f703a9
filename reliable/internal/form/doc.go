// Package form says whether a text is the JSON document in which a client wants the answer, and how it differs from it.
package form
