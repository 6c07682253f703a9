package gateway_test

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"golang.org/x/tools/txtar"

	"github.com/callwright/callwright/internal/trace"
)

// A recordedAnswer is what a provider sent once.
type recordedAnswer struct {
	trace.Received
	stream bool
}

// answerFiles are the content types of answers, by the names of their files.
var answerFiles = []struct {
	name, contentType string
	stream            bool
}{
	{"answer.json", "application/json", false},
	{"answer.sse", "text/event-stream", true},
	{"answer.ndjson", "application/x-ndjson", true},
}

// answersIn returns the answers of an archive, whole, streamed or both, whose files have names that begin with prefix:
//
//	request.json   what was asked, in the provider's own wire
//	head           the status, then headers; without it 200 and the content type that the answer's name says
//	answer.json    a whole answer
//	answer.sse     a streamed one, answer.ndjson where the stream is lines of JSON
func answersIn(a *txtar.Archive, prefix string) ([]recordedAnswer, error) {
	var out []recordedAnswer
	head := fileOf(a, prefix+"head")
	for _, f := range answerFiles {
		body := fileOf(a, prefix+f.name)
		if body == nil {
			continue
		}
		answer := recordedAnswer{trace.Received{Status: http.StatusOK, Header: http.Header{"Content-Type": {f.contentType}}, Body: body}, f.stream}
		if head != nil {
			if err := answer.readHead(string(head)); err != nil {
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

func (a *recordedAnswer) readHead(head string) (err error) {
	status, headers, _ := strings.Cut(head, "\n")
	a.Status, err = strconv.Atoi(status)
	for line := range strings.Lines(headers) {
		name, value, _ := strings.Cut(line, ":")
		a.Header.Set(name, strings.TrimSpace(value))
	}
	return err
}

// fileOf returns the content of a file in the archive, nil where there is none of that name.
func fileOf(a *txtar.Archive, name string) []byte {
	for _, f := range a.Files {
		if f.Name == name {
			return f.Data
		}
	}
	return nil
}
