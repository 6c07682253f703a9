package demo

import (
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/cmd/callwright/internal/paint"
)

const (
	labelWidth = 11  // columns of the labels on the left
	maxLines   = 9   // maximum number of printed lines per response
	maxText    = 240 // maximum number of characters per text
)

// A printer prints results within the width of the terminal.
type printer struct{ *paint.Printer }

var apiNames = map[callwright.WireName]string{callwright.WireOpenAI: "OpenAI", callwright.WireAnthropic: "Anthropic"}

var forms = map[bool]string{false: "whole", true: "streamed"}

func (o *Other) name() string { return apiNames[o.Client] + " " + forms[o.Streamed] }

// Print prints each result in detail, a table if there are several results, and a summary line.
func Print(to *paint.Printer, results []Result, took time.Duration) {
	p := printer{to}
	ways, failed := 0, 0
	for i := range results {
		p.card(&results[i])
	}
	if len(results) > 1 {
		p.table(results)
	}
	for i := range results {
		ways += 1 + len(results[i].Others)
		if !results[i].HasPassed() {
			failed++
		}
	}
	style, verdict := paint.Green, "all as expected"
	if failed > 0 {
		style, verdict = paint.Red, strconv.Itoa(failed)+" not as expected"
	}
	noun := "misbehaviours"
	if len(results) == 1 {
		noun = "misbehaviour"
	}
	p.Printf("%d %s in %d tool loops over HTTP, %.1f s: %s\n", len(results), noun, ways, took.Seconds(), p.Paint(style, verdict))
}

func (p printer) card(r *Result) {
	p.Println(p.Paint(paint.Bold, r.Name))
	p.lines("what", r.About, paint.Plain)
	p.lines("shown", "client of the "+apiNames[r.Client]+" API, "+forms[r.Streamed]+"; model behind the "+apiNames[r.Model]+
		" API", paint.Plain)
	p.printSent(r.Sent)
	p.printReceived(&r.Received)
	p.notes(r.Notes)
	var same []string
	for _, o := range r.Others {
		if o.OK {
			same = append(same, o.name())
		}
	}
	if len(same) > 0 {
		p.lines("same with", strings.Join(same, ", "), paint.Plain)
	}
	p.problems("", r.Problems)
	for _, o := range r.Others {
		p.problems(o.name()+": ", o.Problems)
	}
	p.Println()
}

func (p printer) problems(where string, problems []string) {
	for _, text := range problems {
		p.lines("WRONG", where+text, paint.Red)
	}
}

func (p printer) printSent(answers []Sent) {
	for i, a := range answers {
		label := "model sent"
		if i > 0 {
			label = "then"
		}
		if a.Status != 200 {
			p.lines(label, fmt.Sprintf("HTTP %d", a.Status), paint.Faint)
			label = ""
		}
		for n, line := range a.Lines {
			if n == maxLines && len(a.Lines) > maxLines+1 {
				p.lines("", fmt.Sprintf("and %d more pieces", len(a.Lines)-n), paint.Faint)
				break
			}
			p.lines(label, line, paint.Plain)
			label = ""
		}
		if a.Cut {
			p.lines(label, "and the connection broke", paint.Faint)
		}
	}
}

func (p printer) printReceived(r *Received) {
	label := "client got"
	for _, t := range r.Turns {
		if text := strings.TrimSpace(t.Text); text != "" {
			p.lines(label, "text "+quoteLine(text), paint.Green)
			label = ""
		}
		for _, c := range t.Calls {
			p.lines(label, "call "+c.Name+" "+c.Arguments, paint.Green)
			p.lines("", "  -> ran: "+c.outcome(), paint.Plain)
			label = ""
		}
	}
	if r.Error != nil {
		p.lines(label, "error "+strconv.Itoa(r.Error.Status)+" "+r.Error.Code, paint.Red)
		p.lines("", r.Error.Message, paint.Plain)
	}
}

func (p printer) notes(notes []callwright.Note) {
	label := "notes"
	if len(notes) == 0 {
		p.lines(label, "none: nothing was changed", paint.Faint)
	}
	for _, n := range notes {
		text := n.Rule
		if n.Path != "" {
			text += " at " + n.Path
		}
		switch {
		case n.Was != "" && (n.Now != "" || n.Why == "" && n.Risk != ""):
			text += ": " + truncateLine(n.Was) + " -> " + truncateLine(n.Now)
		case n.Was+n.Now != "":
			text += ": " + truncateLine(n.Was+n.Now)
		}
		if n.Why != "" && n.Now == "" {
			text += " (" + n.Why + ")"
		}
		p.lines(label, strings.TrimSuffix(text, " -> "), paint.Plain)
		label = ""
	}
}

// quoteLine returns a quoted text with line breaks written as \n.
func quoteLine(s string) string { return `"` + strings.ReplaceAll(s, "\n", `\n`) + `"` }

// truncateLine returns at most 60 characters of a text, with line breaks written as \n.
func truncateLine(s string) string {
	s = strings.ReplaceAll(s, "\n", `\n`)
	const most = 60
	if utf8.RuneCountInString(s) <= most {
		return s
	}
	return string([]rune(s)[:most-1]) + "…"
}

// lines prints a text after a label, over several lines if it is wider than the terminal.
func (p printer) lines(label, text string, style paint.Style) {
	room := max(p.Width-labelWidth-2, 20)
	runes := []rune(paint.Visible(strings.ReplaceAll(text, "\n", " ")))
	if len(runes) > maxText {
		runes = append(runes[:maxText-1:maxText-1], '…')
	}
	for _, part := range paint.Fold(string(runes), room) {
		p.Printf("  %s%s\n", p.Paint(paint.Faint, fmt.Sprintf("%-*s", labelWidth, label)), p.Paint(style, part))
		label = ""
	}
}
