package provider

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/sse"
)

// Some servers send a stream for a complete response or the reverse, with a wrong Content-Type. The functions in this
// file therefore recognise the format of a response by its contents.

// isPage reports whether a response is an HTML page, as a web site or a proxy sends it. Some web frameworks declare
// JSON and events as text/html, so the body must also begin with "<".
func (a *response) isPage() bool {
	kind, _, _ := strings.Cut(a.Header.Get("Content-Type"), ";")
	if !strings.EqualFold(strings.TrimSpace(kind), "text/html") {
		return false
	}
	_, next := a.beginning()
	return next == '<'
}

// beginning returns a reader of the body after leading white space, and its first byte, 0 at the end of the body. The
// byte is not consumed.
func (a *response) beginning() (in *bufio.Reader, next byte) {
	in = bufio.NewReader(a.reader())
	a.again, a.ContentLength = in, -1 // leading white space is dropped
	for {
		first, err := in.Peek(1)
		if err != nil {
			return in, 0
		}
		if strings.IndexByte(" \t\r\n", first[0]) < 0 {
			return in, first[0]
		}
		_, _ = in.Discard(1)
	}
}

// isWhole reports whether the response to a streaming request is a complete response instead of a stream. It consumes
// only leading white space.
func (p *Provider) isWhole(a *response) bool {
	if !strings.HasPrefix(a.Header.Get("Content-Type"), "application/json") {
		return false
	}
	in, next := a.beginning()
	switch {
	case next != '{' && next != '[':
		head, _ := in.Peek(len("retry:"))
		return !eventLike(head)
	case !p.codec.StreamsJSONLines():
		return true
	}
	line, _ := in.ReadBytes('\n')
	a.again = io.MultiReader(bytes.NewReader(line), in)
	return jsonx.Valid(line) != nil
}

// eventLike reports whether a body begins like server-sent events.
func eventLike(body []byte) bool {
	for _, field := range []string{"data:", "event:", "id:", "retry:", ":"} {
		if bytes.HasPrefix(body, []byte(field)) {
			return true
		}
	}
	return false
}

// collectStream decodes a stream that the provider sent in place of a complete response. ok is false if body is not a
// stream.
func (r *Remote) collectStream(ctx context.Context, body []byte) (resp *callwright.Response, err error, ok bool) { //nolint:revive // ok says whether there is an err at all
	read := sse.NewReader
	switch lines := r.p.codec.StreamsJSONLines(); {
	case eventLike(body):
		if lines {
			return nil, nil, false
		}
	case lines && jsonx.IsObject(body) && jsonx.Valid(body) != nil:
		read = sse.NewLineReader
	default:
		return nil, nil, false
	}
	in, decoder := read(bytes.NewReader(body), sse.MaxEvent(len(body)+1)), r.p.codec.NewStreamDecoder()
	var all callwright.Collector
	var notes []callwright.Note
	for err == nil {
		if err = ctx.Err(); err != nil {
			break
		}
		var ev sse.Event
		var b callwright.Batch
		ev, err = in.Next()
		ended := err == io.EOF
		switch {
		case ended:
			b, err = decoder.Close()
		case err == nil:
			b, err = decoder.Feed(ev)
		}
		for _, ev := range b.Events {
			all.Add(ev)
		}
		notes = append(notes, b.Notes...)
		if ended {
			resp := all.Response()
			if len(notes) > 0 {
				resp.Report = &callwright.Report{Notes: notes}
			}
			return resp, err, true
		}
	}
	return nil, err, true
}
