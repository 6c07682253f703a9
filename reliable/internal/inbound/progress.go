package inbound

import (
	"slices"
	"strings"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/callkey"
	"github.com/callwright/callwright/internal/progress"
)

// underWay describes the incomplete call, for progress reports.
type underWay struct {
	tool   *string // declared tool name, nil while unknown
	offset int     // offset of the call's markup in the text
	bytes  int     // size of its arguments or markup so far
	native bool    // it is a native call
	thinks bool    // the latest text is reasoning
}

// track reports a batch to the request's Progress.
func (a *Answer) track(b *callwright.Batch) {
	part := progress.Part{}
	for _, ev := range b.Events {
		switch ev := ev.(type) {
		case callwright.TextDelta:
			part.State, part.Received = progress.Text, part.Received+len(ev.Text)
		case callwright.ReasoningDelta:
			part.State, part.Received = progress.Thinking, part.Received+len(ev.Text)
		case callwright.CallBegin:
			a.underWay = underWay{tool: a.declaredName(ev.Name), native: true}
			part.State = progress.Holding
		case callwright.CallDelta:
			a.underWay.bytes += len(ev.Text)
			part.State, part.Received = progress.Holding, part.Received+len(ev.Text)
		case callwright.CallEnd:
			part.State = progress.Holding
		}
	}
	switch {
	case part.State == progress.Text && a.holdsText():
		part.State, part.Tool, part.Bytes = progress.Holding, a.underWay.tool, a.underWay.bytes
	case part.State == progress.Text && a.underWay.thinks:
		part.State = progress.Thinking
	case part.State == progress.Holding:
		part.Tool, part.Bytes = a.underWay.tool, a.underWay.bytes
		if n := a.nativeCalls.open; a.Setup.Passthrough || n != nil && n.streamed {
			part.State = progress.Calling
		}
	}
	var now time.Time
	if !b.More {
		now = time.Now()
	}
	a.Setup.Progress.Record(part, now)
}

// holdsText reports whether text is buffered because it is, or may contain, a call.
func (a *Answer) holdsText() bool {
	w := &a.underWay
	if t := &a.reader; t.document && len(t.doc) > 0 {
		if w.tool == nil && w.bytes < nameWithin {
			w.tool = a.declaredName(writtenName(string(t.doc[:min(len(t.doc), nameWithin)])))
		}
		w.bytes, w.native = len(t.doc), false
	}
	return !w.native && w.bytes > 0
}

// nameWithin is the number of bytes of a call's text that are searched for the tool name.
const nameWithin = 512

// HoldsCall receives the buffered text of a call from the scanner, see Watch in dialect.Options. text is "" if no call
// is buffered.
func (a *Answer) HoldsCall(offset int, name, text string) {
	w := &a.underWay
	if text == "" || w.native || offset != w.offset { // a different call, or none
		*w = underWay{offset: offset, thinks: w.thinks}
	}
	if text == "" {
		return
	}
	before := w.bytes
	if w.bytes = len(text); w.tool != nil || before >= nameWithin && name == "" {
		return
	}
	if name == "" {
		name = writtenName(text[:min(len(text), nameWithin)])
	}
	w.tool = a.declaredName(name)
}

// declaredName returns the declared tool name for a written name, nil if it is not declared.
func (a *Answer) declaredName(written string) *string {
	if written == "" {
		return nil
	}
	if tg, _, ok := a.Setup.Toolset.ResolveTool(a.Setup.Toolset.Naming.DeclaredName(written)); ok && tg != nil {
		return &tg.Tool.Name
	}
	return nil
}

// writtenName returns the value of the first member with a name in [callkey.Names] of a JSON text, which may be
// incomplete. It returns "" if there is none.
func writtenName(text string) string {
	for {
		key, rest, ok := nextString(text)
		if !ok {
			return ""
		}
		text = rest
		if rest = strings.TrimLeft(rest, " \t\r\n"); !strings.HasPrefix(rest, ":") || !slices.Contains(callkey.Names, key) {
			continue
		}
		if rest = strings.TrimLeft(rest[1:], " \t\r\n"); rest == "" || rest[0] != '"' && rest[0] != '\'' {
			continue
		}
		name, _, _ := nextString(rest)
		return name
	}
}

// nextString returns the next quoted string of text without decoding it, and the text after it. ok is false if there
// is no complete string.
func nextString(text string) (s, rest string, ok bool) {
	at := strings.IndexAny(text, `"'`)
	if at < 0 {
		return "", "", false
	}
	for i := at + 1; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case text[at]:
			return text[at+1 : i], text[i+1:], true
		}
	}
	return "", "", false
}
