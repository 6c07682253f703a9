package refusal

import (
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

// refusedFormat is the form of the answer that a message refuses, "" for none: it is about the member that asks for one, and lists the
// values that are taken, in quotes.
func refusedFormat(low string) callwright.Feature {
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
		return ""
	}
	for _, f := range formats {
		if !taken(f.name) {
			return f.refused
		}
	}
	return ""
}
