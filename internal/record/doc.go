// Package record writes and reads append-only files of records with checksums, one JSON line each:
//
//	{"n":1,"len":71,"crc":"18a2b35b","entry":{...}}
//
// n is the line number, from 1. len is the length of the body in bytes and crc its CRC-32C in eight hexadecimal digits.
// The body is always the last member; its name depends on the file. A reader compares every byte of a line with the one
// that the writer would produce, so that any change is detected.
//
// A crash can leave an incomplete record at the end of a file: it has no line break, or a wrong length or checksum and
// nothing after it. [Scan] ignores it. Any other deviation is reported as a [Damage].
package record
