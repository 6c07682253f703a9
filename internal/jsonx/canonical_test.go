package jsonx_test

import (
	"testing"

	"github.com/callwright/callwright/internal/jsonx"
)

// Two texts have one canonical form exactly when they mean the same.
func TestCanonical(t *testing.T) {
	texts := []string{
		`{"a":1,"b":[true,null]}`, ` { "b" : [ true , null ] , "a" : 1.0 } `, `{"b":[null,true],"a":1}`, `{"a":"1","b":[true,null]}`,
		`"x\u00e9/"`, `"xé\/"`, `"xe/"`, `10`, `1e1`, `0.1e2`, `-10`, `0`, `-0.0e7`, `0.1`, `1E-1`, `12345678901234567890.5`, `12345678901234567890.50`,
		`1e99999999999999999999`, `10e99999999999999999998`, `{}`, `[]`, `[[]]`, `{"a":{}}`, `"a"`, `{"\u0061":{}}`, `true`, `false`, `null`,
	}
	for _, a := range texts {
		for _, b := range texts {
			equal := jsonx.Equal([]byte(a), []byte(b))
			x, y := string(jsonx.Canonical(nil, []byte(a))), string(jsonx.Canonical(nil, []byte(b)))
			if equal != (x == y) {
				t.Errorf("%s and %s: equal %t, canonical %s and %s", a, b, equal, x, y)
			}
		}
	}
}
