package reliable_test

import (
	"fmt"
	"hash"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/companion"
	"github.com/callwright/callwright/internal/notes"
	"github.com/callwright/callwright/reliable"
)

// The notes of a request are bounded: equal ones are counted, and so are those after the first few hundred.
func TestNotesAreBounded(t *testing.T) {
	var all []callwright.Note
	for i := range 5000 {
		all = notes.Fold(all, callwright.Note{Rule: "r.x", Was: fmt.Sprint(i % 1000)})
	}
	all = notes.Fold(all, callwright.Note{Rule: "r.y", Count: 7})
	total := -7
	for _, n := range all {
		total += max(n.Count, 1)
	}
	if len(all) != 300 || all[299].Rule != "notes.more" || all[0].Count != 5 || total != 5000 {
		t.Errorf("%d notes for %d, last %+v", len(all), total, all[len(all)-1])
	}
}

// An answer has at most so many calls, whole and streamed, natively and in text.
func TestCallsAreBounded(t *testing.T) {
	one := fmt.Sprintf("get_weather %s", oslo)
	many := strings.Split(strings.TrimSuffix(strings.Repeat(one+"|", 5000), "|"), "|")
	for name, answer := range map[string]any{"native": calling(many...), "as text": inTags(many...)} {
		for way, deliver := range deliveries {
			t.Run(name+"/"+way, func(t *testing.T) {
				_, err := deliver(reliable.New(&scripted{name: "lab/m", answers: []any{answer}}, reliable.WithOneMode()), ask(callwright.Choice{}))
				if callwright.KindOf(err) != callwright.KindBadAnswer {
					t.Errorf("got %v", err)
				}
			})
		}
	}
}

// Checking the calls of an answer ends, however its schemas are written.
func TestCheckingIsBounded(t *testing.T) {
	began := time.Now()
	tools := []callwright.Tool{{Name: "f", Schema: []byte(`{"type":"object","properties":{"s":{"type":"string","pattern":"(a|b|ab){500}$"}}}`)}}
	args := `{"s":"` + strings.Repeat("ab", 500<<10) + `c"}`
	v, err := reliable.Validate(callwright.Call{ID: "c", Name: "f", Arguments: []byte(args)}, tools, reliable.ValidateOptions{})
	if err != nil || v.OK || time.Since(began) > 3*time.Second {
		t.Errorf("%v, %v after %s", v.OK, err, time.Since(began))
	}
}

// A call whose JSON is closed is not run where the answer may have been cut inside it: by the finish, or by the tokens that it took.
func TestCallsAtTheLimitAreNotRun(t *testing.T) {
	for name, tc := range map[string]struct {
		finish callwright.Finish
		output int
		runs   bool
	}{
		"below the limit":    {callwright.FinishCalls, 20, true},
		"at the limit":       {callwright.FinishCalls, 21, false},
		"stopped, at it":     {callwright.FinishStop, 21, false},
		"cut, as it says":    {callwright.FinishLength, 20, false},
		"cut, at the limit":  {callwright.FinishLength, 21, false},
		"tokens not counted": {callwright.FinishCalls, 0, true},
	} {
		for way, deliver := range deliveries {
			t.Run(name+"/"+way, func(t *testing.T) {
				answer := append(slices.Clone(goodCall[:len(goodCall)-1]), callwright.UsageDelta{Usage: callwright.Usage{Known: tc.output > 0, Output: tc.output}}, callwright.End{Finish: tc.finish})
				req := ask(callwright.Choice{})
				req.Params.MaxTokens = "21"
				resp, err := deliver(reliable.New(&scripted{name: "lab/m", answers: []any{answer}}, reliable.WithMaxCorrections(0), reliable.WithOneMode()), req)
				ran := err == nil && len(resp.Calls()) > 0
				if invalid := reportOf(resp, err).Invalid; ran != tc.runs || !ran && (len(invalid) != 1 || invalid[0].Why != callwright.InvalidTruncated) {
					t.Errorf("got %v, %v; invalid %+v", resp, err, invalid)
				}
			})
		}
	}
}

// Requests that differ in what decides their answer have different fingerprints.
func TestFingerprint(t *testing.T) {
	print := func(change func(*callwright.Request), opts ...reliable.Option) string {
		req := ask(callwright.Choice{})
		change(req)
		x, err := reliable.New(&scripted{name: "lab/m"}, opts...).Explain(t.Context(), req)
		if err != nil {
			t.Fatal(err)
		}
		return x.Fingerprint
	}
	same := func(*callwright.Request) {}
	seen := map[string]string{print(same): "nothing"}
	if print(same) != print(func(r *callwright.Request) { r.Messages = append(r.Messages, callwright.UserText("And Rome?")) }) {
		t.Error("the conversation changes the fingerprint")
	}
	check := func(name, p string) {
		if other, ok := seen[p]; ok {
			t.Errorf("%s has the fingerprint of %s", name, other)
		}
		seen[p] = name
	}
	for name, change := range map[string]func(*callwright.Request){
		"schema":       func(r *callwright.Request) { r.Params.Format = &callwright.AnswerFormat{Schema: []byte(`{}`)} },
		"several":      func(r *callwright.Request) { no := false; r.Params.Parallel = &no },
		"stops":        func(r *callwright.Request) { r.Params.Stop = []string{"a", "b"} },
		"one stop":     func(r *callwright.Request) { r.Params.Stop = []string{"a b"} },
		"instructions": func(r *callwright.Request) { r.Messages = append(r.Messages, callwright.SystemText("Be brief.")) },
		"edits": func(r *callwright.Request) {
			companion.Change(r, func(c *companion.Companion) { c.Edits = []callwright.Edit{{Path: []string{"x"}, Value: []byte("1")}} })
		},
	} {
		check(name, print(change))
	}
	indifferent := []string{"Stream", "StreamUsage", "User"} // what they change is none of the answer
	fields := reflect.TypeFor[callwright.Params]()
	for i := range fields.NumField() {
		if name := fields.Field(i).Name; !slices.Contains(indifferent, name) {
			check(name, print(func(r *callwright.Request) { fill(reflect.ValueOf(&r.Params).Elem().Field(i)) }))
		}
	}
	one := &scripted{name: "lab/n"}
	for name, o := range map[string]reliable.Option{
		"facts": reliable.WithFacts(caps.Fact{Key: "images", Value: "no"}), "policy": reliable.WithPolicy(callwright.PolicyStrict), "modes": reliable.WithModes(caps.Text),
		"rules": reliable.WithRules(map[string]bool{"name.case": false}), "dialect": reliable.WithDialect("hermes"), "stream calls": reliable.WithStreamCalls(callwright.StreamHeld), "strict tools": reliable.WithStrictTools(callwright.StrictOn),
		"corrections": reliable.WithMaxCorrections(1), "one mode": reliable.WithOneMode(), "no calls in text": reliable.WithoutTextCalls(), "strict JSON": reliable.WithStrictJSON(),
		"a transform": reliable.WithTransforms(loud), "another transform": reliable.WithTransforms(loudResult),
		"a fallback": reliable.WithFallback(one), "a fallback with settings": reliable.WithFallback(settled{one}),
	} {
		check(name, print(same, o))
	}
}

// A settled is a Model that changes requests by settings of its own.
type settled struct{ *scripted }

func (settled) AddTo(h hash.Hash) { h.Write([]byte("colder")) }

// fill gives a value, and what is in it, another value than zero.
func fill(v reflect.Value) {
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(true)
	case reflect.String:
		v.SetString("7")
	case reflect.Slice:
		if v.Type().Elem().Kind() == reflect.Uint8 {
			v.SetBytes([]byte("{}"))
			return
		}
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		fill(v.Index(0))
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem())
	case reflect.Struct:
		for i := range v.NumField() {
			fill(v.Field(i))
		}
	}
}
