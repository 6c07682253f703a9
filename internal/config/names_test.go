package config_test

import (
	"runtime"
	"strings"
	"testing"
	"unsafe"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/config"
)

// Names come from outside: they are bounded, and one that is kept keeps no request's body alive.
func TestNamesAreBounded(t *testing.T) {
	c, err := config.Parse([]byte("providers:\n  lab: {wire: openai, base_url: http://127.0.0.1:1/v1, api_key: k}\n"), func(string) (string, bool) { return "", false })
	if err != nil {
		t.Fatal(err)
	}
	r, err := config.NewRegistry(c)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if _, err := r.Resolve("lab/" + strings.Repeat("n", 1<<20)); callwright.KindOf(err) != callwright.KindNotFound {
		t.Errorf("a name of 1 MiB: got %v", err)
	}
	freed := make(chan struct{})
	resolveInBody(t, r, freed)
	defer runtime.KeepAlive(r)
	for range 100 {
		runtime.GC()
		runtime.Gosched()
		select {
		case <-freed:
			return
		default:
		}
	}
	t.Error("the body is kept")
}

// resolveInBody resolves a name that is a piece of a longer text.
func resolveInBody(t *testing.T, r *config.Registry, freed chan struct{}) {
	t.Helper()
	body := []byte("lab/m" + strings.Repeat(" ", 1<<20))
	runtime.AddCleanup(&body[0], func(done chan struct{}) { close(done) }, freed)
	if _, err := r.Resolve(unsafe.String(&body[0], 5)); err != nil {
		t.Fatal(err)
	}
}
