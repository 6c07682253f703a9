package reliable

import (
	"reflect"
	"testing"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/dialect"
	"github.com/callwright/callwright/schema"
	"github.com/callwright/callwright/signature"
	"github.com/callwright/callwright/transform"
)

// An answerer is a model that tests only name.
type answerer struct {
	callwright.Model
	id callwright.ModelID
}

func (a answerer) ID() callwright.ModelID { return a.id }

// ownMarks has the marks of a format that the table lacks.
func ownMarks() *dialect.Marks {
	m, err := dialect.NewMarks(dialect.Format{Name: "own", Marks: []dialect.Mark{{Open: "[[OWN]]", Close: "[[END]]", Role: dialect.Wrap}}})
	if err != nil {
		panic(err)
	}
	return m
}

// changes has an option that changes answers for each field of options that the digest has.
var changes = map[string]Option{
	"policy":         WithPolicy(callwright.PolicyStrict),
	"rules":          WithRules(map[string]bool{"json.trailing_comma": false}),
	"fallbacks":      WithFallback(answerer{id: "lab/other"}),
	"modes":          WithModes(caps.Text),
	"dialect":        WithDialect("hermes"),
	"maxCorrections": WithMaxCorrections(1),
	"oneMode":        WithOneMode(),
	"textCallsOff":   WithoutTextCalls(),
	"strictJSON":     WithStrictJSON(),
	"streamCalls":    WithStreamCalls(callwright.StreamHeld),
	"strictTools":    WithStrictTools(callwright.StrictOff),
	"constrain":      WithConstraints(caps.Yes),
	"overLimit":      WithToolsOverLimit(callwright.ToolsError),
	"facts":          WithFacts(caps.Fact{Key: "images", Value: "no"}),
	"marks":          WithMarks(ownMarks()),
	"transforms":     WithTransforms(transform.Transform{Name: "test"}),
}

// sameAnswers are the fields of options that the digest leaves out, with the reason.
var sameAnswers = map[string]string{
	"optionalInterfaces": "of the models, which add to the digest what changes answers",
	"capsStore":          "what was learned changes between two requests of one client",
	"signatures":         "the place of state",
	"caches":             "of what is made of tools",
	"places":             "caches, and counts that change between two requests",
	"now":                "the source of time",
	"mint":               "the source of ids",
	"transformSet":       "made of transforms",
	"wrong":              "an error: there is no answer",
}

// TestDigestHasOptions: each option of a Client changes the digest, or is left out for a reason.
func TestDigestHasOptions(t *testing.T) {
	digest := func(opts ...Option) string {
		return string(newOptions(opts).digest(answerer{id: "lab/m"}))
	}
	plain := digest()
	for f := range reflect.TypeFor[options]().Fields() {
		change, reason := changes[f.Name], sameAnswers[f.Name]
		switch {
		case (change == nil) == (reason == ""):
			t.Errorf("options.%s: give an option that sets it in changes, or in sameAnswers the reason why it changes no answer", f.Name)
		case change != nil && digest(change) == plain:
			t.Errorf("options.%s does not change the digest", f.Name)
		}
	}
	for name := range changes {
		if _, ok := reflect.TypeFor[options]().FieldByName(name); !ok {
			t.Errorf("changes names %s, which options lacks", name)
		}
	}
	for _, same := range []Option{WithCapsStore(caps.NewMemory(time.Now)), WithSignatures(signature.NewMemory(time.Now, signature.Limits{})), WithSchemas(schema.NewCache(1)), WithClock(time.Now)} {
		if digest(same) != plain {
			t.Error("an option that changes no answer changes the digest")
		}
	}
}
