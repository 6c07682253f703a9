package edit

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/callwright/callwright/agent"
	"github.com/callwright/callwright/cmd/callwright/internal/document"
	"github.com/callwright/callwright/cmd/callwright/internal/paint"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/workspace"
)

// JSONScreen is a Screen for programs: it writes an object a line for each event.
type JSONScreen struct{ W io.Writer }

// Show writes an event.
func (j JSONScreen) Show(ev Event) error { return jsonx.WriteLine(j.W, ev) }

// Answer writes a step of an answer.
func (j JSONScreen) Answer(ev agent.Event) error { return jsonx.WriteLine(j.W, ev) }

// Prompt writes nothing.
func (j JSONScreen) Prompt(string) error { return nil }

// TextScreen is a Screen for people: output that they asked for is written to one writer, all else to another. Use
// NewTextScreen.
type TextScreen struct {
	TextConfig
	out, err *paint.Printer
}

// TextConfig says where a TextScreen is.
type TextConfig struct {
	Out, Err io.Writer
	Env      func(string) (string, bool)
	Person   bool                    // one is there
	Step     func(agent.Event) error // shows a step of an answer
	EndStep  func()                  // ends the line that Step has left open
}

var (
	_ Screen = JSONScreen{}
	_ Screen = (*TextScreen)(nil)
)

// NewTextScreen makes a TextScreen.
func NewTextScreen(c TextConfig) *TextScreen {
	return &TextScreen{TextConfig: c, out: paint.New(c.Out, c.Env), err: paint.New(c.Err, c.Env)}
}

// views show the events, by their kinds.
var views = map[Kind]func(t *TextScreen, ev *Event) error{
	Open: (*TextScreen).printOpening,
	Draft: func(t *TextScreen, ev *Event) error {
		title := fmt.Sprintf("draft %d", ev.Version)
		if ev.To != 0 {
			title += fmt.Sprintf(", that of version %d again", ev.To)
		}
		return t.changes(title, ev)
	},
	Proposal: func(t *TextScreen, ev *Event) error { return t.changes("proposed facts "+ev.Proposal, ev) },
	Facts:    func(t *TextScreen, ev *Event) error { return t.changes(fmt.Sprintf("facts %d", ev.Version), ev) },
	Rejected: func(t *TextScreen, ev *Event) error { return t.says(ev.Proposal + " is rejected") },
	Locked:   func(t *TextScreen, ev *Event) error { return t.says("locked " + pathOf(*ev.Path)) },
	Unlocked: func(t *TextScreen, ev *Event) error { return t.says("unlocked " + pathOf(*ev.Path)) },
	Locks: func(t *TextScreen, ev *Event) error {
		if len(ev.Locks) == 0 {
			return t.says("nothing is locked")
		}
		return t.print(strings.Join(ev.Locks, "\n"))
	},
	Value: func(t *TextScreen, ev *Event) error {
		return t.print(strings.TrimSuffix(string(document.Layout(nil, ev.Value)), "\n"))
	},
	History: (*TextScreen).history,
	Help:    func(t *TextScreen, ev *Event) error { return t.print(ev.Text) },
	Note:    func(t *TextScreen, ev *Event) error { return t.says(ev.Text) },
	Failed: func(t *TextScreen, ev *Event) error {
		if !t.Person {
			return nil // it is the error of the command
		}
		_, err := fmt.Fprintln(t.Err, t.err.Paint(paint.Red, paint.VisibleLines(ev.Text)))
		return err
	},
	End: func(t *TextScreen, ev *Event) error {
		for _, id := range ev.Waiting {
			if err := t.says(fmt.Sprintf("%s waits: agree with %s ':commit %s', or ':reject %s'", id, ev.Again, id, id)); err != nil {
				return err
			}
		}
		return nil
	},
}

// Show shows an event.
func (t *TextScreen) Show(ev Event) error {
	t.EndStep()
	if view := views[ev.Kind]; view != nil {
		return view(t, &ev)
	}
	return nil
}

// Answer shows a step of an answer.
func (t *TextScreen) Answer(ev agent.Event) error { return t.Step(ev) }

// Prompt shows the prompt of a line.
func (t *TextScreen) Prompt(text string) error {
	t.EndStep()
	_, err := fmt.Fprint(t.Err, t.err.Paint(paint.Bold, text))
	return err
}

// says shows a message that nobody asked for.
func (t *TextScreen) says(line string) error {
	_, err := fmt.Fprintln(t.Err, paint.VisibleLines(line))
	return err
}

// print shows lines that were asked for.
func (t *TextScreen) print(lines string) error {
	_, err := fmt.Fprintln(t.Out, paint.VisibleLines(lines))
	return err
}

func (t *TextScreen) printOpening(ev *Event) error {
	if !t.Person {
		return nil
	}
	line := fmt.Sprintf("%s, version %d; :help lists the commands, Ctrl-D ends", ev.File, ev.Version)
	if len(ev.Locks) > 0 {
		line += "\nlocked: " + strings.Join(ev.Locks, ", ")
	}
	if len(ev.Waiting) > 0 {
		line += "\nwaiting for you: " + strings.Join(ev.Waiting, ", ") + " (:proposals)"
	}
	_, err := fmt.Fprintln(t.Err, paint.VisibleLines(line))
	return err
}

// mostChanges bounds the shown lines of a difference.
const mostChanges = 30

// changes shows a difference by its paths: the old and the new value.
func (t *TextScreen) changes(title string, ev *Event) error {
	if ev.Why != "" {
		title += ": " + strings.Join(strings.Fields(ev.Why), " ")
	}
	var b bytes.Buffer
	fmt.Fprintln(&b, t.err.Paint(paint.Bold, paint.Visible(title)))
	if len(ev.Changes) == 0 {
		fmt.Fprintln(&b, "  nothing changes")
	}
	for i, c := range ev.Changes {
		if i == mostChanges {
			fmt.Fprintf(&b, "  and %d more\n", len(ev.Changes)-i)
			break
		}
		path := paint.Visible(pathOf(c.Path))
		was, now := paint.Visible(string(c.Was)), paint.Visible(string(c.Now))
		room := max(t.err.Width-paint.Columns(path)-3, t.err.Width/3)
		if c.Op == document.Replace {
			was, now = paint.Apart(was, now, room)
		}
		if c.Op != document.Add {
			fmt.Fprintln(&b, t.err.Paint(paint.Red, "- "+path+" "+paint.CutRight(was, room)))
		}
		if c.Op != document.Remove {
			fmt.Fprintln(&b, t.err.Paint(paint.Green, "+ "+path+" "+paint.CutRight(now, room)))
		}
	}
	_, err := t.Err.Write(b.Bytes())
	return err
}

// pathOf is a JSON pointer as a person reads it.
func pathOf(path string) string {
	if path == "" {
		return "(all of it)"
	}
	return path
}

func (t *TextScreen) history(ev *Event) error {
	var b strings.Builder
	for _, e := range ev.Entries {
		what := string(e.Kind)
		for _, more := range []string{e.Path, e.Proposal, e.Why} {
			if more != "" {
				what += " " + strings.Join(strings.Fields(more), " ")
			}
		}
		if e.Kind == workspace.UndoDraft {
			what += fmt.Sprintf(" to %d", e.To)
		}
		line := fmt.Sprintf("%4d  %s  %-6s  %s", e.Version, e.Time.Local().Format(time.DateTime), e.By.Actor, what)
		if paint.IsTerminal(t.Out) {
			line = paint.CutRight(line, t.out.Width)
		}
		b.WriteString(line + "\n")
	}
	return t.print(strings.TrimSuffix(b.String(), "\n"))
}
