package provider_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"github.com/callwright/callwright/internal/provider"
)

func TestSecretNeverPrints(t *testing.T) {
	s := provider.NewSecret(testKey)
	p, err := provider.New(provider.Config{Name: "openai", APIKey: s})
	if err != nil {
		t.Fatal(err)
	}
	hidden := struct {
		cfg provider.Config
		s   provider.Secret
	}{provider.Config{Name: "openai", APIKey: s}, s}
	text, _ := s.MarshalText()
	asJSON, err := json.Marshal(struct{ Key provider.Secret }{s})
	if err != nil {
		t.Fatal(err)
	}
	var log bytes.Buffer
	slog.New(slog.NewJSONHandler(&log, nil)).Info("started", "key", s, "provider", p, "model", p.Model("m"))

	shown := []string{string(text), string(asJSON), log.String(), s.String()}
	for _, v := range []any{s, &s, p, *p.Model("m"), p.Model("m"), hidden, &hidden, []any{s}} {
		for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%d"} {
			shown = append(shown, fmt.Sprintf(verb, v))
		}
	}
	for _, out := range shown {
		if strings.Contains(out, testKey) || strings.Contains(out, fmt.Sprintf("%x", testKey)) {
			t.Errorf("the key is printed: %s", out)
		}
	}
	if s.Reveal() != testKey || s.Empty() {
		t.Error("the secret is lost")
	}
}

func TestSecretReadsText(t *testing.T) {
	var c struct{ Key provider.Secret }
	if err := json.Unmarshal([]byte(`{"Key":"env:HERE"}`), &c); err != nil || c.Key.Reveal() != "env:HERE" {
		t.Errorf("got %q, %v", c.Key.Reveal(), err)
	}
	var none provider.Secret
	if none.String() != "" || none.Reveal() != "" || !none.Empty() || !provider.NewSecret("").Empty() {
		t.Error("the empty secret is not empty")
	}
}
