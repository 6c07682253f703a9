package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/callwright/callwright"
)

// maxNotes bounds the notes that a person is shown.
const maxNotes = 100

// A parsePrinter shows a person what was found in a text.
type parsePrinter struct {
	w     io.Writer
	paint func(style, text string) string
	width int
	text  string
}

func newParsePrinter(a *app, text string) *parsePrinter {
	d := newDemoPrinter(a)
	return &parsePrinter{w: d.w, paint: d.paint, width: d.width, text: text}
}

func (p *parsePrinter) print(got *parsed) {
	for _, c := range got.Calls {
		fmt.Fprintf(p.w, "%s %s\n", p.paint(green, "call"), p.paint(bold, visible(c.Name)))
		p.block(pretty(c.Arguments))
	}
	for i := range got.Invalid {
		p.invalid(&got.Invalid[i])
	}
	if len(got.Calls)+len(got.Invalid) == 0 {
		fmt.Fprintln(p.w, p.paint(faint, "no call"))
	}
	p.section("reasoning", got.Reasoning)
	p.section("text", got.Content)
	if len(got.Notes) == 0 {
		return
	}
	fmt.Fprintln(p.w, p.paint(bold, "notes"))
	places := newPlaces(p.text, got)
	for i := range got.Notes[:min(len(got.Notes), maxNotes)] {
		p.note(&got.Notes[i], places)
	}
	if more := len(got.Notes) - maxNotes; more > 0 {
		fmt.Fprintf(p.w, "  and %d more; --json prints them all\n", more)
	}
}

func (p *parsePrinter) invalid(c *callwright.InvalidCall) {
	name := c.Name
	if name == "" {
		name = "(no name)"
	}
	fmt.Fprintf(p.w, "%s %s\n", p.paint(red, "not run"), p.paint(bold, visible(name)))
	for _, v := range c.Violations {
		fmt.Fprintf(p.w, "  - %s\n", visible(v.Message))
	}
}

func (p *parsePrinter) section(title, text string) {
	if text = strings.TrimSpace(text); text != "" {
		fmt.Fprintln(p.w, p.paint(bold, title))
		p.block(text)
	}
}

func (p *parsePrinter) block(text string) {
	for line := range strings.Lines(text) {
		fmt.Fprintf(p.w, "  %s\n", visible(strings.TrimRight(line, "\r\n")))
	}
}

// note shows a note, and where in the text it is about.
func (p *parsePrinter) note(n *callwright.Note, places *places) {
	at := ""
	if n.Path != "" {
		at = " at " + visible(n.Path)
	}
	fmt.Fprintf(p.w, "  %s%s %s\n", p.paint(bold, n.Rule), at, p.paint(faint, noteMargin(n)))
	if at, ok := places.of(n); ok {
		number, line, marks := places.excerpt(at, p.width-len("    1000 | "))
		pointer := strings.TrimLeft(marks, " ")
		fmt.Fprintf(p.w, "    %4d | %s\n         | %s%s\n", number, line, marks[:len(marks)-len(pointer)], p.paint(red, pointer))
	} else if n.Was != "" {
		fmt.Fprintf(p.w, "    was  %s\n", visible(callwright.Excerpt(oneLine(n.Was))))
	}
	switch {
	case n.Now != "":
		fmt.Fprintf(p.w, "    now  %s\n", visible(callwright.Excerpt(oneLine(n.Now))))
	case n.Was != "" && n.Risk != "":
		fmt.Fprintf(p.w, "    now  %s\n", p.paint(faint, "(nothing)"))
	}
	if _, isPlace := placeHint(n); n.Why != "" && !isPlace {
		fmt.Fprintf(p.w, "    why  %s\n", visible(n.Why))
	}
}

// noteMargin is what stands beside a note's rule: how sure it is, and the tool that it concerns.
func noteMargin(n *callwright.Note) string {
	words := []string{"found"}
	if n.Risk != "" {
		words[0] = string(n.Risk)
	}
	if n.Call != "" {
		words = append(words, visible(n.Call))
	}
	if n.Observed {
		words = append(words, "only observed")
	}
	return "(" + strings.Join(words, ", ") + ")"
}

// pretty is JSON on several lines.
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
	if n.Was != "" || n.Now != "" {
		detail += fmt.Sprintf(": %q -> %q", n.Was, n.Now)
	}
	if n.Why != "" {
		detail += " (" + n.Why + ")"
	}
	return detail
}
