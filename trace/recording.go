package trace

import (
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/conversation"
)

// A recording is one request that is under way.
type recording struct {
	w     *Writer
	req   *callwright.Request // as the model gets it
	id    string
	began time.Time
}

// end records a whole answer, or the error in its place.
func (a *recording) end(resp *callwright.Response, err error) {
	if err != nil {
		a.put(Entry{Kind: KindError, Failure: errorOf(err)}, nil)
		return
	}
	a.put(Entry{Kind: KindAnswer}, resp)
}

// put writes the last entry of the request, with an answer where there is one.
func (a *recording) put(e Entry, resp *callwright.Response) {
	e.ID, e.Duration = a.id, a.w.now().Sub(a.began)
	if a.w.redacted {
		e, resp = sizesOnly(e), responseSizes(resp)
	}
	if resp != nil {
		form, err := conversation.MarshalResponse(resp)
		if err != nil {
			a.w.keep(err)
			return
		}
		e.Data = form
	}
	_ = a.w.put(e)
}

// A stream is a recording whose answer comes as events.
type stream struct {
	*recording
	collected callwright.Collector
	raw       *callwright.Raw // the bytes of its frames
	notes     []callwright.Note
	any       bool // an event of the answer has come
	ended     bool
	err       error
}

// take takes the next event, or the error that ends the stream.
func (s *stream) take(ev callwright.Event, err error) {
	if err != nil {
		s.err = err
		return
	}
	switch ev := ev.(type) {
	case callwright.Frame:
		if s.raw == nil {
			s.raw = &callwright.Raw{Wire: ev.Wire}
		}
		s.raw.Bytes = append(s.raw.Bytes, ev.Bytes...)
		return
	case callwright.Flush, callwright.KeepAlive:
		return
	case callwright.Noted:
		s.notes = append(s.notes, ev.Note)
		return
	case callwright.Done:
		if ev.Report == nil {
			return
		}
	case callwright.End:
		s.ended = true
	}
	s.any = true
	s.collected.Add(ev)
}

// end records what was read of the stream.
func (s *stream) end() {
	e := Entry{Kind: KindAnswer, Streamed: true, Partial: !s.ended}
	if s.err != nil {
		e.Kind, e.Failure = KindError, errorOf(s.err)
	}
	var resp *callwright.Response
	if s.any || s.err == nil {
		resp = s.collected.Response()
		resp.Raw = s.raw
		if resp.Report == nil {
			e.Notes = s.notes
		}
	}
	s.put(e, resp)
}
