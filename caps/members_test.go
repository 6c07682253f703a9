package caps_test

import (
	"reflect"
	"testing"

	"github.com/callwright/callwright/caps"
)

// Every member of Caps has a fact: without one it could not be configured, learned or laid over another layer.
func TestEveryMemberHasAFact(t *testing.T) {
	kinds := map[reflect.Kind]any{reflect.Bool: true, reflect.Int: 1, reflect.Int8: caps.Yes, reflect.String: "x"}
	var c caps.Caps
	members := 0
	var walk func(v reflect.Value, path string)
	walk = func(v reflect.Value, path string) {
		for i := range v.NumField() {
			name, field := path+v.Type().Field(i).Name, v.Field(i)
			switch {
			case name == "Sources":
			case field.Kind() == reflect.Struct:
				walk(field, name+".")
			default:
				members++
				field.Set(reflect.ValueOf(kinds[field.Kind()]).Convert(field.Type()))
				if len(c.KnownFacts()) != members {
					t.Errorf("Caps.%s has no row in the table of facts", name)
					members--
				}
			}
		}
	}
	walk(reflect.ValueOf(&c).Elem(), "")
	if got, want := len(caps.Keys()), members; got != want {
		t.Errorf("%d facts, %d members that have one", got, want)
	}
}
