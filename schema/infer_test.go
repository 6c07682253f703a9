package schema_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"net/netip"
	"testing"
	"time"

	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/schema"
	"github.com/google/go-cmp/cmp"
	"github.com/google/jsonschema-go/jsonschema"
)

type unit string

// JSONSchema says what a unit may be.
func (unit) JSONSchema() json.RawMessage {
	return json.RawMessage(`{ "type": "string", "enum": ["celsius", "fahrenheit"] }`)
}

type misled int

// JSONSchema is no schema.
func (misled) JSONSchema() json.RawMessage { return json.RawMessage(`{"type": "int eger"}`) }

type mute int

// JSONSchema says nothing.
func (mute) JSONSchema() json.RawMessage { return nil }

type own struct{ A int }

func (*own) UnmarshalJSON([]byte) error { return nil }

type place struct {
	City    string `json:"city" jsonschema:"where, such as \"Oslo\" or <here>"`
	Country string `json:"country,omitempty"`
}

type tuned struct {
	Unit unit `json:"unit"`
}

type node struct {
	Next  *node  `json:"next"`
	Below []node `json:"below"`
}

type twice struct {
	A place
	B place
}

type upper struct {
	Name string
	Deep int
}

type lower struct{ Name string }

type hidden struct{ Seen bool }

func TestForWritesTypes(t *testing.T) {
	for _, c := range []struct {
		of   func() (json.RawMessage, error)
		want string
	}{
		{schema.For[struct{}], `{"type":"object","properties":{},"additionalProperties":false}`},
		{schema.For[**lower], `{"type":"object","properties":{"Name":{"type":"string"}},"required":["Name"],"additionalProperties":false}`},
		{schema.For[place], `{"type":"object","properties":{"city":{"type":"string","description":"where, such as \"Oslo\" or <here>"},"country":{"type":"string"}},` +
			`"required":["city"],"additionalProperties":false}`},
		{schema.For[map[string][]int], `{"type":"object","additionalProperties":{"type":"array","items":{"type":"integer"}}}`},
		{schema.For[map[int]any], `{"type":"object","additionalProperties":{}}`},
		{schema.For[map[netip.Addr]*bool], `{"type":"object","additionalProperties":{"anyOf":[{"type":"boolean"},{"type":"null"}]}}`},
		{schema.For[[2]float32], `{"type":"array","minItems":2,"maxItems":2,"items":{"type":"number"}}`},
		{schema.For[time.Time], `{"type":"string","format":"date-time"}`},
		{schema.For[json.RawMessage], `{}`},
		{schema.For[json.Number], `{"type":"number"}`},
		{schema.For[big.Int], `{"type":"integer"}`},
		{schema.For[big.Float], `{"type":"string"}`},
		{schema.For[[]byte], `{"type":"string","contentEncoding":"base64"}`},
		{schema.For[netip.Addr], `{"type":"string"}`},
		{schema.For[own], `{}`},
		{schema.For[unit], `{"type":"string","enum":["celsius","fahrenheit"]}`},
		{schema.For[*unit], `{"type":"string","enum":["celsius","fahrenheit"]}`},
	} {
		got, err := c.of()
		if err != nil || string(got) != c.want {
			t.Errorf("error %v, got\n%s, want\n%s", err, got, c.want)
		}
		if _, err := schema.Compile(got); err != nil {
			t.Error(err)
		}
	}
}

func TestForWritesFields(t *testing.T) {
	type all struct {
		Z       int              `json:"z"`
		A       *json.RawMessage `json:"a" jsonschema:"anything"`
		Dash    int              `json:"-,"` //nolint:staticcheck // encoding/json reads it as a name
		Left    int              `json:"-"`
		private int
		Many    []*tuned       `json:"many,omitempty"`
		Once    map[string]any `json:"once,omitzero"`
		Quoted  int            `json:"quoted,string"`
		Words   string         `json:",string"`
		*tuned
		upper
		hidden
		*lower
		Named place `json:"named"`
		Bad   int   `json:"a\"b"` //nolint:staticcheck // encoding/json passes over it
	}
	_ = all{}.private
	got, err := schema.For[all]()
	want := `{"type":"object","properties":{"z":{"type":"integer"},"a":{"description":"anything"},"-":{"type":"integer"},` +
		`"many":{"type":"array","items":{"anyOf":[{"type":"object","properties":{"unit":{"type":"string","enum":["celsius","fahrenheit"]}},"required":["unit"],"additionalProperties":false},{"type":"null"}]}},` +
		`"once":{"type":"object","additionalProperties":{}},"quoted":{"type":"string"},"Words":{"type":"string"},` +
		`"Name":{"type":"string"},"Deep":{"type":"integer"},"Seen":{"type":"boolean"},` +
		`"named":{"type":"object","properties":{"city":{"type":"string","description":"where, such as \"Oslo\" or <here>"},"country":{"type":"string"}},"required":["city"],"additionalProperties":false},` +
		`"Bad":{"type":"integer"}},"required":["z","-","quoted","Words","Name","Deep","Seen","named","Bad"],"additionalProperties":false}`
	if diff := cmp.Diff(want, string(got)); diff != "" || err != nil {
		t.Error(err, diff)
	}
}

type tagged struct {
	Other string `json:"Name"`
}

type ambiguous struct {
	upper
	lower
	hidden
}

type settled struct {
	upper
	tagged
}

type shadowed struct {
	upper
	Name int
}

type based struct {
	Place *place `json:"place"`
	lower `json:"base"`
}

// namesWhatIsWritten: every field that the schema names is one that encoding/json writes, and no other.
func namesWhatIsWritten[T any](t *testing.T, v T) {
	t.Helper()
	written, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	s, err := schema.For[T]()
	if err != nil {
		t.Fatal(err)
	}
	c, err := schema.Compile(s)
	if err != nil || !c.Fits(written) {
		t.Errorf("%T: %s does not fit %s: %v", v, written, s, err)
	}
	properties, _ := jsonx.Find(s, "properties")
	for name := range jsonx.Members(properties) {
		if _, ok := jsonx.Find(written, name.String()); !ok {
			t.Errorf("%T: %s is not in %s", v, name, written)
		}
	}
}

func TestForNamesWhatIsWritten(t *testing.T) {
	namesWhatIsWritten(t, ambiguous{})
	namesWhatIsWritten(t, settled{})
	namesWhatIsWritten(t, shadowed{})
	namesWhatIsWritten(t, based{Place: &place{Country: "Norway"}})
	namesWhatIsWritten(t, twice{place{Country: "Norway"}, place{City: "Oslo"}})
}

// What both have a form for, github.com/google/jsonschema-go writes alike.
func TestForAgreesWithTheLibrary(t *testing.T) {
	type all struct {
		A int8           `json:"a" jsonschema:"a small number"`
		B uint16         `json:"b,omitempty"`
		C map[string]int `json:"c"`
		D [3]float64     `json:"d"`
		E place          `json:"e"`
		F bool           `json:"f,omitzero"`
		upper
	}
	theirs, err := jsonschema.For[all](nil)
	if err != nil {
		t.Fatal(err)
	}
	want, err := json.Marshal(theirs)
	if err != nil {
		t.Fatal(err)
	}
	ours, err := schema.For[all]()
	if err != nil || !jsonx.Equal(want, ours) {
		t.Errorf("error %v, got\n%s, want\n%s", err, ours, want)
	}
}

func TestForRefuses(t *testing.T) {
	for _, c := range []struct {
		of   func() (json.RawMessage, error)
		want string
	}{
		{schema.For[node], "schema: at /properties/next: the type schema_test.node holds itself"},
		{schema.For[map[string][]node], "schema: at /additionalProperties/items/properties/next: the type schema_test.node holds itself"},
		{schema.For[chan int], "schema: at the root: the type chan int cannot be represented in JSON"},
		{schema.For[struct{ F []func() }], "schema: at /properties/F/items: the type func() cannot be represented in JSON"},
		{schema.For[struct {
			M map[bool]int `json:"a/b"`
		}], "schema: at /properties/a~1b: a map by bool cannot be represented in JSON"},
		{schema.For[struct {
			A int `jsonschema:"required=true"`
		}], `schema: at /properties/A: expected a description in the tag jsonschema, got "required=true"`},
		{schema.For[struct {
			A int `jsonschema:""`
		}], `schema: at /properties/A: expected a description in the tag jsonschema, got ""`},
		{schema.For[struct{ A misled }], `schema: at /properties/A/type: there is no type "int eger"`},
		{schema.For[mute], "schema: at the root: expected a schema from the type schema_test.mute, got invalid"},
	} {
		got, err := c.of()
		if _, ok := errors.AsType[*schema.CompileError](err); !ok || err.Error() != c.want || got != nil {
			t.Errorf("got %s, %v, want %s", got, err, c.want)
		}
	}
}

func ExampleFor() {
	type forecast struct {
		City string  `json:"city" jsonschema:"the name of a city"`
		Days *int    `json:"days"`
		Wind float64 `json:"wind,omitempty"`
	}
	s, err := schema.For[forecast]()
	fmt.Println(string(s), err)
	// Output:
	// {"type":"object","properties":{"city":{"type":"string","description":"the name of a city"},"days":{"type":"integer"},"wind":{"type":"number"}},"required":["city"],"additionalProperties":false} <nil>
}
