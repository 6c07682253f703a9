// Package compare sets Callwright beside others, in one run on one machine: the streaming parsers of Ollama for calls
// in text, and jsonrepair, the widest Go library that mends JSON.
//
// It is a module of its own, so that users of the library never see what it needs. Both sides must find the same call,
// or mend to the same value, before anything is measured. The metric ratio is how much longer twice the input takes: 2
// is linear.
//
//	cd test/compare && CGO_ENABLED=0 go test -run '^$' -bench .
//	cd test/compare && CGO_ENABLED=0 go test -run '^$' -bench Arguments -size 1048576 -benchtime 1x   # takes minutes
package compare
