package evalcmd_test

import (
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/config"
	"github.com/callwright/callwright/internal/eval/report"
	"github.com/google/go-cmp/cmp"
)

// The preset of a model changes what is sent, as far as nothing else says it, and the report tells what it was.
func TestPresets(t *testing.T) {
	const order, ignore = `{"require_parameters":true,"order":["moonshotai"]}`, `{"require_parameters":true,"ignore":["minimax"]}`
	const alone = `{"require_parameters":true}`
	for _, c := range []struct {
		model, args string
		provider    string // of the first request
		set         []string
	}{
		{"moonshotai/kimi-k2.5", "", order, []string{`request {"provider":{"order":["moonshotai"]}}`}},
		{"moonshotai/kimi-k2.5:nitro", "", order, []string{`request {"provider":{"order":["moonshotai"]}}`}},
		{"moonshotai/kimi-k2.5", "--model-presets=0", alone, nil},
		{"moonshotai/kimi-k2.5", "--provider-ignore alpha", `{"require_parameters":true,"ignore":["alpha"]}`, nil},
		{"moonshotai/kimi-k2.5", `--request-overrides-json {"provider":{"sort":"price"}}`, `{"require_parameters":true,"sort":"price"}`, nil},
		{"moonshotai/kimi-k2.5", "--sampling-profile-filter kimi_k2_5_instant", order, []string{`request {"provider":{"order":["moonshotai"]}}`}},
		{"minimax/minimax-m2.1", "", ignore, []string{"transforms content_tag_tool_call_fallback", `request {"provider":{"ignore":["minimax"]}}`}},
		{"minimax/minimax-m2-her", "", "", []string{"mode text", "transforms content_tag_tool_call_fallback"}},
		{"minimax/minimax-m2-her", "--mode native", "", []string{"transforms content_tag_tool_call_fallback"}},
		{"openai/gpt-4.1-mini", "", alone, nil},
	} {
		h := newHost(t)
		b := bench{env: map[string]string{"OPENROUTER_API_KEY": "k", "OPENROUTER_BASE_URL": h.URL}}
		_ = b.run(t.Context(), append(strings.Fields(c.args), "--model-filter", c.model, "--scenarios", "happy_path", "--json")...)
		var got []string
		s, err := report.Parse(b.out.Bytes())
		if err == nil && len(s.Presets) > 0 {
			got = s.Presets[0].Settings
		}
		if seen := h.asked(); err != nil || len(seen) == 0 {
			t.Errorf("%s %s: %v, asked %d times", c.model, c.args, err, len(seen))
		} else if hosts := member(seen[0].body, "provider"); hosts != c.provider || !cmp.Equal(got, c.set) {
			t.Errorf("%s %s: got %s and %q", c.model, c.args, hosts, got)
		}
	}
}

// A turn with calls that is sent back is as the model's preset has it.
func TestPresetTransforms(t *testing.T) {
	for args, want := range map[string]bool{"": true, "--model-presets=0": false} {
		h := newHost(t)
		b := bench{env: map[string]string{"OPENROUTER_API_KEY": "k", "OPENROUTER_BASE_URL": h.URL}}
		_ = b.run(t.Context(), append(strings.Fields(args), "--model-filter", "deepseek/deepseek-v3.2", "--scenarios", "parallel_ten")...)
		seen := h.asked()
		if len(seen) < 2 {
			t.Fatalf("%s: asked %d times:\n%s", args, len(seen), b.out.String())
		}
		if got := strings.Contains(seen[1].body, `"reasoning_content":""`); got != want {
			t.Errorf("%s: %s", args, seen[1].body)
		}
	}
}

// What the configuration says of a model or of OpenRouter wins over the preset.
func TestPresetsAndConfiguration(t *testing.T) {
	sorted := config.Settings{Request: config.Members{{Path: []string{"provider", "sort"}, Value: []byte(`"price"`)}}}
	named := func(name string) config.Models {
		return config.Models{{Name: name, Model: "mine"}, {Name: "mine", Model: "openrouter/moonshotai/kimi-k2.5"}}
	}
	for name, conf := range map[string]config.Config{
		"":     {Models: named("other")},
		"sort": {Models: named("other"), Providers: config.Providers{{Name: "openrouter", Settings: sorted}}},
		"mine": {Models: append(named("other")[:1], config.Model{Name: "mine", Model: "openrouter/moonshotai/kimi-k2.5", Settings: sorted})},
	} {
		h := newHost(t)
		b := bench{conf: conf, env: map[string]string{"OPENROUTER_API_KEY": "k", "OPENROUTER_BASE_URL": h.URL}}
		_ = b.run(t.Context(), "--model", "other", "--scenarios", "chat_only", "--json")
		want, presets := `{"sort":"price"}`, []report.Preset(nil)
		if name == "" {
			want, presets = `{"order":["moonshotai"]}`, []report.Preset{{Model: callwright.ModelID("other"), Settings: []string{`request {"provider":{"order":["moonshotai"]}}`}}}
		}
		s, err := report.Parse(b.out.Bytes())
		if seen := h.asked(); err != nil || len(seen) == 0 || member(seen[0].body, "provider") != want || !cmp.Equal(s.Presets, presets) {
			t.Errorf("%s: got %+v, %v, %s", name, seen, err, b.out.String())
		}
	}
}

// A run that goes on does so with the presets with which it began.
func TestPresetsAreOfTheRun(t *testing.T) {
	h, dir := newHost(t), t.TempDir()
	b := bench{env: map[string]string{"OPENROUTER_API_KEY": "k", "OPENROUTER_BASE_URL": h.URL}}
	args := []string{"--model-filter", "moonshotai/kimi-k2.5", "--scenarios", "chat_only", "--state", dir}
	_ = b.run(t.Context(), args...)
	err := b.run(t.Context(), append(args, "--model-presets=0")...)
	if err == nil || !strings.HasPrefix(err.Error(), "--state "+dir+": ") {
		t.Errorf("got %v", err)
	}
}
