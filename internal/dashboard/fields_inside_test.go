package dashboard

import (
	"reflect"
	"testing"
	"time"

	"github.com/callwright/callwright/internal/dashboard/internal/keyform"
)

// bodies are the types of what pages show, by the names of their templates.
var bodies = map[string]reflect.Type{
	"eval": reflect.TypeFor[*evalPage](), "evals": reflect.TypeFor[*evalsPage](), "explain": reflect.TypeFor[*explainPage](), "keys": reflect.TypeFor[*keysPage](),
	"login": reflect.TypeFor[loginPage](), "model": reflect.TypeFor[*modelPage](), "models": reflect.TypeFor[*modelsPage](), "overview": reflect.TypeFor[*overviewPage](),
	"playground": reflect.TypeFor[*playgroundPage](), "probe": reflect.TypeFor[*probePage](), "problem": reflect.TypeFor[string](), "run": reflect.TypeFor[*runPage](),
	"running": reflect.TypeFor[*runningPage](),
	"runs":    reflect.TypeFor[*runsPage](), "trace": reflect.TypeFor[*tracePage](), "traces": reflect.TypeFor[*tracesPage](), "trial": reflect.TypeFor[*trialPage](),
}

// TestFields finds fields that pages lack, also in branches of templates that no test runs.
func TestFields(t *testing.T) {
	pages := parsePages(staticFiles())
	for name, set := range pages {
		body := bodies[name]
		if body == nil {
			t.Errorf("%s: the type of its body is not in the table", name)
			continue
		}
		if err := set.CheckFields("layout", viewWith(body)); err != nil {
			t.Error(err)
		}
	}
	if len(bodies) != len(pages) {
		t.Errorf("%d pages, and the table has %d", len(pages), len(bodies))
	}
	// the function pair hides the types of its values
	limits, _ := reflect.TypeFor[shownKey]().FieldByName("Limits")
	for name, of := range map[string][2]reflect.Type{
		"limit": {reflect.TypeFor[time.Time](), limits.Type.Elem()}, "keyfields": {reflect.TypeFor[*keysPage](), reflect.TypeFor[keyform.Form]()},
	} {
		data := reflect.StructOf([]reflect.StructField{{Name: "One", Type: of[0]}, {Name: "Two", Type: of[1]}})
		if err := pages["keys"].CheckFields(name, data); err != nil {
			t.Error(err)
		}
	}
}

// viewWith is the type of the data of a page, with the type of its body.
func viewWith(body reflect.Type) reflect.Type {
	var fields []reflect.StructField
	for _, f := range reflect.VisibleFields(reflect.TypeFor[view]()) {
		if f.Name == "Body" {
			f.Type = body
		}
		fields = append(fields, f)
	}
	return reflect.StructOf(fields)
}
