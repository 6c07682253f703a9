package dialect_test

import (
	"strings"
	"testing"

	"github.com/callwright/callwright/dialect"
)

var trip = dialect.Tool{Name: "plan_trip", Params: []dialect.Param{
	{Name: "city", Types: []string{"string"}, Required: true}, {Name: "days", Types: []string{"integer"}}, {Name: "stops", Types: []string{"array"}},
}}

// The arguments of a named tool are read from markup, from a whole call in their place, and from several objects.
func TestReadArguments(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"<city>Oslo</city>", `city=Oslo`},
		{"<city>Oslo</city>\n<days>2</days>", `city=Oslo days=2`},
		{`<parameter name="city">Oslo</parameter><parameter name="days">2</parameter>`, `city=Oslo days=2`},
		{"<parameter=city>\nOslo\n</parameter>", `city=Oslo`},
		{"<arg_key>city</arg_key><arg_value>Oslo</arg_value>", `city=Oslo`},
		{"<plan_trip><city>Oslo</city></plan_trip>", `city=Oslo`},
		{`<tool_call>{"name": "plan_trip", "arguments": {"city": "Oslo"}}</tool_call>`, `{"city":"Oslo"}`},
		{`{"name": "plan_trip", "arguments": {"city": "Oslo"}}`, `{"city": "Oslo"}`},
		{`{"function": {"name": "plan_trip", "arguments": "{\"city\": \"Oslo\"}"}}`, `{"city": "Oslo"}`},
		{`{"plan_trip": {"city": "Oslo"}}`, `{"city": "Oslo"}`},
		{`{"city": "Oslo"}{"city": "Rome", "days": 3}`, `{"city": "Oslo"}|{"city": "Rome", "days": 3}`},
		{"{\"city\": \"Oslo\"}\n{\"city\":\"Oslo\"}", `{"city": "Oslo"}`},
		{`{"city": "Oslo"}`, `{"city": "Oslo"}`},

		{`{"city": "Oslo"}{"days": 3}`, ""},
		{`{"city": "Oslo"}{"city": "Ro`, ""},
		{`{"name": "other", "arguments": {"city": "Oslo"}}`, ""},
		{"<days>2</days>", ""},
		{"<town>Oslo</town>", ""},
		{"Oslo", ""},
		{"<city>Os", ""},
		{"<city>Oslo</city> and then <b>more</b>", ""},
		{"", ""},
	} {
		calls, ok := dialect.ReadArguments(trip, c.text, dialect.Options{})
		got := make([]string, len(calls))
		for i, call := range calls {
			got[i] = written(call)
		}
		if s := strings.Join(got, "|"); ok != (c.want != "") || strings.ReplaceAll(s, " ", "") != strings.ReplaceAll(c.want, " ", "") {
			t.Errorf("%s\n gives %q (%t), want %q", c.text, s, ok, c.want)
		}
	}
}

func written(c *dialect.Call) string {
	var b strings.Builder
	b.WriteString(c.JSON)
	for _, a := range c.Args {
		b.WriteString(" " + a.Key + "=" + a.Text)
	}
	return strings.TrimSpace(b.String())
}
