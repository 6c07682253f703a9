// Package replay plays recorded answers of providers, so that tests see the bytes that providers send.
//
// A recording is a txtar archive with these files, whose names may have a prefix where one archive holds several:
//
//	request.json   what was asked, in the provider's own wire
//	head           the status, then headers; without it 200 and the content type that the answer's name says
//	answer.json    a whole answer
//	answer.sse     a streamed one, answer.ndjson where the stream is lines of JSON
package replay

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"

	"golang.org/x/tools/txtar"
)

// An Answer is what a provider sent once.
type Answer struct {
	Status int
	Header http.Header
	Body   []byte
	Stream bool
}

// kinds are the content types of answers, by the names of their files.
var kinds = []struct {
	name, contentType string
	stream            bool
}{
	{"answer.json", "application/json", false},
	{"answer.sse", "text/event-stream", true},
	{"answer.ndjson", "application/x-ndjson", true},
}

// Answers returns the answers among the files whose names begin with prefix: whole, streamed or both.
func Answers(a *txtar.Archive, prefix string) ([]Answer, error) {
	var out []Answer
	head := File(a, prefix+"head")
	for _, k := range kinds {
		body := File(a, prefix+k.name)
		if body == nil {
			continue
		}
		answer := Answer{Status: http.StatusOK, Header: http.Header{"Content-Type": {k.contentType}}, Body: body, Stream: k.stream}
		if head != nil {
			if err := answer.read(string(head)); err != nil {
				return nil, fmt.Errorf("%shead: %w", prefix, err)
			}
		}
		out = append(out, answer)
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("no answer with the prefix %q", prefix)
	}
	return out, nil
}

// read reads a head.
func (a *Answer) read(head string) (err error) {
	status, headers, _ := strings.Cut(head, "\n")
	a.Status, err = strconv.Atoi(status)
	for line := range strings.Lines(headers) {
		name, value, _ := strings.Cut(line, ":")
		a.Header.Set(name, strings.TrimSpace(value))
	}
	return err
}

// Response returns the answer to req, as a transport gives it. through sees the bytes on their way; nil lets them pass. The
// request's body is read to its end.
func (a *Answer) Response(req *http.Request, through func(io.Reader) io.Reader) *http.Response {
	if req.Body != nil {
		_, _ = io.Copy(io.Discard, req.Body)
	}
	var body io.Reader = bytes.NewReader(a.Body)
	if through != nil {
		body = through(body)
	}
	return &http.Response{
		StatusCode: a.Status, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Header: a.Header.Clone(), Request: req,
		ContentLength: -1, Body: io.NopCloser(body),
	}
}

// File returns the content of a file in the archive, nil where there is none of that name.
func File(a *txtar.Archive, name string) []byte {
	for _, f := range a.Files {
		if f.Name == name {
			return f.Data
		}
	}
	return nil
}
