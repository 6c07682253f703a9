package simulate

import (
	"net/http"
	"slices"
	"time"
	"unicode/utf8"
)

// A frame is one event of a stream. If name is empty, the event has no "event:" line.
type frame struct{ name, data string }

// A framing is the stream format: server-sent events, JSON lines or a JSON array.
type framing struct {
	contentType         string
	open, between, shut string
	event               func(dst []byte, f frame) []byte
}

var (
	asEvents = framing{contentType: "text/event-stream; charset=utf-8", event: func(dst []byte, f frame) []byte {
		if f.name != "" {
			dst = append(append(append(dst, "event: "...), f.name...), '\n')
		}
		return append(append(append(dst, "data: "...), f.data...), '\n', '\n')
	}}
	asLines = framing{contentType: "application/x-ndjson", event: func(dst []byte, f frame) []byte {
		return append(append(dst, f.data...), '\n')
	}}
	asArray = framing{contentType: "application/json; charset=UTF-8", open: "[", between: ",\r\n", shut: "]\n",
		event: func(dst []byte, f frame) []byte { return append(dst, f.data...) }}
)

// append appends the opening bracket or separator and the event all[i] to dst.
func (f framing) append(dst []byte, all []frame, i int) []byte {
	if i == 0 {
		dst = append(dst, f.open...)
	} else {
		dst = append(dst, f.between...)
	}
	return f.event(dst, all[i])
}

// stream writes the frames one by one. If a fault cuts the response, it then aborts the connection.
func (s *Server) stream(w http.ResponseWriter, r *http.Request, a *response, frames []frame) {
	form := a.wire.framing(&a.seen)
	w.Header().Set("Content-Type", form.contentType)
	w.Header().Set("Cache-Control", "no-cache")
	w.Header().Set("X-Request-Id", a.id("req_"))
	w.WriteHeader(http.StatusOK)
	out := http.NewResponseController(w)
	var buf []byte
	for i := range frames {
		if i > 0 && (!s.wait(r) || !s.latency.sleep(r.Context(), s.latency.Token, a.luck, i)) {
			return
		}
		buf = form.append(buf[:0], frames, i)
		if i == len(frames)-1 && !a.cut && !a.stall {
			buf = append(buf, form.shut...)
		}
		for _, part := range a.writes(buf) {
			if _, err := w.Write(part); err != nil {
				return
			}
			_ = out.Flush() // ignore: a recorder in a test may not support Flush
		}
	}
	if a.stall {
		<-r.Context().Done() // until the client disconnects
	}
	if a.cut {
		panic(http.ErrAbortHandler)
	}
}

// badEvent is the data of an event with truncated JSON, as an interrupted server leaves it.
const badEvent = `{"id":"chatcmpl-`

// wait waits for the pause between events. It returns false if the client disconnected.
func (s *Server) wait(r *http.Request) bool {
	if s.pause <= 0 {
		return r.Context().Err() == nil
	}
	t := time.NewTimer(s.pause)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-r.Context().Done():
		return false
	}
}

// frames returns the events of a streamed response, with the effects of faults that break the stream.
func (a *response) frames() []frame {
	all := a.wire.stream(a)
	half := min(len(all), max(2, len(all)/2))
	switch {
	case a.badLine:
		return slices.Insert(all, half, frame{name: all[half-1].name, data: badEvent})
	case !a.cut && !a.stall && a.inband == nil:
		return all
	}
	all = all[:half]
	if a.inband != nil {
		all = append(all, a.wire.inband(a.inband, len(all)))
	}
	return all
}

// writes splits an event into the byte slices of separate writes. Without splitBytes there is one; with splitBytes,
// every multi-byte character is split across two writes.
func (a *response) writes(event []byte) [][]byte {
	if !a.splitBytes {
		return [][]byte{event}
	}
	var out [][]byte
	start := 0
	for i, b := range event {
		if utf8.RuneStart(b) && b >= utf8.RuneSelf {
			out = append(out, event[start:i+1])
			start = i + 1
		}
	}
	return append(out, event[start:])
}

// pieces splits text into pieces of about n bytes that end at character boundaries.
func pieces(s string, n int) []string {
	var out []string
	for len(s) > n {
		cut := n
		for cut < len(s) && !utf8.RuneStart(s[cut]) {
			cut++
		}
		out, s = append(out, s[:cut]), s[cut:]
	}
	if s != "" {
		out = append(out, s)
	}
	return out
}

// textPieces splits visible text into deltas. With splitRunes, every multi-byte character is split across two deltas.
func (a *response) textPieces(s string) []string {
	if !a.splitRunes {
		return pieces(s, a.piece)
	}
	var out []string
	start := 0
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf && utf8.RuneStart(s[i]) {
			out = append(out, s[start:i+1])
			start = i + 1
		}
	}
	return append(out, s[start:])
}
