package access_test

import (
	"fmt"
	"runtime"
	"testing"

	"github.com/callwright/callwright/internal/access"
)

// mostForKeys bounds the live memory of a gate with ten thousand keys, the list of them aside.
const mostForKeys = 5 << 20

// TestMemoryOfKeys: ten thousand keys, none of which was used, take at most 5 MiB. A key costs more once a request has it.
func TestMemoryOfKeys(t *testing.T) {
	keys := make([]access.Key, 10_000)
	for i := range keys {
		name := fmt.Sprint("key ", i)
		keys[i] = access.Key{Name: name, Hash: access.HashOf(name), Limits: access.Limits{Requests: 60}}
	}
	live := func() uint64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.GC() // what finalizers kept
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	before := live()
	g := newGate(t, access.Config{Keys: keys})
	after := live()
	took := int64(after) - int64(before)
	t.Logf("%d bytes, %d a key", took, took/int64(len(keys)))
	if took > mostForKeys {
		t.Errorf("%d keys take %d bytes, at most %d", len(keys), took, mostForKeys)
	}
	caller(t, g, "key 7")
	runtime.KeepAlive(keys)
}
