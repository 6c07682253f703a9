package main

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/callwright/callwright/agent"
	"github.com/callwright/callwright/cmd/callwright/document"
	"github.com/callwright/callwright/cmd/callwright/edit"
	"github.com/callwright/callwright/cmd/callwright/paint"
	"github.com/callwright/callwright/workspace"
)

// editLines shows a session of editing to a program.
type editLines struct{ w io.Writer }

func (l editLines) Show(ev edit.Event) error { return writeLine(l.w, ev) }

// Answer shows a step. That an answer has failed is shown by the session.
func (l editLines) Answer(ev agent.Event) error { return writeLine(l.w, ev) }

func (l editLines) Prompt(string) error { return nil }

// editScreen shows a session of editing to a person: answers and what they ask for on standard output, all else on standard error.
type editScreen struct{ *talk }

var (
	_ edit.Screen = editLines{}
	_ edit.Screen = (*editScreen)(nil)
)

// editViews show the events, by their kinds.
var editViews = map[edit.Kind]func(s *editScreen, ev *edit.Event) error{
	edit.Open: (*editScreen).opened,
	edit.Draft: func(s *editScreen, ev *edit.Event) error {
		title := fmt.Sprintf("draft %d", ev.Version)
		if ev.To != 0 {
			title += fmt.Sprintf(", that of version %d again", ev.To)
		}
		return s.changes(title, ev)
	},
	edit.Proposal: func(s *editScreen, ev *edit.Event) error { return s.changes("proposed facts "+ev.Proposal, ev) },
	edit.Facts:    func(s *editScreen, ev *edit.Event) error { return s.changes(fmt.Sprintf("facts %d", ev.Version), ev) },
	edit.Rejected: func(s *editScreen, ev *edit.Event) error { return s.says(ev.Proposal + " is rejected") },
	edit.Locked:   func(s *editScreen, ev *edit.Event) error { return s.says("locked " + pathOf(*ev.Path)) },
	edit.Unlocked: func(s *editScreen, ev *edit.Event) error { return s.says("unlocked " + pathOf(*ev.Path)) },
	edit.Locks: func(s *editScreen, ev *edit.Event) error {
		if len(ev.Locks) == 0 {
			return s.says("nothing is locked")
		}
		return s.print(strings.Join(ev.Locks, "\n"))
	},
	edit.Value: func(s *editScreen, ev *edit.Event) error {
		return s.print(strings.TrimSuffix(string(document.Layout(nil, ev.Value)), "\n"))
	},
	edit.History: (*editScreen).history,
	edit.Help:    func(s *editScreen, ev *edit.Event) error { return s.print(ev.Text) },
	edit.Note:    func(s *editScreen, ev *edit.Event) error { return s.says(ev.Text) },
	edit.Failed: func(s *editScreen, ev *edit.Event) error {
		if !s.canAsk() {
			return nil // it is the error of the command
		}
		_, err := fmt.Fprintln(s.app.std.err, s.err.Paint(paint.Red, paint.VisibleLines(ev.Text)))
		return err
	},
	edit.End: func(s *editScreen, ev *edit.Event) error {
		for _, id := range ev.Waiting {
			if err := s.says(fmt.Sprintf("%s waits: agree with %s ':commit %s', or ':reject %s'", id, ev.Again, id, id)); err != nil {
				return err
			}
		}
		return nil
	},
}

// Show shows an event.
func (s *editScreen) Show(ev edit.Event) error {
	s.err.Clear()
	s.endLine()
	if view := editViews[ev.Kind]; view != nil {
		return view(s, &ev)
	}
	return nil
}

// Answer shows a step of an answer.
func (s *editScreen) Answer(ev agent.Event) error { return s.show(ev) }

// Prompt shows what a line is waited for with.
func (s *editScreen) Prompt(text string) error {
	s.err.Clear()
	s.endLine()
	_, err := fmt.Fprint(s.app.std.err, s.err.Paint(paint.Bold, text))
	return err
}

// says shows what nobody asked for.
func (s *editScreen) says(line string) error {
	_, err := fmt.Fprintln(s.app.std.err, paint.VisibleLines(line))
	return err
}

// print shows lines that were asked for.
func (s *editScreen) print(lines string) error {
	_, err := fmt.Fprintln(s.app.std.out, paint.VisibleLines(lines))
	return err
}

func (s *editScreen) opened(ev *edit.Event) error {
	if !s.canAsk() {
		return nil
	}
	line := fmt.Sprintf("%s, version %d; :help lists the commands, Ctrl-D ends", ev.File, ev.Version)
	if len(ev.Locks) > 0 {
		line += "\nlocked: " + strings.Join(ev.Locks, ", ")
	}
	if len(ev.Waiting) > 0 {
		line += "\nwaiting for you: " + strings.Join(ev.Waiting, ", ") + " (:proposals)"
	}
	_, err := fmt.Fprintln(s.app.std.err, paint.VisibleLines(line))
	return err
}

// mostChanges bounds what is shown of a difference.
const mostChanges = 30

// changes shows a difference by its paths: what was there, and what is there now.
func (s *editScreen) changes(title string, ev *edit.Event) error {
	if ev.Why != "" {
		title += ": " + strings.Join(strings.Fields(ev.Why), " ")
	}
	var b bytes.Buffer
	fmt.Fprintln(&b, s.err.Paint(paint.Bold, paint.Visible(title)))
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
		room := max(s.err.Width-paint.Columns(path)-3, s.err.Width/3)
		if c.Op == document.Replace {
			was, now = paint.Apart(was, now, room)
		}
		if c.Op != document.Add {
			fmt.Fprintln(&b, s.err.Paint(paint.Red, "- "+path+" "+paint.CutRight(was, room)))
		}
		if c.Op != document.Remove {
			fmt.Fprintln(&b, s.err.Paint(paint.Green, "+ "+path+" "+paint.CutRight(now, room)))
		}
	}
	_, err := s.app.std.err.Write(b.Bytes())
	return err
}

// pathOf is a JSON pointer as a person reads it.
func pathOf(path string) string {
	if path == "" {
		return "(the whole draft)"
	}
	return path
}

func (s *editScreen) history(ev *edit.Event) error {
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
		if paint.IsTerminal(s.app.std.out) {
			line = paint.CutRight(line, s.out.Width)
		}
		b.WriteString(line + "\n")
	}
	return s.print(strings.TrimSuffix(b.String(), "\n"))
}
