package callrule

import (
	"errors"
	"fmt"
	"strconv"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/wire/definition"
)

// argumentsOf are the arguments of a call as expressions see them. Those of a tool that takes free text have its text
// alone, as input.
func argumentsOf(c *callwright.Call) (map[string]any, error) {
	if c.Type == callwright.CustomTool {
		return map[string]any{definition.CustomParam: c.Input}, nil
	}
	if !jsonx.ValidObject(c.Arguments) {
		return nil, errors.New("the arguments are no JSON object")
	}
	return object(jsonx.Trim(c.Arguments))
}

// object reads an object. One with duplicate members has two readings: the rule would see another value than a client
// may use.
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

// value reads a JSON value.
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

// number reads a number without rounding it: as an int64, a uint64, a float64, or as its text where none of them holds
// it to the last digit.
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
