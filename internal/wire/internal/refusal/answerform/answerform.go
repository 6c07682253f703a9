// Package answerform finds the response format that an error message rejects.
package answerform

import (
	"slices"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/feature"
)

// formats lists the response formats, with the feature that is missing if a provider's list of accepted formats lacks
// the format.
var formats = []struct {
	name    string
	refused callwright.Feature
}{{"json_schema", feature.ResponseFormat}, {"json_object", feature.JSONMode}}

// listWords lists wordings, in lower case, before a list of accepted values.
var listWords = []string{"must be", "should be", "supported values", "allowed values", "one of", "expected", "only"}

// FindRefusedForm returns the feature for the response format that a message rejects, "" if it rejects none. The
// message, in lower case, must be about response_format and list the accepted values. A list without quotes must have
// two of the known formats, because "text" is also a common word.
func FindRefusedForm(low string) callwright.Feature {
	_, rest, ok := strings.Cut(low, "response_format")
	if !ok {
		return ""
	}
	list := ""
	for _, words := range listWords {
		if _, after, ok := strings.Cut(rest, words); ok && len(after) > len(list) {
			list = after
		}
	}
	taken := func(name string) bool {
		return strings.Contains(list, "'"+name+"'") || strings.Contains(list, `"`+name+`"`) || strings.Contains(list, "`"+name+"`")
	}
	if !taken("text") && !taken(formats[0].name) && !taken(formats[1].name) {
		if taken = plainList(list); taken == nil {
			return ""
		}
	}
	for _, f := range formats {
		if !taken(f.name) {
			return f.refused
		}
	}
	return ""
}

// plainList returns a function that reports whether an unquoted list has a format, nil if it has fewer than two.
func plainList(list string) func(name string) bool {
	words := strings.FieldsFunc(list, func(c rune) bool { return c != '_' && !('a' <= c && c <= 'z') })
	taken := func(name string) bool { return slices.Contains(words, name) }
	n := 0
	for _, name := range []string{"text", formats[0].name, formats[1].name} {
		if taken(name) {
			n++
		}
	}
	if n < 2 {
		return nil
	}
	return taken
}
