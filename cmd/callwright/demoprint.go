package main

import (
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/callwright/callwright"
)

const (
	demoLabel    = 11  // columns of the labels at the left
	demoMaxLines = 9   // pieces shown of one answer
	demoMaxText  = 240 // characters shown of one thing
)

// A demoPrinter writes cards that fit the width of a terminal.
type demoPrinter struct {
	w     io.Writer
	width int
	paint func(style, text string) string
}

func newDemoPrinter(a *app) *demoPrinter {
	p := &demoPrinter{w: a.std.out, width: 80, paint: func(_, text string) string { return text }}
	if columns, ok := a.env("COLUMNS"); ok {
		if n, err := strconv.Atoi(columns); err == nil {
			p.width = min(max(n, 40), 140)
		}
	}
	noColor, _ := a.env("NO_COLOR")
	if term, _ := a.env("TERM"); noColor == "" && term != "dumb" && isTerminal(a.std.out) {
		p.paint = func(style, text string) string { return "\x1b[" + style + "m" + text + "\x1b[0m" }
	}
	return p
}

func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

// The styles, as a terminal knows them.
const (
	bold  = "1"
	faint = "2"
	red   = "31"
	green = "32"
)

var apiNames = map[callwright.WireName]string{callwright.WireOpenAI: "OpenAI", callwright.WireAnthropic: "Anthropic"}

var forms = map[bool]string{false: "whole", true: "streamed"}

func (o *demoOther) name() string { return apiNames[o.Client] + " " + forms[o.Streamed] }

func (p *demoPrinter) print(results []demoResult, took time.Duration) {
	ways, failed := 0, 0
	for i := range results {
		p.card(&results[i])
		ways += 1 + len(results[i].Others)
		if !results[i].ok() {
			failed++
		}
	}
	style, verdict := green, "all as they should be"
	if failed > 0 {
		style, verdict = red, strconv.Itoa(failed)+" not as they should be"
	}
	noun := "misbehaviours"
	if len(results) == 1 {
		noun = "misbehaviour"
	}
	fmt.Fprintf(p.w, "%d %s in %d tool loops over HTTP, %.1f s: %s\n", len(results), noun, ways, took.Seconds(), p.paint(style, verdict))
}

func (p *demoPrinter) card(r *demoResult) {
	fmt.Fprintln(p.w, p.paint(bold, r.Name))
	p.lines("what", r.About, "")
	p.lines("shown", "client of the "+apiNames[r.Client]+" API, "+forms[r.Streamed]+"; model behind the "+apiNames[r.Model]+" API", "")
	p.sent(r.Sent)
	p.received(&r.Received)
	p.notes(r.Notes)
	var same []string
	for _, o := range r.Others {
		if o.OK {
			same = append(same, o.name())
		}
	}
	if len(same) > 0 {
		p.lines("same with", strings.Join(same, ", "), "")
	}
	p.problems("", r.Problems)
	for _, o := range r.Others {
		p.problems(o.name()+": ", o.Problems)
	}
	fmt.Fprintln(p.w)
}

func (p *demoPrinter) problems(where string, problems []string) {
	for _, text := range problems {
		p.lines("WRONG", where+text, red)
	}
}

func (p *demoPrinter) sent(answers []demoSent) {
	for i, a := range answers {
		label := "model sent"
		if i > 0 {
			label = "then"
		}
		if a.Status != 200 {
			p.lines(label, fmt.Sprintf("HTTP %d", a.Status), faint)
			label = ""
		}
		for n, line := range a.Lines {
			if n == demoMaxLines && len(a.Lines) > demoMaxLines+1 {
				p.lines("", fmt.Sprintf("and %d more pieces", len(a.Lines)-n), faint)
				break
			}
			p.lines(label, line, "")
			label = ""
		}
		if a.Cut {
			p.lines(label, "and the connection broke", faint)
		}
	}
}

func (p *demoPrinter) received(r *demoReceived) {
	label := "client got"
	for _, t := range r.Turns {
		if text := strings.TrimSpace(t.Text); text != "" {
			p.lines(label, "text "+quoted(text), green)
			label = ""
		}
		for _, c := range t.Calls {
			p.lines(label, "call "+c.Name+" "+c.Arguments, green)
			p.lines("", "  -> ran: "+c.outcome(), "")
			label = ""
		}
	}
	if r.Error != nil {
		p.lines(label, "error "+strconv.Itoa(r.Error.Status)+" "+r.Error.Code, red)
		p.lines("", r.Error.Message, "")
	}
}

func (p *demoPrinter) notes(notes []callwright.Note) {
	label := "notes"
	if len(notes) == 0 {
		p.lines(label, "none: nothing was changed", faint)
	}
	for _, n := range notes {
		text := n.Rule
		if n.Path != "" {
			text += " at " + n.Path
		}
		switch {
		case n.Was != "" && (n.Now != "" || n.Why == "" && n.Risk != ""):
			text += ": " + shortened(n.Was) + " -> " + shortened(n.Now)
		case n.Was+n.Now != "":
			text += ": " + shortened(n.Was+n.Now)
		}
		if n.Why != "" && n.Now == "" {
			text += " (" + n.Why + ")"
		}
		p.lines(label, strings.TrimSuffix(text, " -> "), "")
		label = ""
	}
}

// quoted is a text on one line.
func quoted(s string) string { return `"` + strings.ReplaceAll(s, "\n", `\n`) + `"` }

// shortened is the beginning of a text on one line.
func shortened(s string) string {
	s = strings.ReplaceAll(s, "\n", `\n`)
	const most = 60
	if utf8.RuneCountInString(s) <= most {
		return s
	}
	return string([]rune(s)[:most-1]) + "…"
}

// lines writes text behind a label, over several lines where it is wider than the terminal.
func (p *demoPrinter) lines(label, text, style string) {
	room := max(p.width-demoLabel-2, 20)
	runes := []rune(printable(text))
	if len(runes) > demoMaxText {
		runes = append(runes[:demoMaxText-1:demoMaxText-1], '…')
	}
	for first := true; first || len(runes) > 0; first = false {
		n := breakAt(runes, room)
		part := strings.TrimRight(string(runes[:n]), " ")
		runes = runes[n:]
		if style != "" {
			part = p.paint(style, part)
		}
		fmt.Fprintf(p.w, "  %s%s\n", p.paint(faint, fmt.Sprintf("%-*s", demoLabel, label)), part)
		label = ""
	}
}

// breakAt is how many of the characters go on a line: up to a blank near its end where there is one.
func breakAt(runes []rune, room int) int {
	if len(runes) <= room {
		return len(runes)
	}
	for n := room; n > room*2/3; n-- {
		if runes[n-1] == ' ' {
			return n
		}
	}
	return room
}

// printable keeps what a model wrote from moving the cursor or changing colours.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t':
			return ' '
		case r < ' ' || r == 0x7f || r >= 0x80 && r < 0xa0:
			return '�'
		}
		return r
	}, s)
}
