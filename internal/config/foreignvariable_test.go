package config_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/callwright/callwright/internal/config"
)

// TestForeignVariables: a variable in the words of another program is refused where a secret stands, with the place and the form that is read. Texts that are
// like one and may be secrets stay.
func TestForeignVariables(t *testing.T) {
	places := map[string]string{
		"api_key":          "providers: {groq: {api_key: %s}}",
		"a header":         "providers: {groq: {headers: {X-Key: %s}}}",
		"a client's key":   "keys: [%s]",
		"a named key":      "keys: [{name: a, key: %s}]",
		"an MCP server":    "agent: {mcp: {s: {url: 'http://a.test', headers: {Authorization: %s}}}}",
		"its environment":  "agent: {mcp: {s: {command: [a], env: {KEY: %s}}}}",
		"the collector":    "telemetry: {endpoint: 'http://a.test', headers: {K: %s}}",
		"NATS":             "state: {nats: {url: 'nats://a.test', user: u, password: %s}}",
		"a header, scheme": "providers: {groq: {headers: {X-Key: 'Bearer SCHEME'}}}",
	}
	env := func(string) (string, bool) { return "value", true }
	for place, line := range places {
		for _, form := range []string{"$LAB_KEY", "%LAB_KEY%", "os.environ/LAB_KEY", "os.environ['LAB_KEY']", "env.LAB_KEY", "process.env.LAB_KEY", "$env:LAB_KEY", "{env:LAB_KEY}", "{{LAB_KEY}}", "{{ LAB_KEY }}", "{{env.LAB_KEY}}", "{LAB_KEY}"} {
			quoted := "'" + strings.ReplaceAll(form, "'", "''") + "'"
			text := strings.ReplaceAll(line, "SCHEME", strings.Trim(quoted, "'"))
			if strings.Contains(text, "%s") {
				text = fmt.Sprintf(line, quoted)
			}
			_, err := config.Parse([]byte(text), env)
			if err == nil || !strings.Contains(err.Error(), "write env:LAB_KEY") || !strings.Contains(err.Error(), "1:") {
				t.Errorf("%s: %s: got %v", place, form, err)
			}
		}
	}
	for _, secret := range []string{"env:LAB_KEY", "sk-LAB_KEY", "$2b$12$abc", "%a", "env", "os.environ", "{}", "a$LAB_KEY", "Bearer sk-1", "${LAB_KEY}", "$1abc", "$ecret1", "%ecret%", "{ecret}"} {
		if _, err := config.Parse([]byte("providers: {groq: {headers: {X-Key: '"+secret+"'}}}"), env); err != nil {
			t.Errorf("%s: got %v", secret, err)
		}
	}
}
