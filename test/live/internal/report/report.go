// Package report writes tables of trials, and keeps the causes of wrong answers that a person found.
package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/callwright/callwright/internal/stats"
	"github.com/callwright/callwright/test/live/internal/answer"
	"github.com/callwright/callwright/test/live/internal/arm"
	"github.com/callwright/callwright/test/live/internal/model"
	"github.com/callwright/callwright/test/live/internal/question"
)

// A Run says how the trials of a model were made.
type Run struct {
	Model   string   `json:"model"`   // model.Model.Name
	Engines []string `json:"engines"` // with their versions
	Date    string   `json:"date"`    // YYYY-MM-DD
	Note    string   `json:"note,omitempty"`
}

// A score counts the results of the trials of an arm.
type score struct {
	arm        string
	right, n   map[string]int // by category
	verdicts   map[question.Verdict]int
	requests   int
	in, out    int
	seconds    float64
	refused    int
	unread     int
	won, lost  int // questions that this arm alone or the direct one alone answered right
	ok         map[string]bool
	total, all int
}

// scores adds the trials of a model up, by arm, in the order in which the arms come first.
func scores(trials []arm.Trial, name string) []*score {
	var out []*score
	for _, t := range trials {
		if t.Model != name {
			continue
		}
		i := slices.IndexFunc(out, func(s *score) bool { return s.arm == t.Arm })
		if i < 0 {
			i = len(out)
			out = append(out, &score{arm: t.Arm, right: map[string]int{}, n: map[string]int{},
				verdicts: map[question.Verdict]int{}, ok: map[string]bool{}})
		}
		out[i].add(&t)
	}
	for _, s := range out {
		direct := slices.IndexFunc(out, func(d *score) bool { return d.arm == directOf(s.arm) })
		if direct < 0 {
			continue
		}
		for q, ok := range s.ok {
			before, asked := out[direct].ok[q]
			switch {
			case asked && ok && !before:
				s.won++
			case asked && !ok && before:
				s.lost++
			}
		}
	}
	return out
}

// directOf is the direct arm at the engine of an arm.
func directOf(name string) string {
	_, engine, other := strings.Cut(name, "@")
	if other {
		return arm.Direct + "@" + engine
	}
	return arm.Direct
}

func (s *score) add(t *arm.Trial) {
	right := t.Verdict == question.Right
	s.n[t.Category]++
	s.all++
	s.ok[t.Question] = right
	if right {
		s.right[t.Category]++
		s.total++
	}
	s.verdicts[t.Verdict]++
	s.requests += len(t.Answers)
	s.in, s.out, s.seconds = s.in+t.Input, s.out+t.Output, s.seconds+t.Seconds
	s.refused += t.Invalid
	if t.Unread {
		s.unread++
	}
}

// Table is the table of a model's arms, in Markdown.
func Table(trials []arm.Trial, name string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "| arm | %s | all | 95 %% | against direct | requests | tokens in | out | seconds | refused calls | tool named, no call |\n", strings.Join(question.Categories, " | "))
	b.WriteString(strings.Repeat("|---", len(question.Categories)+10) + "|\n")
	for _, s := range scores(trials, name) {
		fmt.Fprintf(&b, "| %s ", s.arm)
		for _, c := range question.Categories {
			fmt.Fprintf(&b, "| %d/%d ", s.right[c], s.n[c])
		}
		low, high := stats.Wilson(s.total, s.all)
		each := func(v float64) float64 { return v / float64(max(s.all, 1)) }
		fmt.Fprintf(&b, "| %d/%d | %.0f to %.0f %% | +%d -%d | %.2f | %.0f | %.0f | %.1f | %d | %d |\n", s.total, s.all,
			100*low, 100*high, s.won, s.lost,
			each(float64(s.requests)), each(float64(s.in)), each(float64(s.out)), each(s.seconds), s.refused, s.unread)
	}
	return b.String()
}

// causeTable counts the causes of the wrong answers of a model, by arm.
func causeTable(trials []arm.Trial, causes *Causes, name string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "| arm | wrong answers | %s | not looked at |\n", strings.Join(CauseNames, " | "))
	b.WriteString(strings.Repeat("|---", len(CauseNames)+3) + "|\n")
	for _, s := range scores(trials, name) {
		count := map[string]int{}
		for _, t := range trials {
			if t.Model == name && t.Arm == s.arm && t.Verdict != question.Right {
				count[causes.Of(&t)]++
			}
		}
		fmt.Fprintf(&b, "| %s | %d ", s.arm, s.all-s.total)
		for _, c := range CauseNames {
			fmt.Fprintf(&b, "| %d ", count[c])
		}
		fmt.Fprintf(&b, "| %d |\n", count[""])
	}
	return b.String()
}

// Section is the part of the page about all models that were asked.
func Section(runs []Run, trials []arm.Trial, answers *answer.Store, causes *Causes) string {
	var b strings.Builder
	b.WriteString("\n")
	for _, m := range model.All {
		i := slices.IndexFunc(runs, func(r Run) bool { return r.Model == m.Name })
		if i < 0 {
			continue
		}
		r := runs[i]
		facts := slices.Concat([]string{"Quantisation " + m.Quantization}, r.Engines, []string{r.Date})
		if r.Note != "" {
			facts = append(facts, r.Note)
		}
		fmt.Fprintf(&b, "### %s\n\n%s.\n\n%s\n%s", m.Title, strings.Join(facts, ", "), Table(trials, m.Alias), lostTo(trials, m.Alias))
		b.WriteString(againTable(trials, answers, m.Alias))
		b.WriteString("Causes of the wrong answers:\n\n" + causeTable(trials, causes, m.Alias) + "\n")
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// lostTo names the questions that the server asked directly answers right and the gateway without settings does not.
// Without both arms it is empty.
func lostTo(trials []arm.Trial, name string) string {
	verdicts := map[string]map[string]question.Verdict{}
	for _, t := range trials {
		if t.Model == name {
			if verdicts[t.Arm] == nil {
				verdicts[t.Arm] = map[string]question.Verdict{}
			}
			verdicts[t.Arm][t.Question] = t.Verdict
		}
	}
	var lost []string
	for q, v := range verdicts[arm.Auto] {
		if v != question.Right && verdicts[arm.Direct][q] == question.Right {
			lost = append(lost, fmt.Sprintf("`%s` (%s)", q, v))
		}
	}
	slices.Sort(lost)
	switch {
	case verdicts[arm.Auto] == nil || verdicts[arm.Direct] == nil:
		return ""
	case len(lost) == 0:
		return "No question was right in the arm `direct` and not in `auto`.\n\n"
	}
	return fmt.Sprintf("Right in the arm `direct`, but not in `auto` (with the result there): %s.\n\n", strings.Join(lost, ", "))
}
