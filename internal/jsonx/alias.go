package jsonx

import "unsafe"

// Only this file makes strings and bytes share memory: with a copy of each text, decoding a request takes 5 to 10 percent longer.

// aliasOf returns b as a string without a copy. b must not be written to while the string is in use.
func aliasOf(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }

// BytesOf returns the bytes of s without a copy. They must not be written to. Where the bytes neither escape nor change, []byte(s) does not copy
// either.
func BytesOf(s string) []byte { return unsafe.Slice(unsafe.StringData(s), len(s)) }
