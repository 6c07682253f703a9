package repair_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/callwright/callwright/repair"
)

// Each shape repeats its middle until the text is long enough. The last ones are made to hurt.
var shapes = []struct{ name, head, middle, tail string }{
	{"valid", `{"files":[`, `{"path":"src/main.go","content":"package main\n\nfunc main() {}\n","mode":420},`, `0]}`},
	{"dict", `{'files':[`, `{'path':'src/main.go','content':'package main\n\nfunc main() {}\n','mode':None,},`, `0]}`},
	{"raw", `{"content":"`, "if x == 'y' {\n\tprint(1)\n}\n", `",}`},
	{"quotes", `{"content":"`, `fmt.Println("x", "y") // "z"` + "\n", `"}`},
	{"doubled", `"{\"content\":\"`, `line of text\\n`, `\",}"`},
	{"commas", `{"a":"`, `",`, `"}`},
	{"closers", `{"a":"x" y`, `"}`, `"}`},
	{"brackets", strings.Repeat("[", 500) + `"x" y`, `"]`, `"` + strings.Repeat("]", 500)},
	{"blanks", `{"a":"x" y`, `"` + strings.Repeat(" ", 250), `"}`},
	{"keys", `{"a":"x" y`, `","` + strings.Repeat("k", 120), `"}`},
	{"tails", `{"a":"x" y`, `"} z" w`, `"}`},
}

func shaped(i, size int) string {
	s := shapes[i]
	return s.head + strings.Repeat(s.middle, size/len(s.middle)+1) + s.tail
}

// The figures of the two sizes, in MB/s, must be alike.
func BenchmarkJSON(b *testing.B) {
	for i, s := range shapes {
		for _, size := range []int{64 << 10, 1 << 20} {
			text := shaped(i, size)
			b.Run(fmt.Sprintf("%s/%dK", s.name, size>>10), func(b *testing.B) {
				b.SetBytes(int64(len(text)))
				b.ReportAllocs()
				for b.Loop() {
					_, _ = repair.JSON(text)
				}
			})
		}
	}
}

func BenchmarkFinder(b *testing.B) {
	for i, s := range shapes {
		for _, size := range []int{64 << 10, 1 << 20} {
			text := shaped(i, size)
			b.Run(fmt.Sprintf("%s/%dK", s.name, size>>10), func(b *testing.B) {
				b.SetBytes(int64(len(text)))
				for b.Loop() {
					ends(text, 4)
				}
			})
		}
	}
}

func BenchmarkTextReader(b *testing.B) {
	for i, s := range shapes {
		for _, size := range []int{64 << 10, 1 << 20} {
			text := `"` + shaped(i, size)
			b.Run(fmt.Sprintf("%s/%dK", s.name, size>>10), func(b *testing.B) {
				b.SetBytes(int64(len(text)))
				for b.Loop() {
					said(b, text, 4)
				}
			})
		}
	}
}

func BenchmarkPython(b *testing.B) {
	for i, s := range shapes {
		for _, size := range []int{64 << 10, 1 << 20} {
			text := shaped(i, size)
			b.Run(fmt.Sprintf("%s/%dK", s.name, size>>10), func(b *testing.B) {
				b.SetBytes(int64(len(text)))
				for b.Loop() {
					_, _, _ = repair.PythonArgs("(x=" + text + ")")
				}
			})
		}
	}
}
