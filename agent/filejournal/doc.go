// Package filejournal keeps the runs of agents in a folder, a file for each run, so that a run survives the end of its
// process and can be continued by another one on the same machine.
//
// # Files
//
// The file of a run is named after its id and ends in ".jsonl". A "~" stands before each capital letter, for file
// systems to which "run_A" and "run_a" are the same. Each line is one entry, in the order in which they were recorded:
//
//	{"n":1,"len":71,"crc":"18a2b35b","entry":{"kind":"call","time":"2026-03-29T01:59:59Z","call":"a","data":{"x":1}}}
//
// n counts the lines from 1. len is the number of bytes of entry, crc their CRC-32C in eight hexadecimal digits. data,
// always the last member, stands as it was given. Only where one line of JSON cannot hold it so (it has line ends, or
// spaces around it, or is nested extremely deep) there is data_base64 in its place. Lines are only added. Files can be
// read and copied with anything; a line that was edited is found to be damaged.
//
// # What is kept
//
// When Append returns, the entry is on disk, as is the name of a file that was made. A record at the end of a file that
// a crash cut, which nobody was told is there, is ignored by Load and cut off by the next Append. Such a record has no
// line end, or the wrong length or checksum and nothing after it. Anything else that is not as it was written is an
// error that names the file, the record and its first byte.
//
// # Several processes
//
// Journals of several processes may have the same folder. Append and Remove hold an advisory lock on the file of the
// run (flock, on Windows LockFileEx) for the moment that they take, which ends with the process. Both need a file
// system on which such locks work: one of the machine itself, not one of a network. [Open] fails with
// [callwright.KindUnsupported] on operating systems that have neither.
package filejournal
