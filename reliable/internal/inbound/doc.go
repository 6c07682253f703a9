// Package inbound reads the answer of one attempt and hands its deliverable events on.
//
// An [Answer] is made of a [Setup], takes the answer's events and ends with an [Outcome]. Its text goes through a
// scanner that finds calls and reasoning (textreader.go, writtencalls.go), or is read as one JSON document
// (document.go); native calls are assembled, and handed on piece by piece where that is allowed (native.go). Undecided
// events are held in a queue (package eventqueue), in order, until [Answer.Finalize] has validated them. The text
// inside a provider's refusal is read like an answer (refusal.go).
package inbound
