package directive

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/latertext"
	"github.com/callwright/callwright/internal/notes"
)

// correctable are the reasons for which a model is asked to write a directive again.
var correctable = []Reason{ReasonUnknownType, ReasonBadPayload, ReasonMalformed, ReasonTruncated}

// mostAsked bounds the directives that a model is asked to write again, and mostTold the length of the message about
// one of them.
const (
	mostAsked = 20
	mostTold  = 10
)

// correct asks the model once for the directives that were left out of a turn. A request that fails leaves the turn as
// it is.
func (c *Client) correct(ctx context.Context, req *callwright.Request, t *Turn, give func(Event) bool) {
	var asked []int
	for i, p := range t.Dropped {
		if slices.Contains(correctable, p.Reason) && len(asked) < mostAsked {
			asked = append(asked, i)
		}
	}
	if len(asked) == 0 || ctx.Err() != nil {
		return
	}
	next := *req
	next.Messages = append(slices.Clip(req.Messages), callwright.AssistantText(string(renderAnswer(t))),
		callwright.UserText(c.violations(t, asked)))
	next.Tools, next.Params.Choice, next.Params.Parallel = []callwright.Tool{}, callwright.Choice{}, nil // what it may call is settled
	note := callwright.Note{Rule: "correct.asked", Stage: callwright.StageCorrect, Was: t.Dropped[asked[0]].Raw}
	resp, err := c.model.Generate(ctx, &next)
	if err != nil || resp == nil {
		if note.Why = "the model failed"; err != nil {
			note.Why += ": " + err.Error()
		}
		t.Notes = append(t.Notes, note.Classify())
		return
	}
	t.Notes, t.Correction = append(t.Notes, note.Classify()), resp
	read := NewReader(c.reg, c.o.limits)
	read.asked = len(asked)
	for _, d := range t.Directives {
		read.addKnownDirective(d)
	}
	read.Feed(resp.Text())
	read.Close(resp.Finish)
	for _, ev := range t.take(read, asked) {
		if !give(ev) {
			return
		}
	}
}

// addKnownDirective counts a directive that the model wrote before: one that is equal repeats it.
func (r *Reader) addKnownDirective(d Directive) { r.isRepeated(d, 0) }

// renderAnswer returns the model's answer as it is shown to the model again.
func renderAnswer(t *Turn) []byte {
	if text := strings.TrimSpace(t.Response.Text()); text != "" {
		return []byte(text)
	}
	return t.document()
}

// violations lists the violations of the model's directives.
func (c *Client) violations(t *Turn, asked []int) string {
	var b strings.Builder
	b.WriteString("These directives of your answer were not taken:\n")
	for _, at := range asked {
		p := &t.Dropped[at]
		b.WriteString("- " + p.Path)
		if p.Type != "" {
			b.WriteString(" (type " + strconv.Quote(p.Type) + ")")
		}
		b.WriteString(":\n")
		told := p.Violations[:min(len(p.Violations), mostTold)]
		for _, v := range told {
			b.WriteString("  - " + v.Message + "\n")
		}
		if more := len(p.Violations) - len(told); more > 0 {
			b.WriteString("  - and " + strconv.Itoa(more) + " more\n")
		}
	}
	b.WriteString("All else was taken: do not repeat it. Write these directives again, complete and corrected, in the same order and with nothing else: " +
		`{"assistant_text": "", "directives": [...]}`)
	return b.String()
}

// take adds the result of a correction, and returns its events.
func (t *Turn) take(read *Reader, asked []int) []Event {
	from := read.Turn()
	var events []Event
	if text := t.follow(from.Text); text != "" {
		events = append(events, Event{Kind: EventText, Text: text})
	}
	for i := range from.Directives {
		t.Directives = append(t.Directives, from.Directives[i])
		events = append(events, Event{Kind: EventDirective, Directive: &from.Directives[i]})
	}
	stillWrong := slices.ContainsFunc(from.Dropped, func(p Problem) bool { return slices.Contains(correctable, p.Reason) })
	if len(from.Directives) == len(asked) && !stillWrong { // one for one
		for _, at := range asked {
			t.Dropped[at].Corrected = true
		}
	}
	for i := range from.Dropped {
		t.Dropped = append(t.Dropped, from.Dropped[i])
		events = append(events, Event{Kind: EventDropped, Problem: &from.Dropped[i]})
	}
	for _, n := range from.Notes {
		if n.Rule != "directive.outside" {
			t.Notes = notes.Fold(t.Notes, n)
		}
	}
	return events
}

// follow adds the text of a correction to that of the turn, on a line of its own and without a repetition of the turn's
// text. It returns the piece that was added.
func (t *Turn) follow(text string) string {
	later := latertext.Text{Note: func(n callwright.Note) { t.Notes = notes.Fold(t.Notes, n.Classify()) }}
	later.After(t.Text)
	text = later.Feed(strings.TrimSpace(text)) + later.Close()
	t.Text += text
	return text
}
