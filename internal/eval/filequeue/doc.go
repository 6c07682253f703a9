// Package filequeue stores an evaluation run of package eval in a directory, so that an interrupted run can be
// continued.
//
// # Files
//
// The directory contains the file results.jsonl. Its first line is the header of the run. Each further line is the
// result of a cell, in the order in which the cells were finished:
//
//	{"n":1,"len":105,"crc":"18a2b35b","entry":{"header":{"eval":1,"build":"v1.2.0","seed":1,"plan":"9f86d081","cells":60,"live":false}}}
//	{"n":2,"len":871,"crc":"5d1cf3a0","entry":{"result":{"id":"openai/gpt-4o|auto|heal|default|happy_path|1","outcome":"ok"}}}
//
// n is the number of the line, from 1. len is the length of entry in bytes, and crc its CRC-32C. Lines are only
// appended. Read reads such a file.
//
// # Durability
//
// When Finish returns, the result is on disk. Results that are finished concurrently are written together. An
// incomplete last line after a crash belongs to a call of Finish that did not return; it is ignored and removed. Any
// other damaged line is an error with the line number.
//
// Only one process at a time can use a directory. The file is locked while it is open, and opening it in another
// process fails with [callwright.KindConflict].
package filequeue
