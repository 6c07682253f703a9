package toolserver_test

import (
	"testing"

	"github.com/callwright/callwright/internal/toolserver"
)

func TestDescribe(t *testing.T) {
	for name, want := range map[string]string{
		"search":                      "tool `search`",
		"mcp__github__create_issue":   "tool `create_issue` of server `github`",
		"mcp__a_b__c__d":              "tool `c__d` of server `a_b`",
		"calendar:events.list":        "tool `events.list` of server `calendar`",
		"mcp__":                       "tool `mcp__`",
		"mcp__github__":               "tool `mcp__github__`",
		":x":                          "tool `:x`",
		"x:":                          "tool `x:`",
		"mcp_solidworks_batch_run":    "tool `mcp_solidworks_batch_run`",
		"mcp__weather:get__forecast":  "tool `forecast` of server `weather:get`",
		"Query all components":        "tool `Query all components`",
		"mcp____x":                    "tool `mcp____x`",
		"files:read:all":              "tool `read:all` of server `files`",
		"aws___list_regions":          "tool `aws___list_regions`",
		"mcp__plugin_foo__bar__baz__": "tool `bar__baz__` of server `plugin_foo`",
	} {
		if got := toolserver.Describe(name); got != want {
			t.Errorf("%s: got %s, want %s", name, got, want)
		}
	}
}
