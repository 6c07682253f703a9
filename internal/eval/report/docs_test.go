package report_test

import (
	"os"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/callwright/callwright/internal/eval/report"
)

const docsPage = "../../../docs/evaluation-reports.md"

// members are the names of all members of the JSON of a type.
func members(t reflect.Type, into map[string]bool) {
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice:
		members(t.Elem(), into)
	case reflect.Struct:
		if t == reflect.TypeFor[time.Time]() {
			return
		}
		for f := range t.Fields() {
			if name, _, _ := strings.Cut(f.Tag.Get("json"), ","); name != "" {
				into[name] = true
			}
			members(f.Type, into)
		}
	}
}

// The page describes every member of the JSON.
func TestDocs(t *testing.T) {
	page, err := os.ReadFile(docsPage)
	if err != nil {
		t.Fatal(err)
	}
	for about, typ := range map[string]reflect.Type{
		"a summary": reflect.TypeFor[report.Summary](), "a comparison": reflect.TypeFor[report.Comparison](),
	} {
		names := map[string]bool{}
		members(typ, names)
		if len(names) < 20 {
			t.Fatalf("%s has only %v", about, names)
		}
		for name := range names {
			if !strings.Contains(string(page), "`"+name+"`") {
				t.Errorf("%s does not tell of %s, which %s has", docsPage, name, about)
			}
		}
	}
}
