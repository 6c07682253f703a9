package keyring_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/callwright/callwright/internal/access"
	"github.com/callwright/callwright/internal/keyring"
)

// A slowLog takes as long as a log on other machines.
type slowLog struct{ *keyring.MemoryLog }

func (l slowLog) Append(ctx context.Context, subject string, last uint64, data []byte) (uint64, error) {
	time.Sleep(20 * time.Millisecond)
	return l.MemoryLog.Append(ctx, subject, last, data)
}

// Changes at the same time leave a key that can administer keys, and no key in a group that is gone.
func TestChangesAtOnce(t *testing.T) {
	r := keyring.New(slowLog{&keyring.MemoryLog{}}, nil)
	for _, name := range []string{"a", "b"} {
		if _, _, err := r.Create(t.Context(), "", name, keyring.Settings{Verbs: []access.Verb{access.Admin}}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := r.CreateGroup(t.Context(), "", "g", keyring.GroupSettings{}); err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	for _, f := range []func(){
		func() { _ = r.Delete(t.Context(), "", "a") }, func() { _ = r.Delete(t.Context(), "", "b") },
		func() { _, _, _ = r.Create(t.Context(), "", "k", keyring.Settings{Group: "g"}) }, func() { _ = r.DeleteGroup(t.Context(), "", "g") },
	} {
		all.Go(f)
	}
	all.Wait()
	admins, lost := 0, 0
	for _, k := range r.List() {
		if len(k.Verbs) > 0 {
			admins++
		}
		if k.Group != "" && len(r.Groups()) == 0 {
			lost++
		}
	}
	if admins != 1 || lost != 0 {
		t.Errorf("%d keys with admin, %d keys in a group that is gone", admins, lost)
	}
}
