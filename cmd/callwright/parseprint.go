package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/cmd/callwright/internal/paint"
)

// maxNotes is the maximum number of notes that are printed as text.
const maxNotes = 100

// A parsePrinter prints the output of callwright parse as text.
type parsePrinter struct {
	*paint.Printer
	text string
}

func newParsePrinter(a *app, text string) *parsePrinter {
	return &parsePrinter{paint.New(a.std.out, a.env), text}
}

func (p *parsePrinter) print(got *parsed) {
	for _, c := range got.Calls {
		p.Printf("%s %s\n", p.Paint(paint.Green, "call"), p.Paint(paint.Bold, paint.Visible(c.Name)))
		p.block(pretty(c.Arguments))
	}
	for i := range got.Invalid {
		p.invalid(&got.Invalid[i])
	}
	if len(got.Calls)+len(got.Invalid) == 0 {
		p.Println(p.Paint(paint.Faint, "no call"))
	}
	p.section("reasoning", got.Reasoning)
	p.section("text", got.Content)
	if len(got.Notes) == 0 {
		return
	}
	p.Println(p.Paint(paint.Bold, "notes"))
	places := newPlaces(p.text, got)
	for i := range got.Notes[:min(len(got.Notes), maxNotes)] {
		p.note(&got.Notes[i], places)
	}
	if more := len(got.Notes) - maxNotes; more > 0 {
		p.Printf("  and %d more; --json prints all\n", more)
	}
}

func (p *parsePrinter) invalid(c *callwright.InvalidCall) {
	name := c.Name
	if name == "" {
		name = "(no name)"
	}
	p.Printf("%s %s\n", p.Paint(paint.Red, "rejected"), p.Paint(paint.Bold, paint.Visible(name)))
	for _, v := range c.Violations {
		p.printWrapped("  - ", paint.Visible(v.Message), paint.Plain)
	}
}

func (p *parsePrinter) section(title, text string) {
	if text = strings.TrimSpace(text); text != "" {
		p.Println(p.Paint(paint.Bold, title))
		p.block(text)
	}
}

func (p *parsePrinter) block(text string) {
	for line := range strings.Lines(text) {
		p.Printf("  %s\n", paint.Visible(strings.TrimRight(line, "\r\n")))
	}
}

// note prints a note and the excerpt of the text that it concerns.
func (p *parsePrinter) note(n *callwright.Note, places *places) {
	at := ""
	if n.Path != "" {
		at = " at " + paint.Visible(n.Path)
	}
	p.Printf("  %s%s %s\n", p.Paint(paint.Bold, n.Rule), at, p.Paint(paint.Faint, noteMargin(n)))
	if at, ok := places.locate(n); ok {
		number, line, marks := places.excerpt(at, p.Width-len("    1000 | "))
		pointer := strings.TrimLeft(marks, " ")
		p.Printf("    %4d | %s\n         | %s%s\n", number, line, marks[:len(marks)-len(pointer)], p.Paint(paint.Red, pointer))
	} else if n.Was != "" {
		p.printWrapped("    was  ", paint.Visible(callwright.Excerpt(oneLine(n.Was))), paint.Plain)
	}
	switch {
	case n.Now != "":
		p.printWrapped("    now  ", paint.Visible(callwright.Excerpt(oneLine(n.Now))), paint.Plain)
	case n.Was != "" && n.Risk != "":
		p.printWrapped("    now  ", "(nothing)", paint.Faint)
	}
	if _, isPlace := placeHint(n); n.Why != "" && !isPlace {
		p.printWrapped("    why  ", paint.Visible(n.Why), paint.Plain)
	}
}

// printWrapped prints a line after a margin. A line wider than the terminal is continued on indented lines.
func (p *parsePrinter) printWrapped(margin, line string, style paint.Style) {
	for _, part := range paint.Fold(line, p.Width-len(margin)) {
		p.Printf("%s%s\n", margin, p.Paint(style, part))
		margin = strings.Repeat(" ", len(margin))
	}
}

// noteMargin returns the text next to a note's rule: its risk, or "found" for a finding, and the tool.
func noteMargin(n *callwright.Note) string {
	words := []string{"found"}
	if n.Risk != "" {
		words[0] = string(n.Risk)
	}
	if n.Call != "" {
		words = append(words, paint.Visible(n.Call))
	}
	if n.Observed {
		words = append(words, "observed, not changed")
	}
	return "(" + strings.Join(words, ", ") + ")"
}

// pretty returns indented JSON. Invalid JSON is returned unchanged.
func pretty(raw json.RawMessage) string {
	var b bytes.Buffer
	if json.Indent(&b, raw, "", "  ") != nil {
		return string(raw)
	}
	return b.String()
}

func oneLine(s string) string { return strings.ReplaceAll(s, "\n", `\n`) }

func noteDetail(n callwright.Note) string {
	detail := ""
	if n.Path != "" {
		detail += " at " + n.Path
	}
	switch {
	case n.Was != "" && n.Now != "":
		detail += fmt.Sprintf(": %q -> %q", n.Was, n.Now)
	case n.Was != "" && n.Risk != "":
		detail += fmt.Sprintf(": %q -> nothing", n.Was)
	case n.Was+n.Now != "":
		detail += fmt.Sprintf(": %q", n.Was+n.Now)
	}
	if n.Why != "" {
		detail += " (" + n.Why + ")"
	}
	return detail
}
