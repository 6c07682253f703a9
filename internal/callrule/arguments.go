package callrule

import (
	"errors"
	"fmt"
	"strconv"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/wire/definition"
)

// argumentsOf returns the arguments of a call as the variable args of expressions. For a tool with free-text input,
// args has the only member input.
func argumentsOf(c *callwright.Call) (map[string]any, error) {
	if c.Type == callwright.CustomTool {
		return map[string]any{definition.CustomParam: c.Input}, nil
	}
	if !jsonx.ValidObject(c.Arguments) {
		return nil, errors.New("the arguments are no JSON object")
	}
	return object(jsonx.Trim(c.Arguments))
}

// object decodes a JSON object. Duplicate members are an error, because a client might use another value than the rule.
func object(v []byte) (map[string]any, error) {
	out := map[string]any{}
	for k, member := range jsonx.Members(v) {
		name := k.String()
		if _, twice := out[name]; twice {
			return nil, fmt.Errorf("the arguments have two members %q", callwright.Excerpt(name))
		}
		read, err := value(member)
		if err != nil {
			return nil, err
		}
		out[name] = read
	}
	return out, nil
}

// value decodes a JSON value.
func value(v []byte) (any, error) {
	switch jsonx.KindOf(v) {
	case jsonx.Object:
		return object(v)
	case jsonx.Array:
		out := []any{}
		for e := range jsonx.Elements(v) {
			read, err := value(e)
			if err != nil {
				return nil, err
			}
			out = append(out, read)
		}
		return out, nil
	case jsonx.Text:
		s, _ := jsonx.String(v)
		return s, nil
	case jsonx.Bool:
		return jsonx.IsTrue(v), nil
	case jsonx.Number:
		return number(v), nil
	}
	return nil, nil
}

// number decodes a number without rounding: as an int64, a uint64 or a float64, or as its text if none of them is
// exact.
func number(v []byte) any {
	text := string(v)
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		return n
	}
	if n, err := strconv.ParseUint(text, 10, 64); err == nil {
		return n
	}
	f, err := strconv.ParseFloat(text, 64)
	if err != nil || !jsonx.Equal(v, strconv.AppendFloat(nil, f, 'g', -1, 64)) {
		return text
	}
	return f
}
