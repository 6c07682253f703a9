package catalog_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/eval/catalog"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/transform"
)

func ids(models []catalog.Model) []string {
	var out []string
	for _, m := range models {
		out = append(out, m.ID)
	}
	return out
}

func TestTable(t *testing.T) {
	seen := map[string]bool{}
	for _, m := range catalog.Models() {
		maker, name, ok := strings.Cut(m.ID, "/")
		if !ok || maker == "" || name == "" || seen[m.ID] || m.ID != strings.ToLower(m.ID) || m.Context <= 0 || !m.Listed {
			t.Errorf("the row %+v", m)
		}
		seen[m.ID] = true
		for _, tag := range m.Tags {
			if strings.Trim(tag, "abcdefghijklmnopqrstuvwxyz0123456789_") != "" || tag == "all" || tag == "full" {
				t.Errorf("%s: the tag %q", m.ID, tag)
			}
		}
		if free := strings.HasSuffix(m.ID, ":free"); free != slices.Contains(m.Tags, "free") {
			t.Errorf("%s: free %v", m.ID, free)
		}
		for _, name := range m.Preset.Transforms {
			if !slices.Contains(transform.Names(""), name) {
				t.Errorf("%s: no transform is called %s", m.ID, name)
			}
		}
		if mode := m.Preset.Mode; mode != "" && !slices.Contains(caps.ModeNames(), string(mode)) {
			t.Errorf("%s: no mode is called %s", m.ID, mode)
		}
		if r := m.Preset.Request; r != "" && (jsonx.Valid([]byte(r)) != nil || !jsonx.IsObject([]byte(r))) {
			t.Errorf("%s: its request is no object: %s", m.ID, r)
		}
	}
}

func TestSelect(t *testing.T) {
	all := catalog.Models()
	tagged := func(tag string) (out []string) {
		for _, m := range all {
			if slices.Contains(m.Tags, tag) {
				out = append(out, m.ID)
			}
		}
		return out
	}
	for filter, want := range map[string][]string{
		"":                                tagged("stable"),
		" , ":                             tagged("stable"),
		"all":                             ids(all),
		"free":                            tagged("free"),
		"kimi":                            tagged("kimi"),
		"qwen/qwen3-coder":                {"qwen/qwen3-coder"},
		"qwen/qwen3-coder*":               {"qwen/qwen3-coder", "qwen/qwen3-coder:free"},
		"google/gemini-2.5-*,!*-lite":     {"google/gemini-2.5-flash", "google/gemini-2.5-pro"},
		"z-ai/glm-5,x-ai,!*4.3":           {"z-ai/glm-5", "x-ai/grok-4.20"},
		"openai/gpt-oss-20b,free,!*:free": {"openai/gpt-oss-20b"},
	} {
		models, notes, err := catalog.Select(filter)
		if got := ids(models); err != nil || len(notes) > 0 || !slices.Equal(got, want) {
			t.Errorf("%q: got %v, %v, %v, want %v", filter, got, notes, err, want)
		}
	}
}

func TestSelectUnlisted(t *testing.T) {
	models, notes, err := catalog.Select("acme/new-1,google/gemini-2.5-flash:nitro,!gone")
	if err != nil || !slices.Equal(ids(models), []string{"acme/new-1", "google/gemini-2.5-flash:nitro"}) || models[0].Listed || models[1].Listed {
		t.Fatalf("got %v, %v", models, err)
	}
	if base, _, _ := catalog.Select("google/gemini-2.5-flash"); !slices.Equal(models[1].Preset.Transforms, base[0].Preset.Transforms) || len(base[0].Preset.Transforms) == 0 {
		t.Errorf("the variant has the preset %v", models[1].Preset)
	}
	if len(notes) != 3 || !strings.HasPrefix(notes[0], "acme/new-1 ") || !strings.HasPrefix(notes[2], "!gone ") {
		t.Errorf("notes %q", notes)
	}
	for filter, want := range map[string]string{
		"stabel":       `no model matches "stabel": did you mean stable?`,
		"zzz":          `no model matches "zzz": expected an id such as anthropic/claude-haiku-4.5, a provider, a tag, a pattern such as qwen/* or all`,
		"nothing/*":    `no model matches "nothing/*": expected an id such as anthropic/claude-haiku-4.5, a provider, a tag, a pattern such as qwen/* or all`,
		"stable,!all":  `"stable,!all" selects no model`,
		"stable, a b/": `no model matches "a b/": expected an id such as anthropic/claude-haiku-4.5, a provider, a tag, a pattern such as qwen/* or all`,
	} {
		if models, _, err := catalog.Select(filter); err == nil || err.Error() != want {
			t.Errorf("%q: got %v, %v", filter, ids(models), err)
		}
	}
}
