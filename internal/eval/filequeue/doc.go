// Package filequeue keeps a run of the evaluation harness in a folder, so that an interrupted run can be continued.
//
// # Files
//
// The folder has the file results.jsonl. Its first line is the header of the run. Each further line is the result of a
// cell, in the order in which the cells were finished:
//
//	{"n":1,"len":105,"crc":"18a2b35b","entry":{"header":{"eval":1,"build":"v1.2.0","seed":1,"plan":"9f86d081","cells":60,"live":false}}}
//	{"n":2,"len":871,"crc":"5d1cf3a0","entry":{"result":{"id":"openai/gpt-4o|auto|heal|default|happy_path|1","outcome":"ok"}}}
//
// n counts the lines from 1, len is the number of bytes of entry, and crc their CRC-32C. Lines are only appended. Read
// reads such a file.
//
// # Durability
//
// When Finish returns, the result is on disk. Results that are finished at the same time are written together. A last
// line that a crash cut belongs to no Finish that returned: it is skipped and cut off. Any other line that differs from
// the line that was written is an error with the number of the line.
//
// One process at a time uses a folder: the file is locked while it is open, and opening it in another process fails
// with [callwright.KindConflict].
package filequeue
