package config_test

import (
	"strings"
	"testing"

	"github.com/callwright/callwright/internal/config"
)

// Errors are in the words of whoever wrote the file: what stands there, what would be right, and what was probably meant.
func TestErrorsInTheUsersWords(t *testing.T) {
	for _, c := range []struct{ about, text, want string }{
		{"a number in words", "providers: {groq: {max_retries: three}}", `expected a whole number, got the text "three"`},
		{"a number in quotes", "providers: {groq: {max_retries: '3'}}", `got the text "3" (write it without quotes)`},
		{"half a number", "providers: {groq: {max_retries: 1.5}}", "expected a whole number from 0, got 1.5"},
		{"a number too large", "providers: {groq: {max_retries: 99999999999999999999}}", "got 99999999999999999999, which is too large"},
		{"no number", "providers: {groq: {max_retries: }}", "expected a whole number, got nothing"},
		{"a number as a fact", "models: {groq/x: {caps: {max_tools: many}}}", `expected a whole number, got "many"`},
		{"yes", "providers: {groq: {retry_other_mode: yes}}", `expected true or false, got the text "yes" (write true)`},
		{"off", "providers: {groq: {retry_other_mode: Off}}", `got the text "Off" (write false)`},
		{"a quoted Boolean", "providers: {groq: {retry_other_mode: 'true'}}", "(write it without quotes)"},
		{"a duration without a unit", "providers: {groq: {timeouts: {connect: 10}}}", "expected a duration such as 10s or 5m, got 10 without a unit"},
		{"the same in quotes", "providers: {groq: {timeouts: {connect: '10'}}}", "got 10 without a unit"},
		{"a duration in words", "providers: {groq: {timeouts: {connect: 10 seconds}}}", `expected a duration such as 10s, 5m or 1h30m, got "10 seconds"`},
		{"a duration before now", "providers: {groq: {timeouts: {connect: -1s}}}", `got "-1s"`},
		{"a key twice", "listen: 127.0.0.1:1\nmodels: {}\n\nlisten: 127.0.0.1:2", `4:1: listen: "listen" is already in line 1`},
		{"a key and its other name", "models:\n  groq/x:\n    maxRetries: 1\n    max_retries: 2", "remove one of them (maxRetries is in line 3)"},
		{"a misspelled key", "modles: {}", `unknown key "modles": did you mean models?`},
		{"a key in another case", "providers: {groq: {maxCorrections: 1}}", "did you mean max_corrections?"},
		{"a key like none", "telepathy: {}", "expected listen, state, keys, keys_file, groups, prices_file, server, hosts, origins, passthrough, hosted_tools, limits, budget, drain_time, metrics, ui, telemetry, alerts, trace, cache, discover, providers, models, agent, experimental, call_rules, transforms, tool_result_transforms, message_transforms, tool_transforms, response_transforms or tool_call_transforms"},
		{"a misspelled policy", "providers: {groq: {policy: heel}}", "did you mean heal?"},
		{"a misspelled mode", "providers: {groq: {mode: nativ}}", "did you mean native?"},
		{"a misspelled wire", "providers: {groq: {wire: openia}}", "did you mean openai?"},
		{"a misspelled dialect", "providers: {groq: {dialect: herms}}", "did you mean hermes?"},
		{"a misspelled rule", "providers: {groq: {rules: {json.trailingcoma: false}}}", "did you mean json.trailing_comma?"},
		{"a misspelled fact", "providers: {groq: {caps: {tool: yes}}}", "did you mean tools?"},
		{"a misspelled way to be strict", "providers: {groq: {strict_tools: atuo}}", "did you mean auto?"},
		{"a misspelled time to probe", "providers: {groq: {probe: always}}", `unknown probe "always": expected off or unknown`},
		{"a misspelled way to stream", "providers: {groq: {stream_calls: flowin}}", "did you mean flowing?"},
		{"a misspelled provider", "providers: {groqq: {}}", `unknown provider "groqq": did you mean groq? (any other name needs a base_url)`},
		{"a misspelled provider of a model", "models: {fast: {model: gorq/llama}}", "did you mean groq/llama?"},
		{"a simulator that is not listed", "models: {fast: {model: sim/native}}", "add the simulator with providers: {sim: {}}"},
		{"a provider without an address", "models: {fast: {model: azure/gpt}}", "providers: {azure: {base_url: ...}}"},
		{"a misspelled alias", "models: {fast: {model: groq/x, fallbacks: [slwo]}, slow: {model: groq/y}}", "did you mean slow?"},
		{"a tab", "models:\n\tfast: {model: groq/x}", "2:1: not YAML: the line is indented by a tab: use spaces"},
		{"two colons", "models:\n  fast: model: groq/x", "a second colon in one line"},
		{"an open brace", "models:\n  fast: {model: groq/x", "this { is not closed"},
		{"an open bracket", "keys: [a", "this [ is not closed"},
		{"an open quote", "models:\n  fast:\n    model: \"groq/x\n", "3:12: not YAML: this quote is not closed"},
		{"an indentation that fits nothing", "models:\n  fast:\n    model: groq/x\n   policy: heal", "4:4: not YAML: this does not match the lines above"},
		{"an asterisk", "models:\n  *: {policy: heal}", "put names with * or other signs into quotes"},
		{"no blank behind a colon", "models:\n  fast:\n    model:groq/x", "expected a mapping ({key: value}), got text (add a space after the colon)"},
		{"no list", "keys: abc", "expected a list ([one, two]), got text"},
		{"a port alone", "listen: 8787", "expected text such as 127.0.0.1:8787, got a number"},
		{"another encoding", "\xff\xfel\x00i\x00", "1:1: expected UTF-8 text"},
		{"a byte of another encoding", "models: {}\n# caf\xe9", "2:1: expected UTF-8 text"},
	} {
		_, err := config.Parse([]byte(c.text), env("GROQ_API_KEY=k"))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %s", c.about, err, c.want)
		}
	}
}

// Some editors begin a file with a byte order mark.
func TestByteOrderMark(t *testing.T) {
	c := parse(t, "\ufefflisten: 127.0.0.1:1\n")
	if c.Listen != "127.0.0.1:1" {
		t.Errorf("got %q", c.Listen)
	}
	_, err := config.Parse([]byte("\ufefflisten: 1"), env())
	if err == nil || !strings.HasPrefix(err.Error(), "1:9: listen: ") {
		t.Errorf("the place is not where a person sees it: %v", err)
	}
}
