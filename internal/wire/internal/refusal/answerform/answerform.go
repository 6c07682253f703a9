// Package answerform reads which form of an answer a refusal is about.
package answerform

import (
	"slices"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/feature"
)

// formats are the forms of an answer, and the feature that is refused where a provider lists others and not this one.
var formats = []struct {
	name    string
	refused callwright.Feature
}{{"json_schema", feature.ResponseFormat}, {"json_object", feature.JSONMode}}

// listWords stand before the list of the values that are taken, in lower case.
var listWords = []string{"must be", "should be", "supported values", "allowed values", "one of", "expected", "only"}

// FindRefusedForm is the form of the answer that a message refuses, "" for none: it is about the member that asks for
// one, and lists the values that are taken. A list without quotes has two of them, as "text" is a word too.
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

// plainList reports which forms of an answer a list without quotes has; nil where it is none.
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
