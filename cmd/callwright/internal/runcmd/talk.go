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

// A talk shows a run to a person and asks questions. It is safe for concurrent use, because MCP servers can request
// input during a call.
type talk struct {
	mu            sync.Mutex // held during output and questions
	in            Input
	out, err      *paint.Printer
	lines         *bufio.Reader
	asJSON, notes bool
	live          bool // text deltas are shown immediately
	begun         bool // the current output line is incomplete
	shown         bool // the text of the last response was shown
	id            agent.RunID
	running       map[string]string // started calls, as displayed
	reading       chan read         // receives the line that is being read; nil for none
}

func newTalk(in Input, asJSON, notes bool) *talk {
	return &talk{
		in: in, out: paint.New(in.Out, in.Env), err: paint.New(in.Err, in.Env), lines: bufio.NewReader(in.In),
		asJSON: asJSON, notes: notes, live: paint.IsTerminal(in.Out), running: map[string]string{},
	}
}

// canAsk reports whether a person can be asked: both the input and the error output are terminals.
func (t *talk) canAsk() bool {
	return !t.asJSON && paint.IsTerminal(t.in.In) && paint.IsTerminal(t.in.Err)
}

// show prints an event of the run, as text or JSON.
func (t *talk) show(ev agent.Event) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.id = ev.Run
	if t.asJSON {
		return jsonx.WriteLine(t.in.Out, ev)
	}
	if ev.Kind != agent.EventCall && ev.Kind != agent.EventProgress {
		t.err.Clear() // also if the event is printed to the output
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
		t.endLine() // print the error on a line of its own
		t.suggest(ev.Suggested)
	case agent.EventFinal:
		t.endLine()
		t.suggest(ev.Suggested)
		if !t.shown && ev.Stop == agent.StopAnswered {
			_, err := fmt.Fprintln(t.in.Out, ev.Text)
			return err // an answer that could not be printed is a failure
		}
	}
	return nil
}

// suggest prints the suggested more capable model, if m is not "".
func (t *talk) suggest(m callwright.ModelID) {
	if m != "" {
		t.err.Printf("the model keeps making invalid calls: try --model %s\n", paint.Visible(string(m)))
	}
}

func (t *talk) endLine() {
	if t.begun {
		t.out.Println()
		t.begun = false
	}
}

// result prints a tool call that has ended in one line.
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

// callLine returns a tool call as text for display.
func callLine(ev agent.Event) string {
	return paint.Visible(strings.TrimSpace(ev.Name + " " + string(ev.Arguments)))
}

// fit shortens a call and its description so that they fit into a terminal line of the given width.
func (t *talk) fit(call, said string, width int) (string, string) {
	if paint.IsTerminal(t.in.Err) {
		said = paint.CutRight(said, width/2)
		call = paint.CutRight(call, max(width-paint.Columns(said)-2, 8))
	}
	return call, said
}

// still shows a running call and its progress on a terminal, until the next output.
func (t *talk) still(call, progress string) {
	line, ok := t.running[call]
	if !ok || !t.err.Live {
		return
	}
	t.endLine()
	if progress != "" {
		progress = "  " + progress
	}
	line, progress = t.fit(line, progress, t.err.Width-1) // leave a column for the cursor
	t.err.Update("… " + line + progress)
}

// progressText returns the progress of a call: a percentage, or a number if the total is unknown.
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

// ask asks the person for a decision about a tool call.
func (t *talk) ask(ctx context.Context, q agent.Question) (agent.Decision, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.begin()
	for {
		t.err.Printf("%s %s\n%s? [y]es, [n]o, [a]lways, [l]ater: ", t.err.Paint(paint.Bold, paint.Visible(q.Name)),
			paint.Visible(string(q.Arguments)), paint.Visible(q.Why))
		line, err := t.line(ctx)
		if err != nil {
			t.err.Println() // ends the line with the question
		}
		switch {
		case errors.Is(err, io.EOF):
			return agent.Later, nil // the end of input: nobody can answer
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

// elicit asks the person for the input that an MCP server requests. Without a terminal it declines and prints a
// message.
func (t *talk) elicit(ctx context.Context, server, message string, wanted json.RawMessage) (action string,
	content json.RawMessage, err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.err.Clear()
	t.begin()
	if !t.canAsk() {
		t.err.Printf("the MCP server %s asks: %s\n  declined: there is no terminal to answer at\n", paint.Visible(server),
			paint.VisibleLines(message))
		return elicit.Decline, nil, nil
	}
	return elicit.Terminal{Out: t.err, Line: t.line}.Ask(ctx, server, message, wanted)
}

// within returns elicit with the additional condition that it ends when run is done.
func (t *talk) within(run context.Context) func(ctx context.Context, server, message string, wanted json.RawMessage) (string,
	json.RawMessage, error) {
	return func(ctx context.Context, server, message string, wanted json.RawMessage) (string, json.RawMessage, error) {
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		defer context.AfterFunc(run, cancel)()
		return t.elicit(ctx, server, message, wanted)
	}
}

// begin prepares a question: it discards a line that was typed for an earlier question.
func (t *talk) begin() {
	t.endLine()
	select {
	case r := <-t.reading:
		if t.reading = nil; r.err != nil {
			t.reading = make(chan read, 1)
			t.reading <- r // keep the end of input
		}
	default:
	}
}

// A read is an input line, or the error instead of it.
type read struct {
	text string
	err  error
}

// line reads a line. If ctx is done first, the pending read continues, and its line is returned by the next call.
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

// waits prints the calls for which a run waits, and how to continue it.
func (t *talk) waits(res *agent.Result, again string) {
	if t.asJSON {
		return
	}
	for _, q := range res.Waiting {
		t.err.Printf("waits: %s %s (%s)\n", paint.Visible(q.Name), paint.Visible(string(q.Arguments)), paint.Visible(q.Why))
	}
	t.err.Printf("continue with: %s --resume %s --answer yes (or no, or always)\n", again, res.ID)
}

// NewSteps returns a function that shows agent events like those of a run, and a function that ends an incomplete
// output line.
func NewSteps(in Input) (show func(agent.Event) error, end func()) {
	t := newTalk(in, false, false)
	return t.show, func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		t.err.Clear()
		t.endLine()
	}
}
