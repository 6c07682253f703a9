package schema_test

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/callwright/callwright/schema"
)

// Violations share no memory with what the next validation uses. Built with the race detector that memory is overwritten as soon as it is free.
func TestViolationsLast(t *testing.T) {
	s, err := schema.Compile([]byte(`{"type":"object","properties":{"list~":{"type":"array","items":{"type":"object","propertyNames":{"maxLength":20},` +
		`"patternProperties":{"^k":{"type":"string","pattern":"^\\u0041","enum":["A","AB"]}},"additionalProperties":false}}}}`))
	if err != nil {
		t.Fatal(err)
	}
	type result struct {
		got  []schema.Violation
		want []string
	}
	results := make([][]result, 8)
	var wg sync.WaitGroup
	for i := range results {
		wg.Go(func() {
			for n := range 50 {
				key := fmt.Sprintf("k\\u0062%d/%d", i, n)
				at := fmt.Sprintf("/list~0/1/kb%d~1%d", i, n)
				got := s.Validate([]byte(`{"list~":[{},{"` + key + `":"\u0042` + strings.Repeat("x", n) + `"}]}`))
				results[i] = append(results[i], result{got, []string{at, at}})
			}
		})
	}
	wg.Wait()
	for _, r := range slices.Concat(results...) {
		var paths []string
		for _, v := range r.got {
			paths = append(paths, v.Path)
			if want := v.Path + ": want " + v.Want + ", got " + v.Got; v.Message != want || !strings.HasPrefix(v.Got, `string "\u0042`) {
				t.Fatalf("got %+v", v)
			}
		}
		if !slices.Equal(paths, r.want) {
			t.Fatalf("got %q, want %q", paths, r.want)
		}
	}
}

// What Coerce gives shares no memory with them either.
func TestCoercedLasts(t *testing.T) {
	s, err := schema.Compile([]byte(`{"type":"object","properties":{"n":{"type":"integer"},"s":{"type":"string","maxLength":40}},"required":["n"]}`))
	if err != nil {
		t.Fatal(err)
	}
	coerced, changes := make([][]byte, 200), make([][]schema.Change, 200)
	var wg sync.WaitGroup
	for i := range coerced {
		wg.Go(func() {
			coerced[i], changes[i] = s.Coerce(fmt.Appendf(nil, `{"n":"%d","s":"\u0041%d"}`, i, i), schema.Options{})
		})
	}
	wg.Wait()
	for i, got := range coerced {
		want := fmt.Sprintf(`{"n":%d,"s":"\u0041%d"}`, i, i)
		if c := changes[i]; string(got) != want || len(c) != 1 || c[0].Path != "/n" || c[0].Was != fmt.Sprintf(`"%d"`, i) || c[0].Now != fmt.Sprint(i) {
			t.Fatalf("got %s, %+v, want %s", got, c, want)
		}
	}
}
