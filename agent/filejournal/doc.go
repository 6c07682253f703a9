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
// always the last member, stands as it was given. Data with line ends, with spaces around it or with extremely deep
// nesting does not fit one line of JSON; data_base64 takes its place. Lines are only added. Files can be
// read and copied with anything; a line that was edited is found to be damaged.
//
// # Durability
//
// When Append returns, the entry is on disk, and so is the name of a new file. If a crash cuts the last record of a
// file, its Append has not returned: Load ignores the record and the next Append cuts it off. Such a record has no line
// end, or the wrong length or checksum and nothing after it. Any other damage is an error that names the file, the
// record and its first byte.
//
// # Several processes
//
// Journals of several processes may have the same folder. Append and Remove hold an advisory lock on the file of the
// run (flock, on Windows LockFileEx) while they work. The lock ends with the process at the latest. The file system
// must support such locks: local ones do, network ones do not. [Open] fails with [callwright.KindUnsupported] on
// operating systems that have neither kind of lock.
package filejournal
