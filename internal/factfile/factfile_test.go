package factfile_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/capsstoretest"
	"github.com/callwright/callwright/internal/factfile"
)

func open(t *testing.T, dir string, now func() time.Time) *factfile.CapsStore {
	t.Helper()
	s, err := factfile.Open(dir, now)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestCapsStore(t *testing.T) {
	capsstoretest.Run(t, func(t *testing.T, now func() time.Time) caps.Store {
		return open(t, filepath.Join(t.TempDir(), "facts"), now)
	})
}

// What one program learns or forgets, another one knows within a second.
func TestProgramsShare(t *testing.T) {
	ctx, at, dir := context.Background(), time.Now(), t.TempDir()
	now := func() time.Time { return at }
	a, b := open(t, dir, now), open(t, dir, now)
	count := func(s *factfile.CapsStore) int {
		facts, err := s.Facts(ctx, "lab/one")
		if err != nil {
			t.Fatal(err)
		}
		return len(facts)
	}
	if n := count(b); n != 0 {
		t.Fatalf("%d facts at first", n)
	}
	for _, key := range []string{"tools", "images"} {
		if err := a.Learn(ctx, "lab/one", caps.Fact{Key: key, Value: "no", Source: caps.Probed}); err != nil {
			t.Fatal(err)
		}
	}
	at = at.Add(time.Second)
	if n := count(b); n != 2 {
		t.Errorf("%d facts are seen", n)
	}
	if err := b.Learn(ctx, "lab/one", caps.Fact{Key: "json_schema", Value: "no", Source: caps.Learned}); err != nil {
		t.Fatal(err)
	}
	if err := a.Forget(ctx, "lab/one", "tools"); err != nil {
		t.Fatal(err)
	}
	if n := count(open(t, dir, now)); n != 2 {
		t.Errorf("%d facts are left", n)
	}
	if err := b.Forget(ctx, "lab/one", ""); err != nil {
		t.Fatal(err)
	}
	at = at.Add(time.Second)
	if n := count(a); n != 0 {
		t.Errorf("%d facts after all were forgotten", n)
	}
	if left, _ := os.ReadDir(dir); len(left) != 0 {
		t.Errorf("files are left: %v", left)
	}
}

// A file that is no such file is an error that names it, and stays.
func TestBrokenFile(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "m.json")
	if err := os.WriteFile(path, []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	s := open(t, dir, nil)
	if _, err := s.Facts(context.Background(), "m"); err == nil {
		t.Error("it was read")
	}
	if err := s.Learn(context.Background(), "m", caps.Fact{Key: "tools", Value: "no"}); err == nil {
		t.Error("it was written over")
	}
	if raw, err := os.ReadFile(path); err != nil || string(raw) != "{" {
		t.Errorf("%s %v", raw, err)
	}
}

// Facts of another version are left out.
func TestUnknownFacts(t *testing.T) {
	dir := t.TempDir()
	text := `{"model":"m","facts":[{"key":"wings","value":"yes","source":"probed"},{"key":"tools","value":"no","source":"dreamt"},{"key":"images","value":"no","source":"probed"}]}`
	if err := os.WriteFile(filepath.Join(dir, "m.json"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	facts, err := open(t, dir, nil).Facts(context.Background(), "m")
	if err != nil || len(facts) != 1 || facts[0].Key != "images" {
		t.Errorf("%v %v", facts, err)
	}
}

func TestFolderThatCannotBe(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := factfile.Open(filepath.Join(path, "in"), nil); err == nil {
		t.Error("a folder inside a file")
	}
}
