package steps

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"slices"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/conversation"
	"github.com/callwright/callwright/internal/dashboard/internal/inplace"
	"github.com/callwright/callwright/internal/provider"
	"github.com/callwright/callwright/internal/trace"
	"github.com/callwright/callwright/internal/wire/codecs"
)

// MostAnswers is the maximum number of shown provider responses of one request.
const MostAnswers = 20

// Steps describes how one request was answered: the provider responses, the changes of the answer, and the response to
// the client.
type Steps struct {
	Answers  []Answer            // provider responses, in order
	More     int                 // number of responses that are not shown
	Mended   []callwright.Note   // notes about changes of the answer
	Before   []callwright.Note   // notes about changes of the request
	Report   *callwright.Report  // nil if there is none
	End      bool                // the request has ended
	Calls    []callwright.Call   // valid calls of a request that failed later
	Failed   *callwright.Error   // nil if it was answered
	Streamed bool                // the answer was streamed
	Form     callwright.WireName // format of Sent: the client's API; "" for the vocabulary
	Sent     string              // the whole answer, even if it was streamed
	Stream   string              // bytes of the stream to the client, if they are the provider's unchanged bytes
}

// An Answer is one provider response of a request.
type Answer struct {
	Title   string
	Attempt *callwright.Attempt // its attempt; nil if unknown
	Raw     inplace.Text        // response body, with the changes marked
	Found   []inplace.Text      // parts of the decoded response
	Problem string              // why the response could not be decoded
}

// Of returns the Steps of a request. entries are its trace entries, in order.
func Of(ctx context.Context, entries []trace.Entry) *Steps {
	s := &Steps{}
	var asked, end *trace.Entry
	var received []*trace.Entry
	for i := range entries {
		switch e := &entries[i]; e.Kind {
		case trace.KindRequest:
			asked = e
		case trace.KindReceived:
			received = append(received, e)
		case trace.KindAnswer, trace.KindError:
			end = e
		}
	}
	if end != nil {
		s.readResult(asked, end, received)
	}
	var notes []callwright.Note
	if s.Report != nil {
		notes = s.Report.Notes
	}
	for _, n := range notes {
		if slices.Contains(ofRequest, n.Stage) {
			s.Before = append(s.Before, n)
		} else {
			s.Mended = append(s.Mended, n)
		}
	}
	shown := received[:min(len(received), MostAnswers)]
	s.More = len(received) - len(shown)
	attempts := s.attempts(len(received))
	for i, e := range shown {
		a := answerOf(ctx, e, notes)
		if attempts != nil {
			a.Attempt = attempts[i]
		}
		s.Answers = append(s.Answers, a)
	}
	return s
}

// ofRequest are the stages that change a request.
var ofRequest = []callwright.Stage{callwright.StagePlan, callwright.StageOutbound, callwright.StageEncode, callwright.StageTransport}

// attempts returns the attempt of each of n responses, nil if they cannot be assigned.
func (s *Steps) attempts(n int) []*callwright.Attempt {
	if s.Report == nil {
		return nil
	}
	var out []*callwright.Attempt
	for i := range s.Report.Attempts {
		a := &s.Report.Attempts[i]
		for range max(a.Tries, 1) {
			out = append(out, a)
		}
	}
	if len(out) != n {
		return nil
	}
	return out
}

// readResult reads the answer or the error of the request.
func (s *Steps) readResult(asked, end *trace.Entry, received []*trace.Entry) {
	s.End, s.Failed, s.Streamed = true, end.Failure, end.Streamed
	resp, err := end.Response()
	if err != nil {
		resp = nil
		if !end.Redacted {
			s.Sent = err.Error()
		}
	}
	switch {
	case resp != nil && resp.Report != nil:
		s.Report = resp.Report
	case s.Failed != nil && s.Failed.Report != nil:
		s.Report = s.Failed.Report
	default:
		s.Report = &callwright.Report{ID: end.ID, Notes: end.Notes}
	}
	if resp != nil {
		for _, p := range resp.Parts {
			if c, ok := p.(callwright.Call); ok {
				s.Calls = append(s.Calls, c)
			}
		}
	}
	if resp != nil && end.RawReceived && !end.Streamed && len(received) > 0 {
		if r, err := received[len(received)-1].ProviderAnswer(); err == nil {
			resp.Raw = &callwright.Raw{Wire: r.Wire, Bytes: r.Body}
		}
	}
	if asked != nil && !end.Redacted {
		s.send(asked, resp, end.Streamed)
		if end.Streamed && s.Failed == nil && s.Report.Untouched && len(received) > 0 {
			s.stream(asked, received[len(received)-1])
		}
	}
}

// stream sets Stream if the client received the provider's bytes unchanged.
func (s *Steps) stream(asked, last *trace.Entry) {
	if r, err := last.ProviderAnswer(); err == nil && r.Wire == asked.Wire && r.Whole() {
		s.Stream = string(r.Body)
	}
}

// send sets Sent to the response in the format of the client's API.
func (s *Steps) send(asked *trace.Entry, resp *callwright.Response, streamed bool) {
	codec, ok := codecs.Of(asked.Wire)
	if !ok {
		s.ownForm(resp)
		return
	}
	s.Form = asked.Wire
	if s.Failed != nil {
		status, _, body := codec.EncodeError(s.Failed)
		if s.Sent = fmt.Sprintf("status %d %s\n%s", status, http.StatusText(status), inplace.Pretty(body)); !streamed || resp == nil {
			return
		}
		if begun, err := encodeAnswer(codec, asked, resp); err == nil { // the status had already been sent
			s.Sent = fmt.Sprintf("status 200 OK\n%s\n\nthen, in the stream:\n%s", begun, inplace.Pretty(body))
		}
		return
	}
	if resp == nil {
		return
	}
	var err error
	if s.Sent, err = encodeAnswer(codec, asked, resp); err != nil {
		s.Sent = err.Error()
	}
}

// An encoder is the part of a codec that encodes responses.
type encoder interface {
	DecodeRequest(body []byte) (*callwright.Request, error)
	EncodeResponse(req *callwright.Request, resp *callwright.Response) ([]byte, []callwright.Note, error)
}

// encodeAnswer returns a response as indented JSON in the format of the client's API.
func encodeAnswer(codec encoder, asked *trace.Entry, resp *callwright.Response) (string, error) {
	var req *callwright.Request
	if asked.Body != nil {
		req, _ = codec.DecodeRequest(asked.Body) // nil means an unknown request
	}
	bare := *resp
	bare.Report = nil
	body, _, err := codec.EncodeResponse(req, &bare)
	return inplace.Pretty(body), err
}

// ownForm sets Sent for a request made by the program itself, in the format of package conversation.
func (s *Steps) ownForm(resp *callwright.Response) {
	switch {
	case s.Failed != nil:
		s.Sent = s.Failed.Error()
	case resp != nil:
		bare := *resp
		bare.Raw, bare.Report = nil, nil
		if body, err := conversation.MarshalResponse(&bare); err == nil {
			s.Sent = inplace.Pretty(body)
		}
	}
}

// answerOf returns the view of a provider response.
func answerOf(ctx context.Context, e *trace.Entry, notes []callwright.Note) Answer {
	r, err := e.ProviderAnswer()
	if err != nil {
		return Answer{Problem: err.Error()}
	}
	a := Answer{Title: fmt.Sprintf("status %d", r.Status)}
	if r.Status == 0 {
		a.Title = "no answer"
	}
	switch {
	case r.Skipped > 0:
		a.Title = provider.SkipMessage(r.Kind, r.Skipped)
		return a
	case e.Redacted:
		a.Problem = "the content was removed when this trace was recorded"
		return a
	case r.Withheld:
		a.Problem = "the answer is not recorded because it is about the key"
		return a
	}
	if r.Broken != "" {
		a.Title += ", " + r.Broken
	}
	if missing := r.Size - int64(len(r.Body)); missing > 0 {
		a.Title += fmt.Sprintf(", %d bytes were not recorded", missing)
	}
	a.Raw = inplace.MarkChanges(cmp.Or(r.Header.Get("Content-Type"), "bytes"), inplace.Pretty(r.Body), notes)
	resp, err := decode(ctx, r)
	if err != nil {
		a.Problem = err.Error()
	}
	if resp != nil {
		a.Found = Parts(resp.Parts, notes)
	}
	return a
}
