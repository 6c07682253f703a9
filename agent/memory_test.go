package agent_test

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/callwright/callwright/agent"
	"github.com/callwright/callwright/internal/journaltest"
)

func TestMemory(t *testing.T) {
	journaltest.Run(t, func(*testing.T) agent.Journal { return agent.NewMemory() })
}

// BenchmarkMemory appends entries of a kilobyte.
func BenchmarkMemory(b *testing.B) {
	j := agent.NewMemory()
	data, err := json.Marshal(make([]byte, 768))
	if err != nil {
		b.Fatal(err)
	}
	s := agent.Entry{Kind: "test", Time: time.Now(), Data: data}
	b.ReportAllocs()
	for n := uint64(0); b.Loop(); n++ {
		if _, err := j.Append(b.Context(), "run_1", n, s); err != nil {
			b.Fatal(err)
		}
	}
}

func ExampleNewMemory() {
	ctx := context.Background()
	journal := agent.NewMemory()
	for prev, text := range []string{`"asked"`, `"answered"`} {
		if _, err := journal.Append(ctx, "run_1", uint64(prev), agent.Entry{Kind: "note", Data: json.RawMessage(text)}); err != nil {
			fmt.Println(err)
		}
	}
	// A worker that has not seen the second entry cannot record another one in its place.
	_, err := journal.Append(ctx, "run_1", 1, agent.Entry{Kind: "note"})
	fmt.Println(err)
	// Output: agent.append: run_1 has 2 entries, not 1
}
