package reliability_test

import (
	"bufio"
	"cmp"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/bfcl"
	"github.com/callwright/callwright/internal/longtest"
	"github.com/callwright/callwright/interop"
	"github.com/callwright/callwright/reliable"
	"github.com/callwright/callwright/schema"
)

// recordedCorpus has what models really wrote when they were given tools, and which calls were right; it may not be there.
const recordedCorpus = "../../../shared/corpus/bfcl"

// A recordedQuestion is a question that models were asked, with its tools.
type recordedQuestion struct {
	bfcl.Question
	tools []callwright.Tool
}

// A recording is the text of a model. Valid is the published result of the decoder that was written for the model, ValidJSON the same where numbers are read as
// JSON Schema does.
type recording struct {
	ID        string
	Text      string
	Valid     bool  `json:"bfcl_valid"`
	ValidJSON *bool `json:"bfcl_valid_json"`
}

// A recordedModel is a model whose texts were recorded.
type recordedModel struct {
	name        string
	File        string
	Input       string // text, or native for calls of an API
	Underscores bool   `json:"underscore_names"` // the model was shown names of tools without dots
}

// eachLine decodes the lines of a compressed file of the corpus.
func eachLine[T any](t *testing.T, name string, do func(T)) {
	t.Helper()
	file, err := os.Open(filepath.Join(recordedCorpus, name))
	if err != nil {
		t.Error(err)
		return
	}
	defer file.Close()
	zip, err := gzip.NewReader(file)
	if err != nil {
		t.Error(err)
		return
	}
	lines := bufio.NewScanner(zip)
	lines.Buffer(nil, 1<<22)
	for lines.Scan() {
		var one T
		if err := json.Unmarshal(lines.Bytes(), &one); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		do(one)
	}
	if err := lines.Err(); err != nil {
		t.Errorf("%s: %v", name, err)
	}
}

// readQuestions reads the questions, by id.
func readQuestions(t *testing.T) map[string]*recordedQuestion {
	t.Helper()
	out := map[string]*recordedQuestion{}
	eachLine(t, "questions.jsonl.gz", func(q bfcl.Question) {
		tools, err := interop.ReadTools(q.Tools)
		if err != nil {
			t.Fatalf("%s: %v", q.ID, err)
		}
		out[q.ID] = &recordedQuestion{Question: q, tools: tools}
	})
	return out
}

// readModels reads the models whose texts were recorded, by name.
func readModels(t *testing.T) []recordedModel {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(recordedCorpus, "models.json"))
	if errors.Is(err, fs.ErrNotExist) {
		t.Skip("no recorded texts")
	}
	if err != nil {
		t.Fatal(err)
	}
	byName := map[string]recordedModel{}
	if err := json.Unmarshal(text, &byName); err != nil {
		t.Fatal(err)
	}
	var out []recordedModel
	for name, m := range byName {
		if m.name = name; m.Input == "text" {
			out = append(out, m)
		}
	}
	slices.SortFunc(out, func(a, b recordedModel) int { return cmp.Compare(strings.ToLower(a.name), strings.ToLower(b.name)) })
	return out
}

// accepts holds the calls that were read against those that are accepted.
func (q *recordedQuestion) accepts(calls []callwright.Call, underscores bool) bool {
	plain := make([]bfcl.Call, len(calls))
	for i, c := range calls {
		plain[i] = bfcl.Call{Name: c.Name, Arguments: c.Arguments}
	}
	return q.Accepts(plain, underscores)
}

// names reports whether a text names one of the tools.
func (q *recordedQuestion) names(text string) bool {
	text = strings.ReplaceAll(text, `\_`, "_")
	return slices.ContainsFunc(q.tools, func(t callwright.Tool) bool {
		return strings.Contains(text, t.Name[strings.LastIndexByte(t.Name, '.')+1:]) || strings.Contains(text, strings.ReplaceAll(t.Name, ".", "_"))
	})
}

// A score counts texts, those whose calls the model's own decoder read right, and those whose calls are read right here.
type score struct{ texts, own, ours int }

func (s *score) add(o score) { s.texts, s.own, s.ours = s.texts+o.texts, s.own+o.own, s.ours+o.ours }

// A modelScore is what became of the texts of a model.
type modelScore struct {
	name           string
	byExpect       map[string]*score // calls, none
	silent, madeUp int               // texts that name no declared tool, and those of them that led to a call
}

// all is the score of all texts.
func (m *modelScore) all() score {
	var sum score
	for _, s := range m.byExpect {
		sum.add(*s)
	}
	return sum
}

// read reads the texts of a model, every so many with few, as a client does that is given them as answers.
func (m *recordedModel) read(t *testing.T, questions map[string]*recordedQuestion, schemas *schema.Cache, few int) *modelScore {
	t.Helper()
	out := &modelScore{name: m.name, byExpect: map[string]*score{"calls": {}, "none": {}}}
	n := 0
	eachLine(t, m.File, func(r recording) {
		if n++; n%few != 0 {
			return
		}
		q := questions[r.ID]
		x, err := reliable.Extract([]callwright.Event{callwright.Begin{}, callwright.TextDelta{Text: r.Text}, callwright.End{}}, q.tools,
			reliable.ExtractOptions{Model: callwright.ModelID(m.name), Schemas: schemas})
		if err != nil {
			t.Errorf("%s, %s: %v", m.name, r.ID, err)
			return
		}
		one := score{texts: 1}
		if r.ValidJSON != nil && *r.ValidJSON || r.ValidJSON == nil && r.Valid {
			one.own = 1
		}
		if q.accepts(x.Calls, m.Underscores) {
			one.ours = 1
		}
		out.byExpect[q.Expect].add(one)
		if !q.names(r.Text) {
			out.silent++
			if len(x.Calls) > 0 {
				out.madeUp++
				t.Errorf("%s, %s: made up %s of\n%s", m.name, r.ID, x.Calls[0].Name, r.Text)
			}
		}
	})
	return out
}

// Recorded texts are read as often as the page says beside the decoders that were written for their models, and none that names no tool leads to a call.
func TestRecorded(t *testing.T) {
	models := readModels(t)
	questions := readQuestions(t)
	few := 1
	if !longtest.IsEnabled() {
		few = 20
	}
	schemas := schema.NewCache(len(questions))
	results := make([]*modelScore, len(models))
	var wg sync.WaitGroup
	for i := range models {
		wg.Go(func() { results[i] = models[i].read(t, questions, schemas, few) })
	}
	wg.Wait()
	if few == 1 && !t.Failed() {
		holdPage(t, "recorded", recordedTable(results))
	}
}

// recordedTable is the table of all models whose texts were recorded.
func recordedTable(results []*modelScore) string {
	t := tableOf{{"model", "texts", "leaderboard's decoder", "Callwright"}}
	sums := map[string]*score{"all": {}, "calls": {}, "none": {}}
	silent, madeUp := 0, 0
	for _, r := range results {
		all := r.all()
		sums["all"].add(all)
		for _, expect := range slices.Sorted(maps.Keys(r.byExpect)) {
			sums[expect].add(*r.byExpect[expect])
		}
		silent, madeUp = silent+r.silent, madeUp+r.madeUp
		all.row(&t, strings.Replace(r.name, "_", "/", 1))
	}
	sums["all"].row(&t, "all")
	sums["calls"].row(&t, "questions that need calls")
	sums["none"].row(&t, "questions that need no call")
	return fmt.Sprintf("\nOf %s texts that name no declared tool, %s led to a call.\n\n%s", thousands(silent), thousands(madeUp), t)
}

// row adds the score to a table.
func (s score) row(t *tableOf, name string) {
	part := func(n int) string { return fmt.Sprintf("%.1f %%", 100*float64(n)/float64(max(s.texts, 1))) }
	t.add(name, thousands(s.texts), part(s.own), part(s.ours))
}

// thousands writes a number with its thousands apart.
func thousands(n int) string {
	if n < 1000 {
		return fmt.Sprint(n)
	}
	return fmt.Sprintf("%s,%03d", thousands(n/1000), n%1000)
}
