package remedy_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/remedystat"
	"github.com/callwright/callwright/reliable/internal/correction"
	"github.com/callwright/callwright/reliable/internal/inbound"
	"github.com/callwright/callwright/reliable/internal/outbound"
	"github.com/callwright/callwright/reliable/internal/remedy"
)

func always(string) bool { return true }

// Names and rules are unique, every rule has a row, every failure a remedy, and the name of a remedy is one that a table of counts takes.
func TestTable(t *testing.T) {
	seen, helped := map[string]bool{}, map[remedy.Failure]bool{}
	for _, r := range remedy.All() {
		if seen[r.Name] || seen[r.Rule] || r.Rule != "remedy."+r.Name || r.Part == "" || r.Apply == nil {
			t.Errorf("%s: expected a name and a rule of its own, and a part", r.Name)
		}
		seen[r.Name], seen[r.Rule] = true, true
		if row := callwright.RuleOf(r.Rule); row.ID != r.Rule {
			t.Errorf("%s has no row in the table of rules", r.Rule)
		}
		for _, f := range r.For {
			helped[f] = true
			if !slices.Contains(remedy.Failures(), f) {
				t.Errorf("%s is for %q, which is no failure", r.Name, f)
			}
			if _, err := remedystat.Parse(string(f) + "/" + r.Name + "=1-0"); err != nil {
				t.Error(err)
			}
		}
	}
	for _, f := range remedy.Failures() {
		if !helped[f] {
			t.Errorf("nothing is tried after %s", f)
		}
	}
}

// A situation is one in which a remedy applies, or not.
type situation struct {
	name    string
	failure remedy.Failure
	change  func(c *remedy.Case, to *remedy.Change)
	now     string // what is changed, "" for nothing
}

var situations = []situation{
	{"marked", remedy.Arguments, func(c *remedy.Case, _ *remedy.Change) { c.CanShowError = true }, "the invalid places of the arguments are marked"},
	{"marked", remedy.Arguments, func(*remedy.Case, *remedy.Change) {}, ""},
	{"choice", remedy.Arguments, func(c *remedy.Case, _ *remedy.Change) { c.Tool = "look" }, "a call of look is required"},
	{"choice", remedy.Arguments, func(*remedy.Case, *remedy.Change) {}, ""},
	{"choice", remedy.Arguments, func(c *remedy.Case, to *remedy.Change) { c.Tool, to.To.Caps.ChoiceForced = "look", caps.No }, ""},
	{"choice", remedy.Arguments, func(c *remedy.Case, to *remedy.Change) { c.Tool, to.To.Caps.ChoiceField = "look", caps.No }, ""},
	{"choice", remedy.Arguments, func(c *remedy.Case, to *remedy.Change) {
		c.Tool, to.To.Caps.ChoiceForced, to.To.Mode = "look", caps.No, caps.Text
	}, "a call of look is required"},
	{"choice", remedy.Arguments, func(c *remedy.Case, _ *remedy.Change) { c.Tool, c.Params.Thinking.Effort = "look", "high" }, ""},
	{"choice", remedy.Arguments, func(c *remedy.Case, _ *remedy.Change) {
		c.Tool, c.Params.Choice = "look", callwright.Choice{Mode: callwright.ChoiceNamed, Names: []string{"look"}}
	}, ""},
	{"choice", remedy.Arguments, func(c *remedy.Case, _ *remedy.Change) {
		c.Tool, c.Params.Choice = "look", callwright.Choice{Mode: callwright.ChoiceAuto, Names: []string{"other"}}
	}, ""},
	{"schema", remedy.Arguments, func(_ *remedy.Case, to *remedy.Change) { to.To.Caps.StrictTools = caps.Yes }, "tools are sent with strict"},
	{"schema", remedy.Arguments, func(_ *remedy.Case, to *remedy.Change) {
		to.To.Caps.StrictTools, to.To.Strict = caps.Yes, callwright.StrictOff
	}, ""},
	{"schema", remedy.Arguments, func(_ *remedy.Case, to *remedy.Change) { to.To.Mode, to.To.Caps.Constraint = caps.Text, "gbnf" }, "the answer is decoded under a constraint"},
	{"schema", remedy.Arguments, func(_ *remedy.Case, to *remedy.Change) {
		to.To.Mode, to.To.Caps.Constraint, to.To.Constrain = caps.Text, "gbnf", caps.No
	}, ""},
	{"schema", remedy.Arguments, func(c *remedy.Case, to *remedy.Change) {
		to.To.Caps.JSONSchema, c.Modes = caps.Yes, []caps.Mode{caps.Native, caps.JSONSchema}
	}, "the call is requested as a document with a schema"},
	{"schema", remedy.Arguments, func(c *remedy.Case, to *remedy.Change) {
		to.To.Caps.JSONSchema, c.Modes = caps.Yes, []caps.Mode{caps.Native}
	}, ""},
	{"schema", remedy.Arguments, func(c *remedy.Case, to *remedy.Change) {
		to.To.Caps.JSONSchema, c.Modes, c.TextSent = caps.Yes, []caps.Mode{caps.Native, caps.JSONSchema}, true
	}, ""},
	{"schema", remedy.Arguments, func(c *remedy.Case, to *remedy.Change) {
		to.To.Mode, to.To.Caps.JSONSchema, c.Modes = caps.JSONSchema, caps.Yes, []caps.Mode{caps.JSONSchema}
	}, ""},
	{"penalty", remedy.Loop, func(*remedy.Case, *remedy.Change) {}, "frequency penalty 0.6"},
	{"penalty", remedy.Loop, func(c *remedy.Case, _ *remedy.Change) { c.Params.Frequency = "0.2" }, ""},
	{"penalty", remedy.Loop, func(c *remedy.Case, _ *remedy.Change) { c.To.Caps.Sampling = "temperature" }, ""},
	{"sample", remedy.Name, func(*remedy.Case, *remedy.Change) {}, ""},
	{"sample", remedy.Name, func(c *remedy.Case, _ *remedy.Change) { c.Repeated = true }, "seed 1"},
	{"sample", remedy.Name, func(c *remedy.Case, _ *remedy.Change) { c.Params.Temperature = "0.0" }, "seed 1, temperature 0.5"},
	{"sample", remedy.Name, func(c *remedy.Case, _ *remedy.Change) { c.Params.Seed = "41" }, "seed 42"},
	{"sample", remedy.Unreadable, func(*remedy.Case, *remedy.Change) {}, "seed 1"},
	{"sample", remedy.Unreadable, func(c *remedy.Case, _ *remedy.Change) { c.To.Caps.Sampling = "temperature,top_p" }, ""},
	{"cooler", remedy.Arguments, func(*remedy.Case, *remedy.Change) {}, "temperature 0"},
	{"cooler", remedy.Arguments, func(c *remedy.Case, _ *remedy.Change) { c.Params.Temperature = "0.7" }, "temperature 0"},
	{"cooler", remedy.Arguments, func(c *remedy.Case, _ *remedy.Change) { c.Params.Temperature = "0" }, ""},
	{"cooler", remedy.Arguments, func(c *remedy.Case, _ *remedy.Change) { c.To.Caps.DropFields = "temperature,top_p" }, ""},
	{"cooler", remedy.Arguments, func(c *remedy.Case, _ *remedy.Change) { c.To.Caps.Efforts = "low,high" }, ""},
	{"less_thinking", remedy.Empty, func(c *remedy.Case, to *remedy.Change) {
		c.Out.Usage.Reasoning, to.To.Caps.Efforts = 90, "none,low"
	}, "reasoning effort none"},
	{"less_thinking", remedy.Empty, func(_ *remedy.Case, to *remedy.Change) { to.To.Caps.Efforts = "none,low" }, ""},
	{"less_thinking", remedy.Empty, func(c *remedy.Case, _ *remedy.Change) { c.Out.Usage.Reasoning = 90 }, ""},
	{"more_thinking", remedy.Arguments, func(_ *remedy.Case, to *remedy.Change) { to.To.Caps.Efforts = "none,low,high" }, "reasoning effort low"},
	{"more_thinking", remedy.Arguments, func(c *remedy.Case, to *remedy.Change) {
		to.To.Caps.Efforts, c.Params.Thinking.Off = "none,low,high", true
	}, ""},
	{"more_thinking", remedy.Arguments, func(_ *remedy.Case, to *remedy.Change) { to.To.Caps.Efforts = "low,high" }, ""},
}

// newCase is a failed answer of a native model of which nothing is known.
func newCase(f remedy.Failure) (*remedy.Case, *remedy.Change) {
	to := &remedy.Change{To: outbound.Receiver{ID: "lab/m", Mode: caps.Native}}
	return &remedy.Case{Failure: f, Out: &inbound.Outcome{}, Params: &to.Params, To: &to.To, Asked: 1}, to
}

// A remedy changes what it is for where the receiver takes it, and nothing elsewhere.
func TestApply(t *testing.T) {
	tested := map[string]bool{}
	for _, s := range situations {
		i := slices.IndexFunc(remedy.All(), func(r remedy.Remedy) bool { return r.Name == s.name })
		c, to := newCase(s.failure)
		s.change(c, to)
		before := *to
		params := to.Params
		c.Params = &params
		now := remedy.All()[i].Apply(c, to)
		if now != s.now {
			t.Errorf("%s after %s: %q, expected %q", s.name, s.failure, now, s.now)
		}
		if same := cmp.Equal(before.Params, to.Params) && before.To.Mode == to.To.Mode && before.To.Strict == to.To.Strict && before.To.Constrain == to.To.Constrain && before.Marked == to.Marked; same != (now == "") {
			t.Errorf("%s says %q, and changed nothing: %t", s.name, now, same)
		}
		tested[s.name] = tested[s.name] || s.now != ""
	}
	tested["afresh"] = true // TestAfresh
	for _, r := range remedy.All() {
		if !tested[r.Name] {
			t.Errorf("no situation in which %s applies", r.Name)
		}
	}
}

// Whatever is known: at most two remedies are fresh, each part is changed by one, no remedy is made that a rule forbids or that is for another failure,
// and what helped comes before what failed.
func TestPlan(t *testing.T) {
	var names []string
	for _, r := range remedy.All() {
		names = append(names, r.Name)
	}
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.SampledFrom(situations).Draw(t, "situation")
		f := rapid.SampledFrom(remedy.Failures()).Draw(t, "failure")
		c, to := newCase(f)
		s.change(c, to)
		params := to.Params
		c.Params = &params
		var known remedystat.Table
		for range rapid.IntRange(0, 6).Draw(t, "counts") {
			known.Add(remedystat.Row{Failure: string(f), Remedy: rapid.SampledFrom(names).Draw(t, "counted"), Helped: float64(rapid.IntRange(0, 1).Draw(t, "helped")), Failed: float64(rapid.IntRange(0, 1).Draw(t, "failed"))})
		}
		tried := rapid.SliceOfNDistinct(rapid.SampledFrom(names), 0, 4, rapid.ID[string]).Draw(t, "tried")
		off := rapid.SampledFrom(names).Draw(t, "off")
		made := remedy.Plan(c, to, &known, tried, func(rule string) bool { return rule != "remedy."+off })
		fresh, parts := 0, map[string]bool{}
		for i, a := range made {
			if a.Fresh && a.Name != "afresh" { // which goes with another one
				fresh++
			}
			if a.Fresh == slices.Contains(tried, a.Name) || a.Name == off || parts[a.Part] || !slices.Contains(a.For, f) || a.Now == "" {
				t.Fatalf("%s is made: %+v", a.Name, made)
			}
			parts[a.Part] = true
			if i > 0 && made[i-1].Fresh == a.Fresh && a.Name != "afresh" {
				before, row := known.Row(string(f), made[i-1].Name), known.Row(string(f), a.Name)
				if before.Helped == 0 && before.Failed > 0 && row.Helped > 0 && row.Failed == 0 {
					t.Fatalf("%s failed and is tried before %s, which helped", made[i-1].Name, a.Name)
				}
			}
		}
		if fresh > remedy.Fresh {
			t.Fatalf("%d fresh remedies", fresh)
		}
	})
}

// No failure, no remedy.
func TestPlanOfNothing(t *testing.T) {
	c, to := newCase("")
	c.CanShowError, c.Tool = true, "look"
	if made := remedy.Plan(c, to, &remedystat.Table{}, nil, always); made != nil {
		t.Errorf("%+v", made)
	}
}

func TestFailureOf(t *testing.T) {
	invalid := func(why callwright.InvalidReason, raw string) *inbound.Outcome {
		return &inbound.Outcome{End: &callwright.End{Finish: callwright.FinishStop}, Invalid: []callwright.InvalidCall{{Name: "look", Why: why, Raw: raw}}}
	}
	repeated := `{"city":"` + strings.Repeat("1 cup of grated cheese, ", 20) + "1 cup"
	counting := ""
	for _, n := range strings.Fields("1871 1873 1875 1877 1879 1881 1883 1885") {
		counting += `{"name": "War ` + n + `", "arguments": {"start": ` + n + "}}, "
	}
	cut := invalid(callwright.InvalidUndeclared, counting)
	cut.CutAtLength = true
	for name, c := range map[string]struct {
		rule string
		out  *inbound.Outcome
		want remedy.Failure
	}{
		"an undeclared name":              {correction.RuleInvalid, invalid(callwright.InvalidUndeclared, "{}"), remedy.Name},
		"broken arguments":                {correction.RuleInvalid, invalid(callwright.InvalidArguments, "{}"), remedy.Arguments},
		"unreadable":                      {correction.RuleInvalid, invalid(callwright.InvalidMalformed, "{"), remedy.Unreadable},
		"cut":                             {correction.RuleInvalid, invalid(callwright.InvalidTruncated, `{"city":"The one thing that nobody said twice, and that goes on for a while without an end`), remedy.Cut},
		"cut in a repetition":             {correction.RuleInvalid, invalid(callwright.InvalidTruncated, repeated), remedy.Loop},
		"cut while it counts":             {correction.RuleInvalid, cut, remedy.Loop},
		"beside native calls":             {correction.RuleInvalid, invalid(callwright.InvalidBesideNative, "{}"), remedy.Missing},
		"a call that could not be read":   {correction.RuleInvalid, &inbound.Outcome{End: &callwright.End{Finish: callwright.FinishMalformedCall}}, remedy.Unreadable},
		"no call":                         {correction.RuleInvalid, &inbound.Outcome{End: &callwright.End{}}, remedy.Missing},
		"nothing":                         {correction.RuleEmpty, &inbound.Outcome{End: &callwright.End{}}, remedy.Empty},
		"another form":                    {correction.RuleWrongForm, &inbound.Outcome{End: &callwright.End{}}, remedy.Form},
		"an answer that stands":           {"", &inbound.Outcome{End: &callwright.End{}}, ""},
		"a call that a call rule refuses": {correction.RuleRefused, invalid(callwright.InvalidArguments, "{}"), ""},
	} {
		if got := remedy.FailureOf(c.rule, c.out); got != c.want {
			t.Errorf("%s: %q, expected %q", name, got, c.want)
		}
	}
}

// A text of different lines is no repetition, and one of equal ones is, at whatever byte it is cut.
func TestRepetition(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		piece := rapid.StringMatching(`[a-z]{12}[a-z ,]{10,60}\n`).Draw(t, "piece")
		before := rapid.StringMatching(`[A-Z ]{0,80}`).Draw(t, "before")
		text := before + strings.Repeat(piece, rapid.IntRange(10, 20).Draw(t, "times"))
		text = text[:len(text)-rapid.IntRange(0, len(piece)-1).Draw(t, "cut")]
		out := &inbound.Outcome{End: &callwright.End{}, Invalid: []callwright.InvalidCall{{Why: callwright.InvalidTruncated, Raw: text}}}
		if got := remedy.FailureOf(correction.RuleInvalid, out); got != remedy.Loop {
			t.Fatalf("%q is %s", text, got)
		}
		other := rapid.SliceOfNDistinct(rapid.StringMatching(`[a-z]{20,40}`), 8, 20, rapid.ID[string]).Draw(t, "lines")
		out.Invalid[0].Raw = strings.Join(other, "\n")
		if got := remedy.FailureOf(correction.RuleInvalid, out); got != remedy.Cut {
			t.Fatalf("%q is %s", out.Invalid[0].Raw, got)
		}
	})
}

// The failed answer is left out where a fresh remedy sets the request apart, the client has nothing, and it did not fail before.
func TestAfresh(t *testing.T) {
	schema := func(c *remedy.Case, to *remedy.Change) {
		to.To.Caps.JSONSchema, c.Modes, c.NothingSent = caps.Yes, []caps.Mode{caps.Native, caps.JSONSchema}, true
	}
	for name, s := range map[string]struct {
		failure remedy.Failure
		change  func(c *remedy.Case, to *remedy.Change)
		tried   []string
		counted string
		want    bool
	}{
		"a repetition":                         {remedy.Loop, func(c *remedy.Case, _ *remedy.Change) { c.NothingSent = true }, nil, "", true},
		"an undeclared name, under a schema":   {remedy.Name, schema, nil, "", false},
		"an undeclared name, without a schema": {remedy.Name, func(c *remedy.Case, _ *remedy.Change) { c.NothingSent = true }, nil, "", false},
		"broken arguments":                     {remedy.Arguments, schema, nil, "", false},
		"the client has a part":                {remedy.Loop, func(*remedy.Case, *remedy.Change) {}, nil, "", false},
		"no other change":                      {remedy.Loop, func(c *remedy.Case, _ *remedy.Change) { c.NothingSent = true }, []string{"penalty", "sample"}, "", false},
		"it failed before":                     {remedy.Loop, func(c *remedy.Case, _ *remedy.Change) { c.NothingSent = true }, nil, "loop/afresh=0-3", false},
		"it rather helped":                     {remedy.Loop, func(c *remedy.Case, _ *remedy.Change) { c.NothingSent = true }, nil, "loop/afresh=3-2", true},
	} {
		c, to := newCase(s.failure)
		s.change(c, to)
		params := to.Params
		c.Params = &params
		known, err := remedystat.Parse(s.counted)
		if err != nil {
			t.Fatal(err)
		}
		if remedy.Plan(c, to, &known, s.tried, always); to.Afresh != s.want {
			t.Errorf("%s: afresh %t", name, to.Afresh)
		}
	}
}
