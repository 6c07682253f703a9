package schema

import (
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// formatTable lists the checked formats with their descriptions for messages. It lacks formats whose check could
// reject valid values: regex (RE2 supports only a subset), uri-template and internationalized formats.
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

// formatChecks returns the format checks of the complete validator, so that both validators agree.
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

// formatOf returns the check of the named format, nil if it is unknown.
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
