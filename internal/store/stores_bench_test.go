package store_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/callwright/callwright/agent"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/store"
	"github.com/callwright/callwright/signature"
)

// benchStore is a Store in the process.
func benchStore(b *testing.B) *store.Store {
	b.Helper()
	s, err := store.Open(b.Context(), store.Config{Dir: b.TempDir()})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		if err := s.Close(); err != nil {
			b.Error(err)
		}
	})
	return s
}

// BenchmarkJournal appends entries to a run, and loads a run of 100.
func BenchmarkJournal(b *testing.B) {
	j := benchStore(b).Journal("")
	e := agent.Entry{Kind: "test", Time: time.Now(), Data: []byte(`{"response":{"parts":[{"type":"text","text":"Hello."}]}}`)}
	b.Run("append", func(b *testing.B) {
		run := agent.RunID(fmt.Sprint("run_", time.Now().UnixNano()))
		for n := uint64(0); b.Loop(); n++ {
			if _, err := j.Append(b.Context(), run, n, e); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("load", func(b *testing.B) {
		for n := range uint64(100) {
			if _, err := j.Append(b.Context(), "run_load", n, e); err != nil {
				b.Fatal(err)
			}
		}
		b.ResetTimer()
		for b.Loop() {
			if got, _, err := j.Load(b.Context(), "run_load"); err != nil || len(got) != 100 {
				b.Fatal(len(got), err)
			}
		}
	})
}

// BenchmarkMirrors keeps and finds opaque state, and learns facts.
func BenchmarkMirrors(b *testing.B) {
	s := benchStore(b)
	signatures, capsStore := s.Signatures(signature.Limits{}), s.CapsStore(b.Context())
	b.Run("signature", func(b *testing.B) {
		for n := 0; b.Loop(); n++ {
			c := signature.Call{Owner: "o", Model: "lab/one", ID: fmt.Sprint("call_", n), Tool: "read"}
			if err := signatures.Keep(b.Context(), c, signature.State{Signature: "opaque", Wire: "anthropic"}); err != nil {
				b.Fatal(err)
			}
			if got, err := signatures.Find(b.Context(), c); err != nil || len(got) != 1 {
				b.Fatal(len(got), err)
			}
		}
	})
	b.Run("fact", func(b *testing.B) {
		for n := 0; b.Loop(); n++ {
			if err := capsStore.Learn(b.Context(), "lab/one", caps.Fact{Key: "max_tools", Value: fmt.Sprint(1 + n%9), Source: caps.Learned}); err != nil {
				b.Fatal(err)
			}
		}
	})
}
