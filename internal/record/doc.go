// Package record writes and reads files of checked records, a line each:
//
//	{"n":1,"len":71,"crc":"18a2b35b","entry":{...}}
//
// n counts the lines from 1, len is the number of bytes of the body, crc its CRC-32C in eight hexadecimal digits; the
// body, always the last member, has a name that goes by the file. Each byte is held against the one that would be
// written, so that any change of a line is found.
//
// Lines are only added. A record at the end of a file that a crash cut has no line end, or the wrong length or checksum
// and nothing after it: [Scan] passes over it. Anything else that is not as it was written is a [Damage].
package record
