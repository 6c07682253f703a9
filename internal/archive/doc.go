// Package archive stores data of finished requests: model responses that later requests can continue, and reports for
// clients and operators.
//
// [Answers] and [Reports] are the interfaces. [MemoryAnswers] and [MemoryReports] implement them in memory. Package
// archivetest tests implementations.
//
// All data has an owner, which represents the key of the request, and is not returned to other owners. Its size, number
// and age are limited ([Limits]); the oldest data is removed first. Errors are *callwright.Error:
// [callwright.KindNotFound] for an unknown key, [callwright.KindTooLarge] for data larger than the limit of all data,
// [callwright.KindCanceled] if the context is done, and [callwright.KindUnavailable] if the store cannot be read or
// written at present. Callers wait for the store, and their context may have no deadline, so an implementation that
// uses the network must limit the time of each call itself.
package archive
