package runcmd

import (
	"context"
	"testing"
	"testing/synctest"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/agent"
)

// absent is a journal that is away for its first reads.
type absent struct {
	*agent.MemoryJournal
	left int
}

func (j *absent) Load(ctx context.Context, run agent.RunID) ([]agent.Entry, uint64, error) {
	if j.left--; j.left >= 0 {
		return nil, 0, callwright.Errorf("load", callwright.KindUnavailable, "", "it is away")
	}
	return j.MemoryJournal.Load(ctx, run)
}

// Whoever waits for answers waits on while the journal is away. A run that is not there is not waited for.
func TestAnsweredWhileAway(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const id = agent.RunID("run_1")
		j := &absent{MemoryJournal: agent.NewMemory(), left: 3}
		for i, e := range []agent.Entry{
			{Kind: "begun", Data: []byte(`{"messages":[{"role":"user","parts":[{"type":"text","text":"Drop it."}]}]}`)},
			{Kind: "answered", Data: []byte(`{"response":{"parts":[{"type":"call","id":"a","name":"drop","arguments":{}}],"finish":"calls"}}`)},
			{Kind: "asked", Call: "a", Data: []byte(`{"why":"the tool may destroy something"}`)},
			{Kind: "decided", Call: "a", Data: []byte(`{"decision":"yes","apart":true}`)},
		} {
			if _, err := j.Append(t.Context(), id, uint64(i), e); err != nil {
				t.Fatal(err)
			}
		}
		if err := awaitAnswer(t.Context(), j, id); err != nil || j.left >= 0 {
			t.Errorf("got %v, %d reads before it is there", err, j.left)
		}
		if err := awaitAnswer(t.Context(), j, "run_2"); callwright.KindOf(err) != callwright.KindNotFound {
			t.Errorf("got %v", err)
		}
	})
}
