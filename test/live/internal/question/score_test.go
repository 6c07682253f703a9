package question_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/callwright/callwright/internal/bfcl"
	"github.com/callwright/callwright/test/live/internal/question"
)

var (
	update = flag.String("update", "", "write the verdicts anew, by score.py of this folder: a checkout of the leaderboard's recorded outputs")
	draws  = flag.Int("draws", 6, "how many sets of calls -update draws for a question")
)

const verdictsFile = "../../testdata/verdicts.jsonl.gz"

// A verdict is what the leaderboard's rules, as a program in Python applies them, say of calls that were drawn for a question.
type verdict struct {
	ID    string      `json:"id"`
	Calls []bfcl.Call `json:"calls"`
	OK    bool        `json:"ok"`
}

// The scorer says of right and wrong calls what the one in Python says, for all questions.
func TestScore(t *testing.T) {
	all, err := question.Read("../../testdata")
	if err != nil {
		t.Fatal(err)
	}
	if *update != "" {
		writeVerdicts(t, all)
	}
	byID := map[string]*question.Question{}
	for i := range all {
		byID[all[i].ID] = &all[i]
	}
	text, err := os.ReadFile(verdictsFile)
	if err != nil {
		t.Fatal(err)
	}
	zip, err := gzip.NewReader(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	seen, counts := map[string]bool{}, map[bool]int{}
	for d := json.NewDecoder(zip); d.More(); {
		var v verdict
		if err := d.Decode(&v); err != nil {
			t.Fatal(err)
		}
		q := byID[v.ID]
		if q == nil {
			t.Fatalf("there is no question %s", v.ID)
		}
		seen[v.ID] = true
		counts[v.OK]++
		if got := q.Accepts(v.Calls, false); got != v.OK {
			calls, _ := json.Marshal(v.Calls)
			t.Errorf("%s: accepted: %t, in Python: %t, for %s", v.ID, got, v.OK, calls)
		}
	}
	for _, q := range all {
		if q.Category != "turns" && !seen[q.ID] {
			t.Errorf("%s has no verdict", q.ID)
		}
	}
	if counts[true] < 300 || counts[false] < 300 {
		t.Errorf("%d verdicts are right and %d wrong", counts[true], counts[false])
	}
}

// writeVerdicts draws calls and has the program in Python score them.
func writeVerdicts(t *testing.T, all []question.Question) {
	t.Helper()
	r := rand.New(rand.NewPCG(1, 2))
	var cases, asked bytes.Buffer
	var drawn []verdict
	for _, q := range all {
		if q.Category == "turns" {
			continue
		}
		for n := range *draws {
			v := verdict{ID: q.ID, Calls: drawCalls(r, &q, n > 0)}
			drawn = append(drawn, v)
			line, err := json.Marshal(map[string]any{"case": map[string]any{"expect": q.Expect, "tools": q.Tools, "ground_truth": q.Truth}, "calls": v.Calls})
			if err != nil {
				t.Fatal(err)
			}
			asked.Write(append(line, '\n'))
		}
	}
	const program = "import json, sys, score\nfor line in sys.stdin:\n one = json.loads(line)\n print(json.dumps(score.check(one['case'], one['calls'])[0]))"
	cmd := exec.Command("python3", "-c", program)
	cmd.Env, cmd.Stdin, cmd.Stderr = append(os.Environ(), "PYTHONPATH="+*update, "PYTHONDONTWRITEBYTECODE=1"), &asked, os.Stderr
	said, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	answers := strings.Fields(string(said))
	if len(answers) != len(drawn) {
		t.Fatalf("%d verdicts for %d sets of calls", len(answers), len(drawn))
	}
	zip, _ := gzip.NewWriterLevel(&cases, gzip.BestCompression)
	for i := range drawn {
		drawn[i].OK = answers[i] == "true"
		if err := json.NewEncoder(zip).Encode(drawn[i]); err != nil {
			t.Fatal(err)
		}
	}
	if err := zip.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(verdictsFile, cases.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
}

// drawCalls draws accepted calls, and damages them where wrong is set. Some damage, such as another order, leaves them right.
func drawCalls(r *rand.Rand, q *question.Question, wrong bool) []bfcl.Call {
	calls := []bfcl.Call{}
	for _, text := range q.Truth {
		for name, args := range decode(text).(map[string]any) {
			given := map[string]any{}
			for key, options := range args.(map[string]any) {
				if v := pick(r, options.([]any)); v != "" {
					given[key] = v
				}
			}
			calls = append(calls, bfcl.Call{Name: name, Arguments: encode(given)})
		}
	}
	if !wrong {
		return calls
	}
	if len(calls) == 0 {
		if r.IntN(2) == 0 {
			return calls
		}
		return []bfcl.Call{{Name: q.ToolNames()[0], Arguments: json.RawMessage(`{}`)}}
	}
	at := r.IntN(len(calls))
	switch r.IntN(10) {
	case 0:
		return slices.Delete(calls, at, at+1)
	case 1:
		return append(calls, calls[at])
	case 2:
		r.Shuffle(len(calls), func(i, j int) { calls[i], calls[j] = calls[j], calls[i] })
	case 3:
		calls[at].Name = q.ToolNames()[r.IntN(len(q.ToolNames()))] + []string{"", "_"}[r.IntN(2)]
	default:
		calls[at].Arguments = damage(r, calls[at].Arguments)
	}
	return calls
}

// pick picks one of the values that are accepted, and of the members of objects inside likewise.
func pick(r *rand.Rand, options []any) any {
	return resolved(r, options[r.IntN(len(options))])
}

// resolved picks values for the members of objects, each of which has a list of them.
func resolved(r *rand.Rand, v any) any {
	switch v := v.(type) {
	case map[string]any:
		out := map[string]any{}
		for key, inner := range v {
			if options, ok := inner.([]any); ok && len(options) > 0 {
				if one := pick(r, options); one != "" {
					out[key] = one
				}
			} else {
				out[key] = resolved(r, inner)
			}
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i := range v {
			out[i] = resolved(r, v[i])
		}
		return out
	}
	return v
}

// damage changes one argument.
func damage(r *rand.Rand, text json.RawMessage) json.RawMessage {
	args := decode(text).(map[string]any)
	if len(args) == 0 || r.IntN(8) == 0 {
		args["more"] = "x"
		return encode(args)
	}
	keys := slices.Sorted(maps.Keys(args))
	key := keys[r.IntN(len(keys))]
	if r.IntN(6) == 0 {
		delete(args, key)
		return encode(args)
	}
	args[key] = other(r, args[key])
	return encode(args)
}

// other is another value, or another way to write the same one.
func other(r *rand.Rand, v any) any {
	switch n := r.IntN(8); {
	case n == 0:
		return nil
	case n == 1:
		return fmt.Sprint(v)
	case n == 2:
		return []any{v}
	}
	switch v := v.(type) {
	case string:
		return []string{strings.ToUpper(v), v + ".", v + "x", strings.ReplaceAll(v, " ", "_"), ""}[r.IntN(5)]
	case json.Number:
		if !strings.ContainsAny(v.String(), ".eE") {
			return []any{json.Number(v + ".0"), json.Number(v + ".5"), json.Number("1" + strings.TrimPrefix(v.String(), "-")), v == "1"}[r.IntN(4)]
		}
		return []any{json.Number(v + "0"), json.Number(v + "1"), json.Number(strings.TrimSuffix(v.String(), ".0"))}[r.IntN(3)]
	case bool:
		return []any{!v, json.Number("1"), json.Number("0")}[r.IntN(3)]
	case []any:
		if len(v) == 0 {
			return []any{"x"}
		}
		at := r.IntN(len(v))
		switch r.IntN(3) {
		case 0:
			return slices.Delete(slices.Clone(v), at, at+1)
		case 1:
			v = slices.Clone(v)
			v[at] = other(r, v[at])
			return v
		}
		v = slices.Clone(v)
		slices.Reverse(v)
		return v
	case map[string]any:
		return decode(damage(r, encode(v)))
	}
	return v
}

func decode(text []byte) (v any) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	if err := d.Decode(&v); err != nil {
		panic(err)
	}
	return v
}

func encode(v any) json.RawMessage {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return text
}
