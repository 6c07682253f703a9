package access_test

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/access"
)

func TestFind(t *testing.T) {
	g := newGate(t, access.Config{Now: newClock().Now, Keys: []access.Key{
		access.NewUnlimitedKey("key 1", access.HashOf("plain")),
		{Name: "ci", Hash: access.HashOf("new"), Previous: access.HashOf("old")},
		{Name: "over", Hash: access.HashOf("over"), Expires: began},
		{Name: "soon", Hash: access.HashOf("soon"), Expires: began.Add(time.Second)},
	}})
	for _, c := range []struct {
		keys []string
		name string
		says string
	}{
		{keys: []string{"plain"}, name: "key 1"},
		{keys: []string{"new"}, name: "ci"},
		{keys: []string{"old"}, name: "ci"},
		{keys: []string{"vendor's", "new"}, name: "ci"},
		{keys: []string{"plain", "new"}, name: "key 1"},
		{keys: []string{"over", "new"}, name: "ci"},
		{keys: []string{"soon"}, name: "soon"},
		{says: "the request has none"},
		{keys: []string{"ci"}, says: "not one of this gateway's keys"},
		{keys: []string{"", access.HashOf("plain").String()}, says: "not one of this gateway's keys"},
		{keys: []string{"over"}, says: `the key "over" expired at 2026-03-14T15:09:26Z`},
	} {
		var presented [][]byte
		for _, k := range c.keys {
			presented = append(presented, []byte(k))
		}
		got, err := g.Find(presented)
		if c.says != "" {
			expectError(t, err, callwright.KindAuth, c.says)
		} else if err != nil || got.Name != c.name {
			t.Errorf("%v: got %+v, %v, want %s", c.keys, got, err, c.name)
		}
	}
}

// What is kept for a key goes by the key where that has no name of its own, as it was before keys had names, and else by the name.
func TestOwners(t *testing.T) {
	g := newGate(t, access.Config{Keys: []access.Key{
		access.NewUnlimitedKey("key 1", access.HashOf("plain")), {Name: "ci", Hash: access.HashOf("new"), Previous: access.HashOf("old")}, {Name: "plain", Hash: access.HashOf("x")},
	}})
	if got := caller(t, g, "plain").Owner; got != sha256.Sum256([]byte("plain")) {
		t.Errorf("got %x", got)
	}
	rotated := newGate(t, access.Config{Keys: []access.Key{{Name: "ci", Hash: access.HashOf("newer")}}})
	if caller(t, g, "new").Owner != caller(t, g, "old").Owner || caller(t, g, "new").Owner != caller(t, rotated, "newer").Owner {
		t.Error("a key of the same name has another owner")
	}
	if caller(t, g, "x").Owner == caller(t, g, "plain").Owner || caller(t, g, "x").Owner == caller(t, g, "new").Owner {
		t.Error("two keys have one owner")
	}
}

func TestOpenGate(t *testing.T) {
	g := newGate(t, access.Config{})
	c, err := g.Find(nil)
	if err != nil || !g.Open() || c != g.Anybody() || c.Name != "" {
		t.Errorf("got %+v, %v", c, err)
	}
	for _, v := range access.Verbs() {
		expectError(t, c.May(v), "")
	}
}

func TestKeysThatAreWrong(t *testing.T) {
	for _, c := range []struct {
		want string
		keys []access.Key
	}{
		{"two keys have the name", []access.Key{{Name: "a", Hash: access.HashOf("1")}, {Name: "a", Hash: access.HashOf("2")}}},
		{`"a" and "b" are the same key`, []access.Key{{Name: "a", Hash: access.HashOf("1")}, {Name: "b", Hash: access.HashOf("2"), Previous: access.HashOf("1")}}},
		{"has no key", []access.Key{{Name: "a"}}},
		{"expected a name", []access.Key{{Hash: access.HashOf("1")}}},
		{"control characters", []access.Key{{Name: "a\n", Hash: access.HashOf("1")}}},
	} {
		if _, err := access.New(access.Config{Keys: c.keys}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("got %v, want %s", err, c.want)
		}
	}
}

func TestReadKey(t *testing.T) {
	h := access.HashOf("secret")
	for text, want := range map[string]access.Hash{"secret": h, h.String(): h} {
		if got, err := access.ReadKey(text); err != nil || got != want {
			t.Errorf("%s: got %v, %v", text, got, err)
		}
	}
	for _, text := range []string{"", "sha256:", "sha256:00", "sha256:" + strings.Repeat("x", 64), h.String() + "0"} {
		if _, err := access.ReadKey(text); err == nil {
			t.Errorf("%q is read", text)
		}
	}
	if a, b := access.NewKey(), access.NewKey(); a == b || len(a) < 40 || !strings.HasPrefix(a, "cw_") {
		t.Errorf("got %s and %s", a, b)
	}
}

// keyFile writes a file of keys, a name and a key a line.
func keyFile(t *testing.T, path, text string, at time.Time) {
	t.Helper()
	next := path + ".new"
	if err := os.WriteFile(next, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(next, at, at); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(next, path); err != nil {
		t.Fatal(err)
	}
}

func parseLines(text []byte) ([]access.Key, error) {
	var out []access.Key
	for line := range strings.Lines(string(text)) {
		name, key, ok := strings.Cut(strings.TrimSpace(line), " ")
		if !ok {
			return nil, errors.New("expected a name and a key")
		}
		out = append(out, access.Key{Name: name, Hash: access.HashOf(key), Limits: access.Limits{Requests: 3}})
	}
	return out, nil
}

// Keys are changed while the gateway runs: what a key has used stays with its name, and a file that is wrong changes nothing.
func TestFileOfKeys(t *testing.T) {
	c, path := newClock(), filepath.Join(t.TempDir(), "keys")
	keyFile(t, path, "ci old\n", began.Add(-time.Hour))
	var log bytes.Buffer
	g := newGate(t, access.Config{
		Keys: []access.Key{access.NewUnlimitedKey("key 1", access.HashOf("fixed"))}, File: &access.File{Path: path, Parse: parseLines}, Now: c.Now,
		Logger: slog.New(slog.NewTextHandler(&log, nil)),
	})
	for range 2 {
		expectError(t, caller(t, g, "old").CountRequest(t.Context()), "")
	}
	keyFile(t, path, "ci new\nother x\n", began)
	c.Add(2 * time.Second)
	if _, err := g.Find([][]byte{[]byte("old")}); callwright.KindOf(err) != callwright.KindAuth {
		t.Errorf("the key that was taken out: %v", err)
	}
	expectError(t, caller(t, g, "new").CountRequest(t.Context()), "")
	expectError(t, caller(t, g, "new").CountRequest(t.Context()), callwright.KindRateLimited)
	expectError(t, caller(t, g, "x").CountRequest(t.Context()), "")

	for _, wrong := range []string{"nothing\n", "ci new\nci twice\n", "ci fixed\n", ""} {
		c.Add(time.Minute)
		if wrong == "" {
			_ = os.Remove(path)
		} else {
			keyFile(t, path, wrong, c.Now())
		}
		log.Reset()
		for range 3 {
			c.Add(2 * time.Second)
			caller(t, g, "new")
			caller(t, g, "fixed")
		}
		if got := strings.Count(log.String(), "the previous keys stay in use"); got != 1 {
			t.Errorf("%q: logged %d times: %s", wrong, got, log.String())
		}
	}
	c.Add(time.Minute)
	keyFile(t, path, "ci newest\n", c.Now())
	if err := g.Reload(); err != nil {
		t.Error(err)
	}
	caller(t, g, "newest")
}

func TestFileThatIsNotThere(t *testing.T) {
	_, err := access.New(access.Config{File: &access.File{Path: filepath.Join(t.TempDir(), "none"), Parse: parseLines}})
	if !errors.Is(err, os.ErrNotExist) {
		t.Errorf("got %v", err)
	}
}

// Keys, their file, prices and bounds are replaced while the gate is used: what a key has used stays with its name, and what cannot be used
// changes nothing.
func TestPrepare(t *testing.T) {
	c, path := newClock(), filepath.Join(t.TempDir(), "keys")
	g := newGate(t, access.Config{Now: c.Now})
	replace := func(cfg access.Config) {
		t.Helper()
		use, err := g.Prepare(cfg)
		if err != nil {
			t.Fatal(err)
		}
		if use(); g.Open() != (len(cfg.Keys) == 0 && cfg.File == nil) {
			t.Errorf("open: %v", g.Open())
		}
	}
	limits := access.Limits{Requests: 2}
	replace(access.Config{Keys: []access.Key{{Name: "ci", Hash: access.HashOf("one"), Limits: limits}}, Streams: 1})
	ci := caller(t, g, "one")
	expectError(t, ci.CountRequest(t.Context()), "")
	expectError(t, ci.OpenStream(), "")
	expectError(t, ci.OpenStream(), callwright.KindRateLimited)

	keyFile(t, path, "file key\n", began)
	file := &access.File{Path: path, Parse: parseLines}
	replace(access.Config{Keys: []access.Key{{Name: "ci", Hash: access.HashOf("two"), Limits: limits}}, File: file, Prices: testPrices, Streams: 2})
	if _, err := g.Find([][]byte{[]byte("one")}); callwright.KindOf(err) != callwright.KindAuth {
		t.Errorf("the key that was replaced: %v", err)
	}
	ci = caller(t, g, "two")
	expectError(t, ci.OpenStream(), "")
	expectError(t, ci.CountRequest(t.Context()), "")
	expectError(t, ci.CountRequest(t.Context()), callwright.KindRateLimited)
	caller(t, g, "key")
	if _, known := g.Cost("lab/m", callwright.Usage{}); !known {
		t.Error("the prices are those of before")
	}
	for _, wrong := range []access.Config{{Keys: []access.Key{{Name: "a"}}}, {File: &access.File{Path: path + ".none", Parse: parseLines}}} {
		if _, err := g.Prepare(wrong); err == nil {
			t.Errorf("%+v can be used", wrong)
		}
	}
	caller(t, g, "two")
	replace(access.Config{})
	keyFile(t, path, "file other\n", c.Now())
	c.Add(time.Minute)
	if got, err := g.Find(nil); err != nil || got != g.Anybody() {
		t.Errorf("got %+v, %v", got, err)
	}
}

// TestFirstUseAfterChange: the limits of a key hold that were set last, also where nobody used the key before, and where the first one to use it came in
// between.
func TestFirstUseAfterChange(t *testing.T) {
	for name, early := range map[string]bool{"used later": false, "used before": true} {
		t.Run(name, func(t *testing.T) {
			key := access.Key{Name: "a", Hash: access.HashOf("-a"), Limits: access.Limits{Requests: 5}}
			g := newGate(t, access.Config{Keys: []access.Key{key}})
			if early {
				if _, err := g.Find([][]byte{[]byte("-a")}); err != nil {
					t.Fatal(err)
				}
			}
			key.Limits.Requests = 1
			use, err := g.Prepare(access.Config{Keys: []access.Key{key}})
			if err != nil {
				t.Fatal(err)
			}
			use()
			c, err := g.Find([][]byte{[]byte("-a")})
			if err != nil {
				t.Fatal(err)
			}
			first, second := c.CountRequest(t.Context()), c.CountRequest(t.Context())
			if first != nil || callwright.KindOf(second) != callwright.KindRateLimited {
				t.Errorf("got %v and %v, want one request and no other", first, second)
			}
			if all := g.Usages(t.Context()); len(all) != 1 || all[0].Key != "a" {
				t.Errorf("got the usages %+v", all)
			}
		})
	}
}
