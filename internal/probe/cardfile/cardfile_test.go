package cardfile_test

import (
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/probe"
	"github.com/callwright/callwright/internal/probe/cardfile"
	"github.com/callwright/callwright/internal/provider"
	"github.com/callwright/callwright/simulate"
	"github.com/google/go-cmp/cmp"
)

// A card comes back with all that it has, by any name of a model, until a later one takes its place.
func TestCards(t *testing.T) {
	srv := httptest.NewServer(simulate.New(simulate.Weather()))
	defer srv.Close()
	p, err := provider.New(provider.Config{Name: "lab", Wire: callwright.WireOpenAI, BaseURL: srv.URL + "/v1"})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	card, err := probe.Run(t.Context(), p.Model("one"), probe.Options{})
	if err != nil || card.Calls == 0 || len(card.Found) == 0 {
		t.Fatalf("%+v, %v", card, err)
	}
	dir := filepath.Join(t.TempDir(), "state", cardfile.Folder)
	if k, err := cardfile.Read(dir, "lab/one"); k != nil || err != nil {
		t.Errorf("before there is one: %v, %v", k, err)
	}
	at := time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC)
	for _, name := range []callwright.ModelID{"lab/one", "../../x", callwright.ModelID(strings.Repeat("long/", 100))} {
		card.Model = name
		if err := cardfile.Keep(dir, card, at.Add(-time.Hour)); err != nil {
			t.Fatal(err)
		}
		if err := cardfile.Keep(dir, card, at); err != nil {
			t.Fatal(err)
		}
		k, err := cardfile.Read(dir, name)
		if err != nil || !k.Probed.Equal(at) {
			t.Fatalf("%+v, %v", k, err)
		}
		if d := cmp.Diff(card, k.Card); d != "" {
			t.Errorf("%s (-kept +read)\n%s", name, d)
		}
	}
	files, err := os.ReadDir(dir)
	if err != nil || len(files) != 3 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	for _, text := range []string{"{", "{}", `{"card":3}`} {
		for _, f := range files {
			if err := os.WriteFile(filepath.Join(dir, f.Name()), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if k, err := cardfile.Read(dir, "lab/one"); err == nil || !strings.Contains(err.Error(), dir) {
			t.Errorf("a file of %q: %v, %v", text, k, err)
		}
	}
}
