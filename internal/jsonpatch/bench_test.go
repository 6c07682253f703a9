package jsonpatch_test

import (
	"fmt"
	"strings"
	"testing"
)

// document has so many items of some hundred bytes.
func document(items int) []byte {
	item := `{"id":9007199254740993,"name":"` + strings.Repeat("x", 60) + `","tags":["a","b"],"at":{"x":1.5,"y":[1,2,3]}}`
	return []byte(`{"title":"A","items":[` + strings.Repeat(item+",", items-1) + item + `]}`)
}

// operations replaces a value in so many items, spread over the document.
func operations(n, items int) []byte {
	ops := make([]string, n)
	for i := range ops {
		ops[i] = fmt.Sprintf(`{"op":"replace","path":"/items/%d/at/y/0","value":%d}`, i*items/n, i)
	}
	return []byte("[" + strings.Join(ops, ",") + "]")
}

func BenchmarkApply(b *testing.B) {
	for _, items := range []int{10, 100, 1000, 7000} {
		for _, ops := range []int{1, 1000} {
			doc, patch := document(items), operations(ops, items)
			b.Run(fmt.Sprintf("%dKB/%dops", len(doc)/1000, ops), func(b *testing.B) {
				b.SetBytes(int64(len(doc)))
				b.ReportAllocs()
				for b.Loop() {
					if _, err := apply(doc, patch, limits); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
