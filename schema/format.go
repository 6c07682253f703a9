package schema

import (
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// formatTable holds the formats that are checked, and how a message calls them. Formats of which correct values might
// be refused are not here: regex (RE2 knows only a part), uri-template, and the international ones.
var formatTable = []struct{ name, want string }{
	{"date-time", "a date and time of RFC 3339 such as 2025-01-31T08:00:00Z"},
	{"date", "a date such as 2025-01-31"},
	{"time", "a time of RFC 3339 such as 08:00:00Z"},
	{"duration", "a duration of ISO 8601 such as P1DT2H"},
	{"email", "an e-mail address"},
	{"hostname", "a host name"},
	{"ipv4", "an IPv4 address"},
	{"ipv6", "an IPv6 address"},
	{"uuid", "a UUID"},
	{"uri", "an absolute URI such as https://example.com/"},
	{"uri-reference", "a URI or a relative reference"},
	{"json-pointer", "a JSON pointer"},
	{"relative-json-pointer", "a relative JSON pointer"},
}

// formatChecks are the checks of the complete validator, so that both agree.
var formatChecks = sync.OnceValue(func() map[string]*jsonschema.Format {
	list := make([]any, 0, len(formatTable))
	for _, row := range formatTable {
		list = append(list, map[string]any{"format": row.name})
	}
	sch, err := compileComplete(map[string]any{"allOf": list}, latestDraft)
	if err != nil {
		panic("schema: the table of formats: " + err.Error())
	}
	checks := make(map[string]*jsonschema.Format, len(formatTable))
	for i, row := range formatTable {
		if checks[row.name] = sch.AllOf[i].Format; checks[row.name] == nil {
			panic("schema: no check for the format " + row.name)
		}
	}
	return checks
})

// formatOf returns the check of a format, nil when it is not known.
func formatOf(name string) *jsonschema.Format {
	for _, row := range formatTable {
		if row.name == name {
			return formatChecks()[name]
		}
	}
	return nil
}

func formatWant(name string) string {
	for _, row := range formatTable {
		if row.name == name {
			return row.want
		}
	}
	return name
}
