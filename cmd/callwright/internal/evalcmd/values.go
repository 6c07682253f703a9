package evalcmd

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/config"
	"github.com/callwright/callwright/internal/jsonx"
)

// The functions of this file return setters for the table. A setter parses a text into the field that at returns.

func plain(at func(*settings) *string) func(*settings, string) error {
	return func(s *settings, text string) error {
		*at(s) = text
		return nil
	}
}

func yesNo(at func(*settings) *bool) func(*settings, string) error {
	return func(s *settings, text string) error {
		switch strings.ToLower(text) {
		case "1", "true", "yes", "on":
			*at(s) = true
		case "0", "false", "no", "off":
			*at(s) = false
		default:
			return fmt.Errorf("expected 1 or 0, got %q", callwright.Excerpt(text))
		}
		return nil
	}
}

// whole returns a setter that parses an integer in the range [least, most]. at returns the field to set.
func whole(least, most int, at func(*settings) *int) func(*settings, string) error {
	return func(s *settings, text string) error {
		n, err := strconv.Atoi(text)
		if err != nil || n < least || n > most {
			return fmt.Errorf("expected a whole number from %d to %d, got %q", least, most, callwright.Excerpt(text))
		}
		*at(s) = n
		return nil
	}
}

// names returns a setter that parses comma-separated names and appends them to the existing ones.
func names(at func(*settings) *[]string) func(*settings, string) error {
	return func(s *settings, text string) error {
		more := split(text)
		if len(more) == 0 {
			return errors.New("expected names separated by commas, got none")
		}
		*at(s) = append(*at(s), more...)
		return nil
	}
}

// split returns the non-empty elements of a comma-separated list.
func split(text string) (out []string) {
	for part := range strings.SplitSeq(text, ",") {
		if part = strings.TrimSpace(part); part != "" {
			out = append(out, part)
		}
	}
	return out
}

// checkedNames is like names, but returns the error of check for the first invalid name.
func checkedNames(check func(string) error, at func(*settings) *[]string) func(*settings, string) error {
	return func(s *settings, text string) error {
		for _, name := range split(text) {
			if err := check(name); err != nil {
				return err
			}
		}
		return names(at)(s, text)
	}
}

// seconds parses a duration in seconds, such as "2.5", or with a unit, such as "2m". 0 means no limit.
func seconds(at func(*settings) *time.Duration) func(*settings, string) error {
	return func(s *settings, text string) error {
		d, err := time.ParseDuration(text)
		if n, plain := strconv.ParseFloat(text, 64); plain == nil {
			d, err = time.Duration(n*float64(time.Second)), nil
			if math.IsNaN(n) || n > maxSeconds {
				err = errors.New("too long")
			}
		}
		if err != nil || d < 0 || d > maxSeconds*time.Second {
			return fmt.Errorf("expected seconds from 0 to %d, got %q", int(maxSeconds), callwright.Excerpt(text))
		}
		if *at(s) = d; d == 0 {
			*at(s) = noBound
		}
		return nil
	}
}

const (
	maxSeconds = 24 * 60 * 60
	noBound    = time.Duration(-1) // as in package provider
)

// number returns a setter for a sampling parameter in the range [least, most]. The setter stores the number as written,
// without rounding. whole permits only integers.
func number(name string, least, most float64, whole bool) func(*settings, string) error {
	return func(s *settings, text string) error {
		n, err := strconv.ParseFloat(text, 64)
		if err != nil || jsonx.Valid([]byte(text)) != nil || n < least || n > most || whole && n != math.Trunc(n) {
			kind := "a number"
			if whole {
				kind = "a whole number"
			}
			return fmt.Errorf("expected %s from %v to %v, got %q", kind, least, most, callwright.Excerpt(text))
		}
		s.sampling.said = append(s.sampling.said, param{name, json.RawMessage(text)})
		return nil
	}
}

// A param is a member of request bodies.
type param struct {
	name  string
	value json.RawMessage
}

// neutral are numeric request members that callwright writes in each API's own form. They are omitted for models that
// are known to reject them.
var neutral = []string{"temperature", "top_p", "top_k", "presence_penalty", "frequency_penalty", "seed", "max_tokens"}

// check returns an error if the request member cannot have its value.
func (p param) check() error {
	kind := jsonx.KindOf(p.value)
	if slices.Contains(neutral, p.name) && kind != jsonx.Number && kind != jsonx.Null {
		return fmt.Errorf("expected a number for %s, got %s", p.name, callwright.Excerpt(string(p.value)))
	}
	_, err := membersOf(p)
	return err
}

// isNeutral reports whether the member is written in each API's own form, see neutral.
func (p param) isNeutral() bool {
	return slices.Contains(neutral, p.name) && jsonx.KindOf(p.value) == jsonx.Number
}

// reserved are the request members that an evaluation sets itself.
var reserved = []string{"model", "messages", "tools", "tool_choice", "parallel_tool_calls", "response_format", "functions",
	"function_call", "stream", "stream_options"}

// object parses a JSON object of request members, sorted by name. Reserved members are ignored with a note that
// contains where, the name of the setting.
func object(where string, at func(*settings) *[]param) func(*settings, string) error {
	return func(s *settings, text string) error {
		b := jsonx.Trim([]byte(text))
		var all map[string]json.RawMessage
		if jsonx.Valid(b) != nil || !jsonx.IsObject(b) || json.Unmarshal(b, &all) != nil {
			return fmt.Errorf("expected an object as JSON, got %q", callwright.Excerpt(text))
		}
		for _, name := range slices.Sorted(maps.Keys(all)) {
			if slices.Contains(reserved, name) {
				s.note("%s: %s is ignored: the evaluation sets it", where, name)
				continue
			}
			p := param{name, all[name]}
			if err := p.check(); err != nil {
				return err
			}
			*at(s) = append(*at(s), p)
		}
		return nil
	}
}

// membersOf converts a member to the configuration's form, with a path for each member of nested objects.
func membersOf(p param) (config.Members, error) {
	var a config.Agent
	object := append(jsonx.AppendQuote([]byte("{"), p.name), ':')
	if err := a.Set("request_overrides", string(append(append(object, p.value...), '}'))); err != nil {
		return nil, err
	}
	return a.Request, nil
}
