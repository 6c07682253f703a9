package translate_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/reliable/internal/judge"
	"github.com/callwright/callwright/reliable/internal/translate"
	"github.com/callwright/callwright/schema"
)

func declared(t interface{ Fatal(...any) }, tools []callwright.Tool) *judge.Toolset {
	s, err := judge.NewToolset(tools, schema.NewCache(16))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func namesOf(tools []callwright.Tool) []string {
	var out []string
	for _, t := range tools {
		out = append(out, t.Name)
	}
	return out
}

// As many tools are sent as are taken: those that the choice names, and the first ones, in the client's order. A note names the others.
func TestWithin(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var tools []callwright.Tool
		for i := range rapid.IntRange(1, 12).Draw(t, "tools") {
			tools = append(tools, callwright.Tool{Name: fmt.Sprint("t", i)})
		}
		all := namesOf(tools)
		limit := rapid.IntRange(1, len(tools)).Draw(t, "limit")
		named := rapid.SliceOfNDistinct(rapid.SampledFrom(all), 0, limit, rapid.ID).Draw(t, "named")
		s := declared(t, tools)
		l := &judge.Ledger{Policy: callwright.PolicyHeal}
		sent := namesOf(translate.SelectedTools(tools, translate.SelectWithin(limit, callwright.Choice{Names: named}, s, nil, l)))
		if (len(l.Notes) == 0) != (limit == len(all)) {
			t.Fatalf("%d of %d tools: notes %+v", limit, len(all), l.Notes)
		}
		for _, name := range all {
			if left := len(l.Notes) > 0 && strings.Contains(l.Notes[0].Why+",", " "+name+","); left == slices.Contains(sent, name) {
				t.Errorf("sent %v, noted %+v", sent, l.Notes)
			}
		}
		var first []string
		for _, name := range all {
			if !slices.Contains(named, name) && len(first) < limit-len(named) {
				first = append(first, name)
			}
		}
		want := slices.DeleteFunc(slices.Clone(all), func(name string) bool { return !slices.Contains(named, name) && !slices.Contains(first, name) })
		if !slices.Equal(sent, want) {
			t.Errorf("%d of %v with %v named: sent %v, want %v", limit, all, named, sent, want)
		}
	})
}
