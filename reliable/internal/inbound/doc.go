// Package inbound reads the response to one attempt and delivers its events.
//
// An [Answer] is created from a [Setup], processes the events of the response and produces an [Outcome]. Text is
// scanned for calls and reasoning (textreader.go, writtencalls.go), or is parsed as one JSON document (document.go).
// Native calls are assembled, and streamed if permitted (native.go). Undecided events are queued in order (package
// eventqueue) until [Answer.Finalize] has validated them. Model output inside a provider's error is read like a
// response (refusal.go).
package inbound
