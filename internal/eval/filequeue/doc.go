// Package filequeue keeps a run of the harness in a folder, so that it goes on where it ended, whatever ended it.
//
// # Files
//
// The folder has the file results.jsonl. Its first line says what is measured, each further one is the result of a
// cell, in the order in which they were finished:
//
//	{"n":1,"len":105,"crc":"18a2b35b","entry":{"header":{"eval":1,"build":"v1.2.0","seed":1,"plan":"9f86d081","cells":60,"live":false}}}
//	{"n":2,"len":871,"crc":"5d1cf3a0","entry":{"result":{"id":"openai/gpt-4o|auto|heal|default|happy_path|1","outcome":"ok"}}}
//
// n counts the lines from 1, len is the number of bytes of entry, and crc their CRC-32C. Lines are only added. Read
// reads such a file.
//
// # What is kept
//
// When Finish returns, the result is on disk. Results that are finished at the same time are written together. A last
// line that a crash cut, which nobody was told is there, is passed over and cut off. Anything else that is not as it
// was written is an error that names the line.
//
// One process at a time works in a folder: the file is locked while it is open, and another one is refused with
// [callwright.KindConflict].
package filequeue
