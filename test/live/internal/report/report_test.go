package report_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/callwright/callwright/test/live/internal/answer"
	"github.com/callwright/callwright/test/live/internal/arm"
	"github.com/callwright/callwright/test/live/internal/question"
	"github.com/callwright/callwright/test/live/internal/report"
)

const name = "qwen2.5-coder-0.5b-instruct"

// trial is a trial with one answer.
func trial(in, q, category string, v question.Verdict) arm.Trial {
	return arm.Trial{Model: name, Arm: in, Question: q, Category: category, Verdict: v, Answers: []string{"0123456789abcdef" + q}, Input: 100, Output: 10, Seconds: 2}
}

// A table counts by arm and category, and compares with the direct arm of the same engine.
func TestTable(t *testing.T) {
	trials := []arm.Trial{
		trial("direct", "a", "simple", question.Right), trial("direct", "b", "simple", question.Wrong), trial("direct", "c", "none", question.Right),
		trial("auto", "a", "simple", question.Missing), trial("auto", "b", "simple", question.Right), trial("auto", "c", "none", question.Right),
		trial("auto@ollama", "a", "simple", question.Right),
	}
	trials[3].Unread, trials[3].Invalid, trials[3].Answers = true, 2, []string{"0123456789abcdef", "0123456789abcdef"}
	got := strings.Split(report.Table(trials, name), "\n")
	want := []string{
		"| arm | simple | multiple | parallel | parallel_multiple | none | turns | all | 95 % | against direct | requests | tokens in | out | seconds | refused calls | tool named, no call |",
		"|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|",
		"| direct | 1/2 | 0/0 | 0/0 | 0/0 | 1/1 | 0/0 | 2/3 | 21 to 94 % | +0 -0 | 1.00 | 100 | 10 | 2.0 | 0 | 0 |",
		"| auto | 1/2 | 0/0 | 0/0 | 0/0 | 1/1 | 0/0 | 2/3 | 21 to 94 % | +1 -1 | 1.33 | 100 | 10 | 2.0 | 2 | 1 |",
		"| auto@ollama | 1/1 | 0/0 | 0/0 | 0/0 | 0/0 | 0/0 | 1/1 | 21 to 100 % | +0 -0 | 1.00 | 100 | 10 | 2.0 | 0 | 0 |",
		"",
	}
	for i := range want {
		if i >= len(got) || got[i] != want[i] {
			t.Errorf("line %d:\n got %s\nwant %s", i+1, got[i], want[i])
		}
	}
	answers, err := answer.Of(answersOf(`"one"`, `"two"`, `"two"`))
	if err != nil {
		t.Fatal(err)
	}
	trials[3].Answers, trials[4].Answers = []string{"key0", "key1"}, []string{"key1", "key2", "key0"}
	section := report.Section([]report.Run{{Model: "qwen0.5b", Engines: []string{"llama-server 1"}, Date: "2026-01-02"}}, trials, answers, &report.Causes{})
	for _, part := range []string{"### Qwen2.5-Coder-0.5B-Instruct", "Q4_K_M, llama-server 1, 2026-01-02.", "not in `auto` (with the result there): `a` (missing).", "| auto | 1 | 0 | 0 | 0 | 0 | 1 |",
		"| auto | 2 of 3 | 1 | 1 | 15 |\n\n"} {
		if !strings.Contains(section, part) {
			t.Errorf("the section lacks %q:\n%s", part, section)
		}
	}
}

// answersOf is the lines of answers with contents, under the keys key0, key1 and so on. Each has 7 tokens in and 3 out.
func answersOf(contents ...string) []byte {
	var b bytes.Buffer
	for i, c := range contents {
		body := fmt.Sprintf(`{"choices":[{"message":{"content":%s,"tool_calls":[{"id":"c%d","function":{"name":"f"}}]}}],"usage":{"prompt_tokens":7,"completion_tokens":3}}`, c, i)
		line, _ := json.Marshal(answer.Answer{Key: fmt.Sprintf("key%d", i), Status: 200, Type: "application/json", Body: body})
		b.Write(append(line, '\n'))
	}
	return b.Bytes()
}

// A row of causes stands for one answer in all arms that got it. What a person wrote stays while the answer does.
func TestCauses(t *testing.T) {
	file := filepath.Join(t.TempDir(), "causes.tsv")
	one, two, right := trial("direct", "a", "simple", question.Wrong), trial("auto", "a", "simple", question.Wrong), trial("auto", "b", "simple", question.Right)
	none, err := report.ReadCauses(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := none.With([]arm.Trial{one, two, right}).Write(file); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	row := name + "\ta\twrong\t0123456789ab\tdirect,auto\t\t\n"
	if !strings.HasSuffix(string(text), "\n"+row) || strings.Count(string(text), "\n") != 2 {
		t.Fatalf("the file is %q", text)
	}
	filled := strings.Replace(string(text), "\t\t\n", "\tmodel\tcounts badly\n", 1)
	if err := os.WriteFile(file, []byte(filled), 0o600); err != nil {
		t.Fatal(err)
	}
	known, err := report.ReadCauses(file)
	if err != nil {
		t.Fatal(err)
	}
	other := one
	other.Answers = []string{"fedcba9876543210"}
	again := known.With([]arm.Trial{one, two, other})
	if again.Of(&one) != "model" || again.Of(&two) != "model" || again.Of(&other) != "" {
		t.Errorf("the causes are %q, %q and %q", again.Of(&one), again.Of(&two), again.Of(&other))
	}
	if err := os.WriteFile(file, []byte(strings.Replace(filled, "\tmodel\t", "\tweather\t", 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := report.ReadCauses(file); err == nil {
		t.Error("a cause that is none is read")
	}
}
