package dashboard_test

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/trace"
)

// A fakeBundler gives one archive.
type fakeBundler struct {
	entries []trace.Entry
	err     error
}

func (b *fakeBundler) Bundle(_ context.Context, entries []trace.Entry) (name string, archive []byte, err error) {
	b.entries = entries
	return "bundle.zip", []byte("PK..."), b.err
}

// TestBundle: the page of a request links its evidence bundle, which is sent as a file.
func TestBundle(t *testing.T) {
	made := &fakeBundler{}
	cfg := full(t)
	cfg.Bundler = made
	b := newBrowser(t, cfg)
	if !strings.Contains(b.get("/ui/traces/rep_1").body, `/bundle" download>`) {
		t.Error("the page has no link")
	}
	if got := b.get("/ui/traces/rep_1/bundle"); got.status != 200 || got.body != "PK..." || len(made.entries) != 3 {
		t.Errorf("got %d, %d entries: %s", got.status, len(made.entries), got.body)
	}
	if got := b.get("/ui/traces/rep_none/bundle"); got.status != http.StatusNotFound {
		t.Errorf("what is not kept: %d", got.status)
	}
	for err, want := range map[error]int{
		&callwright.Error{Kind: callwright.KindInvalid, Message: "the trace has no contents"}: http.StatusBadRequest,
		errors.New("the disk is full"): http.StatusInternalServerError,
	} {
		made.err = err
		if got := b.get("/ui/traces/rep_1/bundle"); got.status != want || !strings.Contains(got.body, err.Error()) {
			t.Errorf("%v: got %d: %s", err, got.status, got.body)
		}
	}
	cfg.Bundler = nil
	if without := newBrowser(t, cfg); strings.Contains(without.get("/ui/traces/rep_1").body, "/bundle") {
		t.Error("there is a link where no bundle can be made")
	}
}
