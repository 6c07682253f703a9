// Package located finds where in a history the things stand that notes are about: encoders name calls and quote texts, and do not know
// where these stood before the history was mended.
package located
