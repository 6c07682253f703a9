package wiretest

import (
	"bytes"
	"net/http"
	"path/filepath"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/companion"
	"github.com/callwright/callwright/internal/jsonx"
)

// Fuzz feeds the codec with mutations of the suite's test cases. It checks that nothing panics, that every encoded body
// is valid JSON, and that every stream ends with an End event or an error.
func Fuzz(f *testing.F, s Suite) {
	paths, _ := filepath.Glob(filepath.Join(s.Dir, "*.txtar"))
	for _, path := range paths {
		c, err := open(path)
		if err != nil {
			f.Fatal(err)
		}
		for _, name := range []string{"request.json", "response.json", streamName(s.Codec), "error.json"} {
			if b := c.body(name); b != nil {
				f.Add(b)
			}
		}
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		fuzzRequest(t, s, bytes.Clone(b))
		fuzzAnswer(t, s, bytes.Clone(b))
	})
}

func fuzzRequest(t *testing.T, s Suite, b []byte) {
	req, err := s.Codec.DecodeRequest(b)
	if err != nil {
		if callwright.KindOf(err) != callwright.KindInvalid {
			t.Errorf("expected kind %s, got %v", callwright.KindInvalid, err)
		}
		return
	}
	Request(req)
	out, _, err := s.Codec.EncodeRequest(req, otherModel, caps.Caps{})
	if err == nil {
		mustBeJSON(t, out)
	}
	built := *req
	built.Messages, _ = req.History()
	built.Tools, _ = req.DeclaredTools()
	companion.Change(&built, func(c *companion.Companion) { c.Body = nil })
	if out, _, err = s.Codec.EncodeRequest(&built, otherModel, caps.Caps{}); err == nil {
		mustBeJSON(t, out)
	}
}

func fuzzAnswer(t *testing.T, s Suite, b []byte) {
	resp, err := s.Codec.DecodeResponse(b)
	if (resp == nil) == (err == nil) {
		t.Errorf("expected an answer or an error, got %v and %v", resp, err)
	}
	if err == nil {
		resp.Raw = nil
		if out, _, err := s.Codec.EncodeResponse(nil, resp); err == nil {
			mustBeJSON(t, out)
		}
	}
	stream := Decode(s.Codec, bytes.NewReader(b))
	checkOrder(t, stream.Events)
	EncodeBatches(s.Codec, stream.Batches)
	Encode(s.Codec, stream.Events)
	e := s.Codec.DecodeError(http.StatusBadRequest, http.Header{}, b)
	_, _, out := s.Codec.EncodeError(e)
	mustBeJSON(t, out)
}

func mustBeJSON(t *testing.T, b []byte) {
	t.Helper()
	if err := jsonx.Valid(b); err != nil {
		t.Errorf("expected JSON, got %v: %q", err, b)
	}
}

// checkOrder checks the order of events: one Begin first, one call at a time, nothing after End.
func checkOrder(t *testing.T, events []callwright.Event) {
	t.Helper()
	begun, ended, open, next := false, false, false, 0
	for _, ev := range events {
		if ended {
			t.Errorf("expected nothing after End, got %#v", ev)
		}
		switch ev := ev.(type) {
		case callwright.Begin:
			if begun {
				t.Error("expected one Begin")
			}
			begun = true
		case callwright.CallBegin:
			if open || ev.Index != next {
				t.Errorf("expected call %d to begin alone, got %d (open %t)", next, ev.Index, open)
			}
			open = true
		case callwright.CallDelta:
			if !open || ev.Index != next {
				t.Errorf("expected a piece of call %d, got %#v", next, ev)
			}
		case callwright.CallEnd:
			if !open || ev.Index != next {
				t.Errorf("expected the end of call %d, got %#v", next, ev)
			}
			open, next = false, next+1
		case callwright.End:
			ended = true
			if open {
				t.Error("expected no open call at the end")
			}
		}
		if !begun {
			t.Errorf("expected Begin first, got %#v", ev)
		}
	}
}
