// Package inbound reads the answer of one attempt and hands on what the client is to get.
//
// An [Answer] is made of a [Setup] (what is given), takes the answer's events and comes to an [Outcome]. Its text goes through
// a scanner that finds calls and reasoning (textreader.go, writtencalls.go), or is read as one JSON document (document.go); native
// calls are assembled, and handed on piece by piece where that is allowed (native.go). What may not leave yet is held in a queue
// (package eventqueue), in order, until [Answer.Finalize] has judged it. The text inside a provider's refusal is read like an answer
// (refusal.go).
package inbound
