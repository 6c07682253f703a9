package jsonx_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/big"
	"slices"
	"strings"
	"testing"

	"github.com/callwright/callwright/internal/jsonx"
	"pgregory.net/rapid"
)

func TestEqual(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{`1`, ` 1 `, true}, {`1`, `1.0`, true}, {`100`, `1e2`, true}, {`1E+2`, `10e1`, true}, {`0.001`, `1e-3`, true}, {`120.50`, `1205e-1`, true},
		{`0`, `-0.0e7`, true}, {`1`, `-1`, false}, {`1`, `10`, false}, {`1`, `0.1`, false}, {`10`, `1`, false}, {`12`, `1.3`, false},
		{`9007199254740993`, `9007199254740992`, false}, {`9223372036854775807`, `9.223372036854775807e18`, true},
		{`0.1`, `0.10000000000000000555`, false}, {`1e400`, `1e401`, false}, {`1e400`, `10e399`, true},
		{`1e1000000000000000000`, `10e999999999999999999`, true}, {`1e1000000000000000000`, `1e999999999999999999`, false},
		{`1e99999999999999999999999`, `0.01e100000000000000000000001`, true}, {`1e-99999999999999999999`, `10e-100000000000000000000`, true},
		{`1e-99999999999999999999`, `1e99999999999999999999`, false}, {`0e99999999999999999999`, `0`, true}, {`1e007`, `1e7`, true},
		{`"a"`, `"a"`, true}, {`"a"`, `"\u0061"`, true}, {`"😀"`, `"\ud83d\ude00"`, true}, {`"a"`, `"b"`, false}, {`"a"`, `"a\u0062"`, false},
		{`"\ud800"`, `"\ud801"`, false}, {`"\/"`, `"/"`, true}, {`"1"`, `1`, false}, {`"é"`, `"\u00E9"`, true},
		{`null`, `null`, true}, {`true`, `false`, false}, {`null`, `false`, false}, {`[]`, `{}`, false},
		{`[]`, `[ ]`, true}, {`[1,2]`, `[1, 2]`, true}, {`[1,2]`, `[2,1]`, false}, {`[1]`, `[1,1]`, false}, {`[1,1]`, `[1]`, false}, {`[]`, `[0]`, false},
		{`{}`, `{"a":1}`, false}, {`{"a":1}`, `{}`, false}, {`{"a":1,"b":2}`, `{"b":2,"a":1.0}`, true}, {`{"a":1,"b":2}`, `{"b":1,"a":2}`, false},
		{`{"a":1}`, `{"\u0061":1}`, true}, {`{"a":1,"b":2}`, `{"a":1}`, false}, {`{"a":1,"b":2}`, `{"a":1,"c":2}`, false}, {`{"b":1}`, `{"a":1,"b":1}`, false},
		{`{"a":1,"a":2}`, `{"a":1,"a":2}`, true}, {`{"a":1,"a":2}`, `{"a":2,"a":1}`, false}, {`{"a":1,"a":2,"b":3}`, `{"b":3,"a":1,"a":2}`, true},
		{`{"a":1,"a":2,"b":3}`, `{"b":3,"a":2,"a":1}`, false}, {`{"x":[{"b":1,"a":[1]}],"y":2}`, `{"y":2,"x":[{"a":[1e0],"b":1}]}`, true},
		{`{"x":[{"b":1,"a":[1]}],"y":2}`, `{"y":2,"x":[{"a":[2],"b":1}]}`, false}, {`{"é":1,"z":2}`, `{"z":2,"\u00e9":1}`, true},
		{`[{"b":1,"a":2},3]`, `[{"a":2,"b":1},4]`, false}, {`[{"b":1,"a":2},[]]`, `[{"a":2,"b":1},{}]`, false},
		{``, ``, false}, {`1`, ``, false}, {`[1`, `[1`, false}, {`{"a"`, `{"a"`, false}, {`x`, `x`, true},
	} {
		if got := jsonx.Equal([]byte(c.a), []byte(c.b)); got != c.want {
			t.Errorf("%s and %s: got %v", c.a, c.b, got)
		}
		if got := jsonx.Equal([]byte(c.b), []byte(c.a)); got != c.want {
			t.Errorf("%s and %s: got %v", c.b, c.a, got)
		}
	}
}

func decode(t *rapid.T, text string) (v any) {
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	if err := d.Decode(&v); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return v
}

// respell writes v in another way that means the same.
func respell(t *rapid.T, b *bytes.Buffer, v any) {
	b.WriteString(anySpace.Draw(t, "space"))
	defer func() { b.WriteString(anySpace.Draw(t, "space")) }()
	switch v := v.(type) {
	case map[string]any:
		keys := make([]string, 0, len(v))
		for k := range v {
			keys = append(keys, k)
		}
		slices.Sort(keys)
		if len(keys) > 0 {
			keys = rapid.Permutation(keys).Draw(t, "order")
		}
		b.WriteByte('{')
		for i, k := range keys {
			if i > 0 {
				b.WriteByte(',')
			}
			respell(t, b, k)
			b.WriteByte(':')
			respell(t, b, v[k])
		}
		b.WriteByte('}')
	case []any:
		b.WriteByte('[')
		for i, e := range v {
			if i > 0 {
				b.WriteByte(',')
			}
			respell(t, b, e)
		}
		b.WriteByte(']')
	case string:
		escape := rapid.Bool().Draw(t, "escape")
		quoted := string(jsonx.AppendQuote(nil, v))
		if escape {
			quoted = strings.NewReplacer("a", `\u0061`, "世", `\u4E16`, "🌍", `\ud83c\udf0d`, "/", `\/`).Replace(quoted)
		}
		b.WriteString(quoted)
	case json.Number:
		s := string(v)
		if !strings.ContainsAny(s, "eE") {
			if strings.Contains(s, ".") {
				s += rapid.SampledFrom([]string{"", "0", "e0", "00E-0"}).Draw(t, "tail")
			} else {
				s += rapid.SampledFrom([]string{"", ".0", "e00", "0e-1", "000.0e-3"}).Draw(t, "tail")
			}
		}
		b.WriteString(s)
	default:
		fmt.Fprint(b, map[any]string{nil: "null", true: "true", false: "false"}[v])
	}
}

// same returns the slow and plain answer.
func same(a, b any) bool {
	switch a := a.(type) {
	case map[string]any:
		b, ok := b.(map[string]any)
		if !ok || len(a) != len(b) {
			return false
		}
		for k, v := range a {
			if w, ok := b[k]; !ok || !same(v, w) {
				return false
			}
		}
		return true
	case []any:
		b, ok := b.([]any)
		return ok && slices.EqualFunc(a, b, same)
	case json.Number:
		b, ok := b.(json.Number)
		if !ok {
			return false
		}
		x, _ := new(big.Rat).SetString(string(a))
		y, _ := new(big.Rat).SetString(string(b))
		return x.Cmp(y) == 0
	}
	return a == b
}

func TestEqualByMeaning(t *testing.T) {
	whole := anyValue(3).Filter(func(s string) bool { return !strings.Contains(s, `\ud800`) })
	rapid.Check(t, func(t *rapid.T) {
		a := whole.Draw(t, "a")
		var b bytes.Buffer
		respell(t, &b, decode(t, a))
		if !jsonx.Equal([]byte(a), b.Bytes()) {
			t.Fatalf("%s and %s should be equal", a, &b)
		}
		damaged := b.Bytes()
		damaged[rapid.IntRange(0, len(damaged)-1).Draw(t, "at")] = rapid.SampledFrom([]byte("0123b,]} ")).Draw(t, "byte")
		if !json.Valid(damaged) || jsonx.Valid(damaged) != nil || hasDuplicates(damaged) {
			return
		}
		if got, want := jsonx.Equal([]byte(a), damaged), same(decode(t, a), decode(t, string(damaged))); got != want {
			t.Fatalf("%s and %s: got %v, want %v", a, damaged, got, want)
		}
	})
}

func hasDuplicates(v []byte) bool {
	seen := map[string]bool{}
	for k, v := range jsonx.Members(v) {
		if seen[k.String()] || hasDuplicates(v) {
			return true
		}
		seen[k.String()] = true
	}
	for e := range jsonx.Elements(v) {
		if hasDuplicates(e) {
			return true
		}
	}
	return false
}

func TestEqualDoesNotAllocateInOrder(t *testing.T) {
	text := chat()
	if n := testing.AllocsPerRun(5, func() { _ = jsonx.Equal(text, text) }); n != 0 {
		t.Errorf("got %v allocations, want none", n)
	}
}
