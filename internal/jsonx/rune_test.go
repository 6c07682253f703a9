package jsonx_test

import (
	"testing"
	"unicode/utf8"

	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/longtest"
)

// A string is valid where its characters are, whatever stands around them: all of up to three bytes, and those of four around every bound.
func TestCharactersOfStrings(t *testing.T) {
	try := func(c []byte) {
		for _, text := range [][]byte{c, append(append([]byte("seven.."), c...), "behind it"...)} {
			quoted := append(append([]byte{'"'}, text...), '"')
			if got, want := jsonx.Valid(quoted) == nil, utf8.Valid(text); got != want {
				t.Fatalf("% x: valid %t, want %t", c, got, want)
			}
		}
	}
	for a := 0x80; a < 0x100; a++ {
		try([]byte{byte(a)})
		for b := 0x23; b < 0x100; b++ {
			if b == '\\' {
				continue
			}
			try([]byte{byte(a), byte(b)})
			thirds := []byte{'a', 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xff}
			if !longtest.IsEnabled() {
				thirds = thirds[1:3]
			}
			for _, c := range thirds {
				try([]byte{byte(a), byte(b), c})
				for _, d := range []byte{'a', 0x7f, 0x80, 0xbf, 0xc0, 0xff} {
					try([]byte{byte(a), byte(b), c, d})
				}
			}
		}
	}
}
