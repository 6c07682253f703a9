package runlist_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/callwright/callwright/agent"
	"github.com/callwright/callwright/agent/filejournal"
	"github.com/callwright/callwright/internal/dashboard/internal/runlist"
)

// BenchmarkPage lists a page of a thousand runs in files, each of 50 KB, of which one in ten waits and the others have ended: for the first time, and again.
func BenchmarkPage(b *testing.B) {
	j, err := filejournal.Open(b.TempDir())
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = j.Close() }()
	for i := range 1000 {
		id := agent.RunID(fmt.Sprintf("run_%04d", i))
		entries := []agent.Entry{
			{Kind: "begun", Data: json.RawMessage(`{"messages":[{"role":"user","parts":[{"type":"text","text":"` + strings.Repeat("word ", 10_000) + `"}]}]}`)},
			{Kind: "answered", Data: json.RawMessage(`{"response":{"parts":[{"type":"call","id":"a","name":"drop","arguments":{}}],"finish":"calls"}}`)},
			{Kind: "asked", Call: "a", Data: json.RawMessage(`{"why":"it may destroy something"}`)},
		}
		if i%10 > 0 {
			entries = append(entries, agent.Entry{Kind: "stopped", Data: json.RawMessage(`{"stop":"time"}`)})
		}
		for n, e := range entries {
			e.Time = time.Now()
			if _, err := j.Append(b.Context(), id, uint64(n), e); err != nil {
				b.Fatal(err)
			}
		}
	}
	for _, q := range []struct {
		name string
		runlist.Query
	}{{"all", runlist.Query{Limit: 25}}, {"waiting", runlist.Query{Waiting: true, Limit: 25}}} {
		list := runlist.New(j)
		page := func(b *testing.B) {
			if p, err := list.Page(b.Context(), q.Query); err != nil || len(p.Rows) != 25 {
				b.Fatalf("%+v, %v", p, err)
			}
		}
		b.Run(q.name+"/first", func(b *testing.B) {
			for b.Loop() {
				list = runlist.New(j)
				page(b)
			}
		})
		b.Run(q.name+"/again", func(b *testing.B) {
			for b.Loop() {
				page(b)
			}
		})
	}
}
