package jsonx

import "unsafe"

// Text and bytes share their memory here, and nowhere else: a copy of each text of a request makes decoding it a twentieth to a tenth slower.

// aliasOf is b as a string, which stays as it is only as long as nobody writes to b.
func aliasOf(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }

// BytesOf returns the bytes of s without a copy. They must not be written to. For bytes that are read in a call alone []byte(s) does the same.
func BytesOf(s string) []byte { return unsafe.Slice(unsafe.StringData(s), len(s)) }
