package profile_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/callwright/callwright/internal/eval/catalog"
	"github.com/callwright/callwright/internal/eval/profile"
	"github.com/callwright/callwright/internal/jsonx"
)

func ids(profiles []profile.Profile) string {
	var out []string
	for i := range profiles {
		out = append(out, profiles[i].ID)
	}
	return strings.Join(out, " ")
}

// Each profile has a source, values that are JSON, and a model in the catalogue that it is for.
func TestTable(t *testing.T) {
	seen, tags := map[string]bool{}, map[string]bool{}
	for _, p := range profile.Profiles() {
		if seen[p.ID] || p.Source == "" || strings.Trim(p.ID, "abcdefghijklmnopqrstuvwxyz0123456789_") != "" {
			t.Errorf("the profile %q", p.ID)
		}
		seen[p.ID] = true
		for _, tag := range p.Tags {
			tags[tag] = true
		}
		for _, param := range p.Params {
			if param.Name == "" || jsonx.Valid(param.Value) != nil {
				t.Errorf("%s: %s is %s", p.ID, param.Name, param.Value)
			}
		}
		if !slices.ContainsFunc(catalog.Models(), func(m catalog.Model) bool { return p.For(m.ID) }) {
			t.Errorf("%s is for no model of the catalogue", p.ID)
		}
	}
	for _, tag := range []string{"default", "recommended", "creative", "conversation", "tool_calling"} {
		if !tags[tag] {
			t.Errorf("no profile has the tag %s", tag)
		}
	}
	if p, ok := profile.Lookup(profile.Default); !ok || len(p.Params) > 0 || !p.For("any/model") {
		t.Errorf("the default is %+v", p)
	}
}

// Values that no vendor gives are said to be Callwright's choice, and all others have a page of the vendor.
func TestSources(t *testing.T) {
	for _, p := range profile.Profiles() {
		if len(p.Params) > 0 && !strings.HasPrefix(p.Source, "https://") {
			t.Errorf("%s: its values come from %s", p.ID, p.Source)
		}
	}
	for _, id := range []string{"gemini_2_5_flash_creative", "deepseek_v3_2_creative_writing", "deepseek_v3_2_general_conversation"} {
		if p, _ := profile.Lookup(id); !strings.Contains(p.Source, "Callwright's choice") {
			t.Errorf("%s: its values are said to come from %s", id, p.Source)
		}
	}
}

func TestFor(t *testing.T) {
	for _, c := range []struct {
		profile, model string
		want           bool
	}{
		{"qwen_recommended", "qwen/qwen3-235b-a22b-2507", true},
		{"qwen_recommended", "qwen/qwen3-235b-a22b-2507:nitro", true},
		{"qwen_recommended", "qwen/qwen3-next-80b-a3b-thinking", false},
		{"qwen_thinking_recommended", "qwen/qwen3-next-80b-a3b-thinking", true},
		{"qwen_recommended", "openai/gpt-5.2", false},
		{"qwen_recommended", "vllm/qwen3-30b-a3b-instruct-2507", true}, // a provider that does not name makers
		{"qwen_recommended", "qwen/qwen3-next-80b-a3b-instruct", true},
		{"qwen_recommended", "qwen/qwen3-32b", false}, // thinks, for which the card has other values
		{"qwen_recommended", "qwen/qwen3-max", false}, // of which nothing is published
		{"qwen_recommended", "qwen/qwen3-coder", false},
		{"qwen_thinking_recommended", "qwen/qwen3-32b:free", true},
		{"qwen_thinking_recommended", "ollama/qwen3-8b", true},
		{"qwen_thinking_recommended", "qwen/qwen3-235b-a22b-2507", false},
		{"qwen_coder_tool_calling", "qwen/qwen3-coder:free", true},
		{"deepseek_v3_2_creative_writing", "deepseek/deepseek-v3.2:nitro", true},
		{"deepseek_v3_2_creative_writing", "deepseek/deepseek-v4-pro", false},
		{"gemini_2_5_flash_creative", "google/gemini-2.5-flash-lite", true},
		{"gemini_2_5_flash_creative", "google/gemini-2.5-pro", false},
		{"glm_4_7_recommended", "z-ai/glm-4.7-flash", false},
	} {
		p, ok := profile.Lookup(c.profile)
		if got := p.For(c.model); !ok || got != c.want {
			t.Errorf("%s is for %s: %v", c.profile, c.model, got)
		}
	}
}

func TestSelect(t *testing.T) {
	for filter, want := range map[string]string{
		"":                               "default",
		"default":                        "default",
		"creative":                       "deepseek_v3_2_creative_writing gemini_2_5_flash_creative",
		"qwen_recommended,default":       "qwen_recommended default",
		"recommended,!qwen*,!deepseek":   "kimi_k2_5_instant minimax_m2_1_recommended glm_4_7_recommended",
		"tool_calling":                   "qwen_coder_tool_calling glm_4_7_flash_tool_calling",
		"deepseek_v3_2_*,!*conversation": "deepseek_v3_2_local_recommended deepseek_v3_2_creative_writing",
	} {
		got, notes, err := profile.Select(filter)
		if err != nil || ids(got) != want || len(notes) > 0 {
			t.Errorf("%q: got %q, %v, %v", filter, ids(got), notes, err)
		}
	}
	for filter, want := range map[string]string{
		"creativ":      `no sampling profile matches "creativ": did you mean creative?`,
		"zzz":          `no sampling profile matches "zzz": expected an id such as deepseek_v3_2_local_recommended, a tag, a pattern or all`,
		"default,!all": `"default,!all" selects no sampling profile`,
	} {
		if got, _, err := profile.Select(filter); err == nil || err.Error() != want {
			t.Errorf("%q: got %q, %v", filter, ids(got), err)
		}
	}
	if _, notes, err := profile.Select("default,!zzz"); err != nil || len(notes) != 1 || notes[0] != "!zzz excludes nothing: it matches no sampling profile" {
		t.Errorf("got %q, %v", notes, err)
	}
}
