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

// JSONScreen is a Screen that writes each event as a line of JSON.
type JSONScreen struct{ W io.Writer }

// Show writes the event as a line of JSON.
func (j JSONScreen) Show(ev Event) error { return jsonx.WriteLine(j.W, ev) }

// Answer writes a step of the model's response as a line of JSON.
func (j JSONScreen) Answer(ev agent.Event) error { return jsonx.WriteLine(j.W, ev) }

// Prompt does nothing, because programs need no prompt.
func (j JSONScreen) Prompt(string) error { return nil }

// TextScreen is a Screen that writes text: requested output to Out, and everything else to Err. Create it with
// NewTextScreen.
type TextScreen struct {
	TextConfig
	out, err *paint.Printer
}

// TextConfig contains the outputs of a TextScreen and the functions to show responses.
type TextConfig struct {
	Out, Err io.Writer
	Env      func(string) (string, bool)
	Person   bool                    // a person is present
	Step     func(agent.Event) error // shows a step of a response
	EndStep  func()                  // ends the line that Step left open
}

var (
	_ Screen = JSONScreen{}
	_ Screen = (*TextScreen)(nil)
)

// NewTextScreen returns a TextScreen that writes to c.Out and c.Err.
func NewTextScreen(c TextConfig) *TextScreen {
	return &TextScreen{TextConfig: c, out: paint.New(c.Out, c.Env), err: paint.New(c.Err, c.Env)}
}

// views maps the kind of an event to the function that prints it.
var views = map[Kind]func(t *TextScreen, ev *Event) error{
	Open: (*TextScreen).printOpening,
	Draft: func(t *TextScreen, ev *Event) error {
		title := fmt.Sprintf("draft %d", ev.Version)
		if ev.To != 0 {
			title += fmt.Sprintf(", restored from version %d", ev.To)
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
			return nil // the command reports this error itself
		}
		_, err := fmt.Fprintln(t.Err, t.err.Paint(paint.Red, paint.VisibleLines(ev.Text)))
		return err
	},
	End: func(t *TextScreen, ev *Event) error {
		for _, id := range ev.Waiting {
			if err := t.says(fmt.Sprintf("%s waits: accept it with %s ':commit %s', or reject it with ':reject %s'", id, ev.Again, id, id)); err != nil {
				return err
			}
		}
		return nil
	},
}

// Show prints an event of the session as text.
func (t *TextScreen) Show(ev Event) error {
	t.EndStep()
	if view := views[ev.Kind]; view != nil {
		return view(t, &ev)
	}
	return nil
}

// Answer prints a step of the model's response as text.
func (t *TextScreen) Answer(ev agent.Event) error { return t.Step(ev) }

// Prompt prints the prompt of an input line.
func (t *TextScreen) Prompt(text string) error {
	t.EndStep()
	_, err := fmt.Fprint(t.Err, t.err.Paint(paint.Bold, text))
	return err
}

// says prints a message that the person did not request to Err.
func (t *TextScreen) says(line string) error {
	_, err := fmt.Fprintln(t.Err, paint.VisibleLines(line))
	return err
}

// print prints lines that the person requested to Out.
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

// mostChanges is the maximum number of changes that are printed for a new version.
const mostChanges = 30

// changes prints a difference: the path, the old and the new value of each change.
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

// pathOf returns a JSON Pointer for display.
func pathOf(path string) string {
	if path == "" {
		return "(whole document)"
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
