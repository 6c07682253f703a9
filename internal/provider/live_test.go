package provider_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/provider"
	"github.com/callwright/callwright/internal/secretfile"
)

// A key and a header in files are those that the files have now: a change is used within 2 seconds, and neither the new text nor the old one is shown by an
// error. A file that is gone keeps its text.
func TestSecretFiles(t *testing.T) {
	dir, now := t.TempDir(), time.Now().Add(time.Hour)
	key, header := filepath.Join(dir, "key"), filepath.Join(dir, "header")
	write := func(path, text string) {
		t.Helper()
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(key, "sk-first-0000\n")
	write(header, "tenant-first-0000")
	s := &script{replies: []reply{good}}
	m, err := provider.Open("openai/m-1", provider.Config{
		APIKey: provider.NewSecret("file:" + key), Headers: map[string]string{"x-tenant": "file:" + header}, Transport: s, Env: noEnv,
		Credentials: provider.Credentials{Files: secretfile.NewSet(func() time.Time { return now })},
	})
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{"sk-first-0000 tenant-first-0000", "sk-other-11111 tenant-first-0000", "sk-other-11111 tenant-other-11111", "sk-other-11111 tenant-other-11111"} {
		switch i {
		case 1:
			write(key, "sk-other-11111")
		case 2:
			write(header, "tenant-other-11111")
		case 3:
			if err := os.Remove(key); err != nil {
				t.Fatal(err)
			}
		}
		now = now.Add(2 * time.Second)
		if _, err := m.Generate(context.Background(), ask()); err != nil {
			t.Fatal(err)
		}
		h := s.last.Header
		if got := strings.TrimPrefix(h.Get("Authorization"), "Bearer ") + " " + h.Get("X-Tenant"); got != want {
			t.Errorf("%d: sent %q, want %q", i, got, want)
		}
	}
	s.replies = []reply{{status: 400, body: `{"error":{"message":"bad: sk-first-0000 sk-other-11111 tenant-first-0000 tenant-other-11111"}}`}}
	s.bodies = nil
	_, err = m.Generate(context.Background(), ask())
	if e := errorOf(t, err); strings.Contains(e.Error()+string(e.Body), "0000") || strings.Contains(e.Error()+string(e.Body), "11111") {
		t.Errorf("a secret is shown: %v, %s", e, e.Body)
	}
	s.replies = []reply{{status: 401, body: `{"error":{"message":"who?"}}`}}
	s.bodies = nil
	_, err = m.Generate(context.Background(), ask())
	if err == nil || !strings.Contains(err.Error(), "does not accept the key in "+key+" (status 401): write a valid key into the file") {
		t.Errorf("got %v", err)
	}
	if got := m.Provider().Credentials(); got != "the file "+key || !m.Provider().HasKey() {
		t.Errorf("credentials %q", got)
	}
}

// A file that is not there is an error with its place and its name, of the kind that a missing variable has.
func TestSecretFileMissing(t *testing.T) {
	for setting, cfg := range map[string]provider.Config{
		"api_key":          {APIKey: provider.NewSecret("file:/none/key")},
		"headers.X-Tenant": {APIKey: provider.NewSecret("k"), Headers: map[string]string{"X-Tenant": "file:/none/key"}},
	} {
		cfg.Name, cfg.Path = "openai", "providers.openai"
		_, err := provider.New(cfg)
		want := fmt.Sprintf("providers.openai.%s: the file /none/key cannot be used: no such file or directory", setting)
		if callwright.KindOf(err) != callwright.KindAuth || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}

// What is not in a file costs no look at one.
func BenchmarkHeaderOfFile(b *testing.B) {
	path := filepath.Join(b.TempDir(), "key")
	if err := os.WriteFile(path, []byte("k"), 0o600); err != nil {
		b.Fatal(err)
	}
	f := secretfile.New(path, nil)
	for b.Loop() {
		f.Text()
	}
}
