package sse_test

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/callwright/callwright/sse"
)

// deltas returns a stream of n chunks as chat APIs send them.
func deltas(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `data: {"id":"chatcmpl-1","object":"chat.completion.chunk","created":1700000000,"model":"large",`+
			`"choices":[{"index":0,"delta":{"content":"word%d "},"finish_reason":null}]}`+"\n\n", i)
	}
	return b.String() + "data: [DONE]\n\n"
}

func drain(b *testing.B, r *sse.Reader) (n int) {
	for {
		_, err := r.Next()
		if err == io.EOF {
			return n
		}
		if err != nil {
			b.Fatal(err)
		}
		n++
	}
}

func BenchmarkReader(b *testing.B) {
	stream := deltas(60)
	b.Run("60 events", func(b *testing.B) {
		b.SetBytes(int64(len(stream)))
		b.ReportAllocs()
		src := strings.NewReader(stream)
		for b.Loop() {
			src.Reset(stream)
			if n := drain(b, sse.NewReader(src)); n != 61 {
				b.Fatalf("got %d events", n)
			}
		}
	})
	// A line twice as long must take twice as long, although it arrives in the same small pieces.
	for _, size := range []int{1 << 20, 2 << 20} {
		long := "data: " + strings.Repeat("x", size) + "\n\n"
		b.Run(fmt.Sprintf("line of %d MiB in 16s", size>>20), func(b *testing.B) {
			b.SetBytes(int64(len(long)))
			for b.Loop() {
				drain(b, sse.NewReader(&pieces{text: long, sizes: []int{16}}))
			}
		})
	}
}

func BenchmarkLineReader(b *testing.B) {
	stream := strings.Repeat(`{"message":{"role":"assistant","content":"word"},"done":false}`+"\n", 60)
	b.SetBytes(int64(len(stream)))
	b.ReportAllocs()
	for b.Loop() {
		drain(b, sse.NewLineReader(strings.NewReader(stream)))
	}
}

func BenchmarkAppend(b *testing.B) {
	body := bytes.Repeat([]byte("word "), 40)
	dst := make([]byte, 0, 1024)
	b.ReportAllocs()
	for b.Loop() {
		dst = sse.Append(dst[:0], "delta", body)
	}
}
