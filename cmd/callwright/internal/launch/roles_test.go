package launch_test

import (
	"maps"
	"strings"
	"testing"

	"github.com/callwright/callwright/cmd/callwright/internal/launch"
)

func TestParseRoles(t *testing.T) {
	for _, tt := range []struct {
		flags string // between blanks
		want  map[launch.Role]string
		err   string
	}{
		{"", nil, ""},
		{"fast", map[launch.Role]string{"main": "fast"}, ""},
		{"main=fast small=sim/native planner=big", map[launch.Role]string{"main": "fast", "small": "sim/native", "planner": "big"}, ""},
		{"fast small=tiny", map[launch.Role]string{"main": "fast", "small": "tiny"}, ""},
		{"lab/a=b", map[launch.Role]string{"main": "lab/a=b"}, ""},
		{"main=lab/a=b", map[launch.Role]string{"main": "lab/a=b"}, ""},
		{"smal=x", nil, `unknown role "smal": expected main, small or planner`},
		{"small=", nil, "expected a model name"},
		{"fast main=slow", nil, "expected one model for the role main, got fast and slow"},
	} {
		got, err := launch.ParseRoles(strings.Fields(tt.flags))
		if tt.err != "" {
			if err == nil || !strings.Contains(err.Error(), tt.err) {
				t.Errorf("%q: got %v, want %s", tt.flags, err, tt.err)
			}
			continue
		}
		if err != nil || !maps.Equal(got, tt.want) {
			t.Errorf("%q: got %v, %v", tt.flags, got, err)
		}
	}
}

func TestTakes(t *testing.T) {
	all := map[launch.Role]string{"main": "a", "small": "b", "planner": "c"}
	for _, tt := range []struct {
		agent string
		named map[launch.Role]string
		err   string
	}{
		{"claude", all, ""},
		{"codex", map[launch.Role]string{"main": "a"}, ""},
		{"codex", all, "Codex has no role small: its roles are main"},
		{"gemini", all, "Gemini CLI has no role planner: its roles are main, small"},
	} {
		a, _ := launch.AgentByName(tt.agent)
		err := a.Takes(tt.named)
		if tt.err == "" && err != nil || tt.err != "" && (err == nil || err.Error() != tt.err) {
			t.Errorf("%s: got %v, want %q", tt.agent, err, tt.err)
		}
	}
	m := launch.Models{launch.RoleMain: {Name: "a"}, launch.RoleSmall: {Name: "b"}}
	if m.For(launch.RolePlanner).Name != "a" || m.For(launch.RoleSmall).Name != "b" || m.Has(launch.RolePlanner) {
		t.Error("a role without a model has another than that of main")
	}
}
