package runcmd

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/agent"
	"github.com/callwright/callwright/cmd/callwright/internal/elicit"
	"github.com/callwright/callwright/cmd/callwright/internal/paint"
	"github.com/callwright/callwright/internal/jsonx"
)

// A talk shows a run to whoever watches it, and asks them. Servers of tools ask in the middle of a call, so that it is
// used by several goroutines.
type talk struct {
	mu            sync.Mutex // held while something is shown or asked
	in            Input
	out, err      *paint.Printer
	lines         *bufio.Reader
	asJSON, notes bool
	live          bool // text is shown as it comes
	begun         bool // text was shown that no line ends yet
	shown         bool // the text of the last answer was shown
	id            agent.RunID
	running       map[string]string // calls that have started, as they are shown
	reading       chan read         // gives the line that is being read; nil where none is
}

func newTalk(in Input, asJSON, notes bool) *talk {
	return &talk{
		in: in, out: paint.New(in.Out, in.Env), err: paint.New(in.Err, in.Env), lines: bufio.NewReader(in.In),
		asJSON: asJSON, notes: notes, live: paint.IsTerminal(in.Out), running: map[string]string{},
	}
}

// canAsk reports whether somebody is there to be asked.
func (t *talk) canAsk() bool {
	return !t.asJSON && paint.IsTerminal(t.in.In) && paint.IsTerminal(t.in.Err)
}

// show shows an event.
func (t *talk) show(ev agent.Event) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.id = ev.Run
	if t.asJSON {
		return jsonx.WriteLine(t.in.Out, ev)
	}
	if ev.Kind != agent.EventCall && ev.Kind != agent.EventProgress {
		t.err.Clear() // also where it is the output that goes on
	}
	switch ev.Kind {
	case agent.EventText:
		if t.live {
			t.out.Printf("%s", paint.VisibleLines(ev.Text))
			t.begun, t.shown = !strings.HasSuffix(ev.Text, "\n"), true
		}
	case agent.EventCall:
		t.shown = false
		t.running[ev.Call] = callLine(ev)
		t.still(ev.Call, "")
	case agent.EventProgress:
		t.still(ev.Call, progressText(ev.Progress))
	case agent.EventResult:
		t.endLine()
		t.result(ev)
	case agent.EventNote:
		if t.notes {
			t.endLine()
			t.note(ev.Note)
		}
	case agent.EventError:
		t.endLine() // the error stands on a line of its own
		t.suggest(ev.Suggested)
	case agent.EventFinal:
		t.endLine()
		t.suggest(ev.Suggested)
		if !t.shown && ev.Stop == agent.StopAnswered {
			_, err := fmt.Fprintln(t.in.Out, ev.Text)
			return err // an answer that nobody got is a failure
		}
	}
	return nil
}

// suggest names a more capable model, where the run's own keeps failing.
func (t *talk) suggest(m callwright.ModelID) {
	if m != "" {
		t.err.Printf("the model keeps making calls that cannot be run: try --model %s\n", paint.Visible(string(m)))
	}
}

func (t *talk) endLine() {
	if t.begun {
		t.out.Println()
		t.begun = false
	}
}

// result shows a call that has ended, in one line.
func (t *talk) result(ev agent.Event) {
	_, ran := t.running[ev.Call]
	delete(t.running, ev.Call)
	how, style := "ok", paint.Green
	if e := ev.Result; e != nil && !e.OK {
		how, style = "failed", paint.Red
		if len(e.Errors) > 0 {
			how = e.Errors[0].Error()
		}
	}
	took := "not run"
	if ran {
		took = fmt.Sprintf("%.0f ms", ev.MS)
	}
	line, tail := t.fit(callLine(ev), "  "+took+"  "+paint.Visible(how), t.err.Width)
	t.err.Printf("%s %s%s\n", t.err.Paint(style, "*"), line, t.err.Paint(paint.Faint, tail))
}

// callLine is a call as it is shown.
func callLine(ev agent.Event) string {
	return paint.Visible(strings.TrimSpace(ev.Name + " " + string(ev.Arguments)))
}

// fit cuts a call and its description so that they fit into a line of a terminal, behind a mark.
func (t *talk) fit(call, said string, width int) (string, string) {
	if paint.IsTerminal(t.in.Err) {
		said = paint.CutRight(said, width/2)
		call = paint.CutRight(call, max(width-paint.Columns(said)-2, 8))
	}
	return call, said
}

// still shows on a terminal that a call runs, and how far it is, in a line that gives way to whatever is shown next.
func (t *talk) still(call, progress string) {
	line, ok := t.running[call]
	if !ok || !t.err.Live {
		return
	}
	t.endLine()
	if progress != "" {
		progress = "  " + progress
	}
	line, progress = t.fit(line, progress, t.err.Width-1) // the cursor stands behind them
	t.err.Update("… " + line + progress)
}

// progressText is how far a call is: a part of the whole where that is known.
func progressText(p *agent.Progress) string {
	text := strconv.FormatFloat(p.Done, 'g', 6, 64)
	if p.Total > 0 {
		text = fmt.Sprintf("%.0f%%", 100*p.Done/p.Total)
	}
	return strings.TrimSpace(text + "  " + paint.Visible(p.Message))
}

func (t *talk) note(n *callwright.Note) {
	t.err.Println(t.err.Paint(paint.Faint, "  "+paint.Visible(strings.TrimSpace(n.Rule+" "+n.Call+" "+n.Was+" -> "+n.Now+" "+n.Why))))
}

// ask asks about a call on the terminal.
func (t *talk) ask(ctx context.Context, q agent.Question) (agent.Decision, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.begin()
	for {
		t.err.Printf("%s %s\n%s? [y]es, [n]o, [a]lways, [l]ater: ", t.err.Paint(paint.Bold, paint.Visible(q.Name)),
			paint.Visible(string(q.Arguments)), paint.Visible(q.Why))
		line, err := t.line(ctx)
		if err != nil {
			t.err.Println() // the cursor is behind the question
		}
		switch {
		case errors.Is(err, io.EOF):
			return agent.Later, nil // who would have answered has gone
		case err != nil:
			return agent.Later, err
		}
		switch strings.ToLower(strings.TrimSpace(line)) {
		case "y", "yes":
			return agent.Yes, nil
		case "n", "no":
			return agent.No, nil
		case "a", "always":
			return agent.Always, nil
		case "l", "later":
			return agent.Later, nil
		}
	}
}

// elicit asks the person for the data that a server of tools wants. Without a person it declines, and says so.
func (t *talk) elicit(ctx context.Context, server, message string, wanted json.RawMessage) (action string,
	content json.RawMessage, err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.err.Clear()
	t.begin()
	if !t.canAsk() {
		t.err.Printf("the MCP server %s asks: %s\n  declined: nobody is at a terminal to answer\n", paint.Visible(server),
			paint.VisibleLines(message))
		return elicit.Decline, nil, nil
	}
	return elicit.Terminal{Out: t.err, Line: t.line}.Ask(ctx, server, message, wanted)
}

// within is a function that asks for input as elicit does, and no longer than the run is wanted.
func (t *talk) within(run context.Context) func(ctx context.Context, server, message string, wanted json.RawMessage) (string,
	json.RawMessage, error) {
	return func(ctx context.Context, server, message string, wanted json.RawMessage) (string, json.RawMessage, error) {
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		defer context.AfterFunc(run, cancel)()
		return t.elicit(ctx, server, message, wanted)
	}
}

// begin prepares for a question. A line that answered an earlier one too late answers none.
func (t *talk) begin() {
	t.endLine()
	select {
	case r := <-t.reading:
		if t.reading = nil; r.err != nil {
			t.reading = make(chan read, 1)
			t.reading <- r // the end stays the end
		}
	default:
	}
}

// A read is a line that was read, or the error in its place.
type read struct {
	text string
	err  error
}

// line reads a line, and no longer than ctx lasts. A line that is still being read then is the next one.
func (t *talk) line(ctx context.Context) (string, error) {
	if t.reading == nil {
		done := make(chan read, 1)
		t.reading = done
		go func() {
			text, err := t.lines.ReadString('\n')
			done <- read{text, err}
		}()
	}
	select {
	case r := <-t.reading:
		t.reading = nil
		return r.text, r.err
	case <-ctx.Done():
		return "", ctx.Err()
	}
}

// waits prints the calls that a run waits for, and how to continue it.
func (t *talk) waits(res *agent.Result, again string) {
	if t.asJSON {
		return
	}
	for _, q := range res.Waiting {
		t.err.Printf("waits: %s %s (%s)\n", paint.Visible(q.Name), paint.Visible(string(q.Arguments)), paint.Visible(q.Why))
	}
	t.err.Printf("go on with: %s --resume %s --answer yes (or no, or always)\n", again, res.ID)
}

// NewSteps returns a function that shows the events of an agent as those of a run are shown, and one that ends a begun
// line.
func NewSteps(in Input) (show func(agent.Event) error, end func()) {
	t := newTalk(in, false, false)
	return t.show, func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		t.err.Clear()
		t.endLine()
	}
}
