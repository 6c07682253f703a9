// Package archive keeps answers and reports after requests have ended: the answers that later requests continue, and
// the reports that clients and operators ask for.
//
// [Answers] and [Reports] are the interfaces. [MemoryAnswers] and [MemoryReports] implement them in memory; package
// archivetest is the suite that every implementation passes.
//
// Everything kept has an owner, whom the key of a request stands for, and is found for nobody else. It is bounded in
// bytes, in number and by age ([Limits]); the oldest goes first. Errors are *callwright.Error:
// [callwright.KindNotFound] for an unknown key, [callwright.KindTooLarge] for data larger than the bound of all,
// [callwright.KindCanceled] where the context has ended, and [callwright.KindUnavailable] where the store cannot be
// asked or written to now. Callers wait for the store: an implementation that speaks to other machines bounds the time
// of each call itself, as not every caller's context does.
package archive
