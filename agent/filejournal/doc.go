// Package filejournal stores the runs of agents as files in a folder, one file per run. A run survives the end of its
// process, and another process on the same machine can resume it.
//
// # Files
//
// The file name is the id of the run with a "~" before each capital letter and the suffix ".jsonl". The "~" keeps
// "run_A" and "run_a" apart on file systems that ignore case. Each line is one entry, in the order of the Append calls:
//
//	{"n":1,"len":71,"crc":"18a2b35b","entry":{"kind":"call","time":"2026-03-29T01:59:59Z","call":"a","data":{"x":1}}}
//
// n is the line number from 1. len is the length of entry in bytes, crc its CRC-32C as eight hexadecimal digits. data
// is always the last member and keeps its bytes. Data that contains line breaks, surrounding white space or extremely
// deep nesting is stored as base64 in data_base64 instead. Append only adds lines. Files can be read and copied by
// other programs; an edited line fails the checksum.
//
// # Durability
//
// When Append returns, the entry and the name of a new file are synced to disk. A crash during Append can leave an
// incomplete last record: without a line end, or with a wrong length or checksum and nothing after it. Load ignores
// that record, and the next Append removes it. Any other damage is an error with the file, the number of the record and
// the offset of its first byte.
//
// # Several processes
//
// Several processes may use one folder. Append and Remove hold an advisory lock on the file of the run (flock, on
// Windows LockFileEx) while they work. The lock is released at the latest when the process ends. The file system must
// support such locks: local file systems do, network file systems do not. [Open] returns [callwright.KindUnsupported]
// on operating systems without either lock.
package filejournal
