package callwright

import (
	"encoding/json"
	"strconv"
	"strings"

	"github.com/callwright/callwright/internal/jsonx"
)

// Check returns an error of KindInvalid if a numeric parameter is not a JSON number or MaxTokens is negative. Encoders
// write these strings to the request body without a further check. It returns nil if all are valid or empty.
func (p *Params) Check() *Error {
	for _, n := range []struct {
		path  string
		value json.Number
	}{
		{"/max_tokens", p.MaxTokens}, {"/temperature", p.Temperature}, {"/top_p", p.TopP}, {"/top_k", p.TopK}, {"/presence_penalty", p.Presence},
		{"/frequency_penalty", p.Frequency}, {"/seed", p.Seed}, {"/thinking/budget", p.Thinking.Budget},
	} {
		raw := []byte(n.value)
		if n.value != "" && (jsonx.KindOf(raw) != jsonx.Number || jsonx.Valid(raw) != nil ||
			strings.TrimSpace(string(n.value)) != string(n.value)) {
			return Errorf("params", KindInvalid, n.path, "expected a number, got %s", strconv.Quote(Excerpt(string(n.value))))
		}
	}
	if len(p.MaxTokens) < 2 {
		return nil
	}
	if n, err := strconv.ParseFloat(string(p.MaxTokens), 64); err == nil && n < 0 {
		return Errorf("params", KindInvalid, "/max_tokens", "expected a positive number, got %s", p.MaxTokens)
	}
	return nil
}
