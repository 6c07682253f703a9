package main

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/cmd/callwright/internal/paint"
	"github.com/callwright/callwright/internal/jsonx"
)

// write prints the findings and the repaired conversation as one line of JSON. The bytes of the conversation do not
// change.
func (e *examined) write(w io.Writer) error {
	findings := e.findings
	if findings == nil {
		findings = []callwright.Note{}
	}
	list, err := jsonx.Marshal(findings)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "%s\n", diagnosis(e.wire, e.to, list, bytes.TrimSpace(e.conversation)))
	return err
}

// printFindings prints findings as text: for each one its position, the fault and the repair.
func printFindings(a *app, w io.Writer, findings []callwright.Note) {
	p := paint.New(w, a.env)
	for i := range findings {
		n := &findings[i]
		at := ""
		if n.Path != "" {
			at = " at " + paint.Visible(n.Path)
		}
		p.Printf("%s%s %s\n", p.Paint(paint.Bold, n.Rule), at, p.Paint(paint.Faint, findingMargin(n)))
		for _, line := range []struct{ name, text string }{{"was", n.Was}, {"now", n.Now}, {"why", n.Why}} {
			if line.text != "" {
				printFolded(p, "  "+line.name+"  ", paint.Visible(oneLine(line.text)))
			}
		}
	}
	if len(findings) == 0 {
		p.Println("nothing to repair")
		return
	}
	p.Printf("%d %s%s\n", len(findings), plural(len(findings), "finding", "findings"), faultsOf(findings))
}

// printFolded prints a line after a margin. A line wider than the output is continued on indented lines.
func printFolded(p *paint.Printer, margin, line string) {
	for _, part := range paint.Fold(line, p.Width-len(margin)) {
		p.Printf("%s%s\n", margin, part)
		margin = strings.Repeat(" ", len(margin))
	}
}

func plural(n int, one, more string) string {
	if n == 1 {
		return one
	}
	return more
}

// findingMargin returns the text next to a finding's rule: its failure class, the risk of the repair, the tool, and the
// number of equal findings.
func findingMargin(n *callwright.Note) string {
	var words []string
	for _, w := range []string{n.Fault, string(n.Risk), paint.Visible(n.Call)} {
		if w != "" {
			words = append(words, w)
		}
	}
	if n.Count > 1 {
		words = append(words, fmt.Sprintf("%d times", n.Count))
	}
	return "(" + strings.Join(words, ", ") + ")"
}

// faultsOf returns the distinct failure classes of the findings, such as "F13", separated by commas.
func faultsOf(findings []callwright.Note) string {
	var faults []string
	for i := range findings {
		if f := findings[i].Fault; f != "" && !slices.Contains(faults, f) {
			faults = append(faults, f)
		}
	}
	if len(faults) == 0 {
		return ""
	}
	slices.Sort(faults)
	return " of " + strings.Join(faults, ", ")
}
