package mcptool_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/callwright/callwright/mcptool"
)

func TestParseCommand(t *testing.T) {
	for line, want := range map[string][]string{
		`npx -y server /tmp`:           {"npx", "-y", "server", "/tmp"},
		` a  'b c'"d e"f\ g `:          {"a", "b cd ef g"},
		`a "" '' "\"\\\n\$" '\"'`:      {"a", "", "", `"\\n$`, `\"`},
		`'/my tools/server' $HOME *`:   {"/my tools/server", "$HOME", "*"},
		"a\tb\nc":                      {"a", "b", "c"},
		`TOKEN='x y' A1=2 server B=3`:  {"server", "B=3"},
		`"https://example.com/mcp" on`: {"https://example.com/mcp", "on"},
	} {
		got, err := mcptool.ParseCommand(line)
		if err != nil || !slices.Equal(got.Command, want) || got.URL != "" {
			t.Errorf("%s: got %q %v", line, got.Command, err)
		}
	}
	if got, _ := mcptool.ParseCommand(`TOKEN='x y' A1=2 server`); !slices.Equal(got.Env, []string{"TOKEN=x y", "A1=2"}) {
		t.Errorf("got %q", got.Env)
	}
	if got, err := mcptool.ParseCommand(" https://example.com/mcp?a=b "); err != nil || got.URL != "https://example.com/mcp?a=b" || got.Command != nil {
		t.Errorf("got %+v %v", got, err)
	}
	for _, line := range []string{"", "  ", "A=1", `a "b`, `a 'b`, `a \`, `a "b\`, "http://"} {
		if got, err := mcptool.ParseCommand(line); err == nil {
			t.Errorf("%q: got %+v", line, got)
		}
	}
}

func ExampleParseCommand() {
	c, err := mcptool.ParseCommand(`TOKEN=secret npx -y some-server "/my files"`)
	fmt.Printf("%q %q %v\n", c.Command, c.Env, err)
	// Output: ["npx" "-y" "some-server" "/my files"] ["TOKEN=secret"] <nil>
}
