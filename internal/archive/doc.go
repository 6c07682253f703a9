// Package archive keeps what clients of the gateway ask for after they were answered: the answers that later requests go on from, and the
// reports of requests.
//
// [Answers] and [Reports] are the interfaces. [MemoryAnswers] and [MemoryReports] implement them in memory; package archivetest is the suite that
// every implementation passes.
//
// What is kept has an owner, whom the key of a request stands for, and is found for nobody else. It is bounded in bytes, in number and by age
// ([Limits]); the oldest goes first. Errors are *callwright.Error: [callwright.KindNotFound] for what is not kept, [callwright.KindTooLarge] for
// what is larger than all there is room for, [callwright.KindCanceled] where the context has ended, and [callwright.KindUnavailable] where the
// store cannot be asked or written to now. Who asks waits for the answer: an implementation that speaks to other machines bounds the time of each
// call itself, as not every caller's context does.
package archive
