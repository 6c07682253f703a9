package promptcmd

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/callwright/callwright"
)

// A Report contains the results of the variants in a run, in the given order.
type Report struct {
	Model    callwright.ModelID `json:"model"`
	Variants []*Row             `json:"variants"`
	Answers  []*Answer          `json:"answers"`

	categories []string
}

// A Row contains the counts of answers in one prompt variant.
type Row struct {
	Variant    string            `json:"variant"`
	Version    int               `json:"version,omitempty"` // version of the wording
	All        Count             `json:"all"`
	Categories map[string]*Count `json:"categories"`
	Input      int               `json:"input_tokens"`
	Output     int               `json:"output_tokens"`
	Seconds    float64           `json:"seconds"`
	Failed     int               `json:"failed"` // number of failed requests
}

// A Count contains numbers of answers: all, right, without repairs, and with a call.
type Count struct {
	Asked  int `json:"asked"`
	Right  int `json:"right"`
	Clean  int `json:"clean"`
	Called int `json:"called"` // answers with a call, right or wrong
}

func (c *Count) add(a *Answer) {
	c.Asked++
	if a.Right {
		c.Right++
	}
	if a.Clean {
		c.Clean++
	}
	if len(a.Calls) > 0 {
		c.Called++
	}
}

func (c *Count) String() string { return fmt.Sprintf("%d/%d (%d)", c.Right, c.Asked, c.Called) }

// summarize counts the answers by variant and category.
func summarize(model callwright.ModelID, questions []Question, chosen []Variant, answers []*Answer) *Report {
	r := &Report{Model: model, Answers: answers, categories: categories(questions)}
	for _, v := range chosen {
		row := &Row{Variant: v.String(), Version: v.Version, Categories: map[string]*Count{}}
		for _, a := range answers {
			switch {
			case a.Variant != row.Variant:
			case a.Error != "":
				row.Failed++
			default:
				if row.Categories[a.Category] == nil {
					row.Categories[a.Category] = new(Count)
				}
				row.All.add(a)
				row.Categories[a.Category].add(a)
				row.Input, row.Output, row.Seconds = row.Input+a.Input, row.Output+a.Output, row.Seconds+a.Seconds
			}
		}
		r.Variants = append(r.Variants, row)
	}
	return r
}

// write prints the report as a table with a row per variant. A cell of a category contains the numbers of right
// answers, questions, and answers with a call.
func (r *Report) write(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	head := slices.Concat([]string{"variant", "right/asked (called)", "clean"}, r.categories, []string{"tokens in", "out", "seconds"})
	fmt.Fprintln(t, strings.Join(head, "\t"))
	for _, row := range r.Variants {
		cells := []string{row.Variant, row.All.String(), strconv.Itoa(row.All.Clean)}
		for _, c := range r.categories {
			if n := row.Categories[c]; n != nil {
				cells = append(cells, n.String())
			} else {
				cells = append(cells, "-")
			}
		}
		n := max(row.All.Asked, 1)
		cells = append(cells, strconv.Itoa(row.Input/n), strconv.Itoa(row.Output/n), fmt.Sprintf("%.1f", row.Seconds/float64(n)))
		if row.Failed > 0 {
			cells = append(cells, fmt.Sprintf("%d not answered", row.Failed))
		}
		fmt.Fprintln(t, strings.Join(cells, "\t"))
	}
	return t.Flush()
}

func (a *Answer) key() string { return keyOf(a.Variant, a.Version, a.Question) }

// keyOf returns the key of the answer to a question in a version of a variant.
func keyOf(variant string, version int, question string) string {
	return variant + " " + strconv.Itoa(version) + " " + question
}
