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

// correctable are the reasons for which a self-correction asks the model to rewrite a dropped directive.
var correctable = []Reason{ReasonUnknownType, ReasonBadPayload, ReasonMalformed, ReasonTruncated}

// mostAsked is the maximum number of directives in a self-correction. mostTold is the maximum number of violations
// listed for each.
const (
	mostAsked = 20
	mostTold  = 10
)

// correct sends one self-correction request for the dropped directives of the turn and adds the result to t. If the
// request fails, it adds only a note.
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
	// the correction must not call tools
	next.Tools, next.Params.Choice, next.Params.Parallel = []callwright.Tool{}, callwright.Choice{}, nil
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

// addKnownDirective registers a directive of the original response, so that an equal directive in the correction
// counts as a repetition.
func (r *Reader) addKnownDirective(d Directive) { r.isRepeated(d, 0) }

// renderAnswer returns the model's response as text for the correction request.
func renderAnswer(t *Turn) []byte {
	if text := strings.TrimSpace(t.Response.Text()); text != "" {
		return []byte(text)
	}
	return t.document()
}

// violations returns the text that lists the violations of the dropped directives. asked has their indexes in
// t.Dropped.
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

// take adds the text and the valid and dropped directives of read, the model's answer to a correction, to the turn. It
// returns an event for each. asked has the indexes of the dropped directives that the correction listed.
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
	if len(from.Directives) == len(asked) && !stillWrong { // one corrected directive for each dropped one
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

// follow appends the text of a correction to that of the turn, on a new line and without text that the turn already
// has. It returns the appended text.
func (t *Turn) follow(text string) string {
	later := latertext.Text{Note: func(n callwright.Note) { t.Notes = notes.Fold(t.Notes, n.Classify()) }}
	later.After(t.Text)
	text = later.Feed(strings.TrimSpace(text)) + later.Close()
	t.Text += text
	return text
}
