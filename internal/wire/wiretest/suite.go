package wiretest

import (
	"bytes"
	"errors"
	"flag"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/wire"
	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"
)

var update = flag.Bool("update", false, "write the golden files anew")

// A Suite is a codec and its test cases.
type Suite struct {
	Codec wire.Codec
	Dir   string // folder of the test cases
	// Open lists the paths, as in callwright.Edit, of request objects in which unknown members must survive decoding and
	// encoding. An empty path is the body itself. Nil skips that check.
	Open [][]string
}

// Run runs all test cases of the suite, each as a subtest.
func Run(t *testing.T, s Suite) {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(s.Dir, "*.txtar"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("expected cases in %s, got %d (%v)", s.Dir, len(paths), err)
	}
	for _, path := range paths {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			c, err := open(path)
			if err != nil {
				t.Fatal(err)
			}
			c.run(t, s)
		})
	}
}

// A caseFile is a test case of the suite, a txtar file.
type caseFile struct {
	path    string
	archive *txtar.Archive
}

func open(path string) (*caseFile, error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return &caseFile{path: path, archive: txtar.Parse(b)}, nil
}

func (c *caseFile) file(name string) []byte {
	for _, f := range c.archive.Files {
		if f.Name == name {
			return f.Data
		}
	}
	return nil
}

// body returns the content of a file in the test case without the newline at its end.
func (c *caseFile) body(name string) []byte { return bytes.TrimSuffix(c.file(name), []byte("\n")) }

func (c *caseFile) run(t *testing.T, s Suite) {
	t.Helper()
	switch {
	case c.file("request.json") != nil:
		testRequest(t, s, c)
	case c.file("response.json") != nil:
		testResponse(t, s, c)
	case c.file(streamName(s.Codec)) != nil:
		testStream(t, s, c)
	case c.file("error.json") != nil:
		testError(t, s, c)
	default:
		t.Fatalf("expected request.json, response.json, %s or error.json in %s", streamName(s.Codec), c.path)
	}
}

func streamName(c wire.Codec) string {
	if c.StreamsJSONLines() {
		return "stream.ndjson"
	}
	return "stream.sse"
}

// want compares got with the golden dump of the test case. With -update it writes got to the file instead.
func (c *caseFile) want(t *testing.T, got string) {
	t.Helper()
	if !*update {
		if diff := cmp.Diff(string(c.file("want")), got); diff != "" {
			t.Errorf("unexpected dump (-want +got):\n%s", diff)
		}
		return
	}
	for i, f := range c.archive.Files {
		if f.Name == "want" {
			c.archive.Files = append(c.archive.Files[:i], c.archive.Files[i+1:]...)
			break
		}
	}
	c.archive.Files = append(c.archive.Files, txtar.File{Name: "want", Data: []byte(got)})
	if err := os.WriteFile(c.path, txtar.Format(c.archive), 0o644); err != nil {
		t.Fatal(err)
	}
}

func asError(err error, e **callwright.Error) bool { return errors.As(err, e) }

func testResponse(t *testing.T, s Suite, c *caseFile) {
	t.Helper()
	body := c.body("response.json")
	resp, err := s.Codec.DecodeResponse(bytes.Clone(body))
	if err != nil {
		c.want(t, Error(err))
		return
	}
	c.want(t, Response(resp))
	if resp.Raw != nil {
		out, notes, err := s.Codec.EncodeResponse(nil, resp)
		if err != nil || len(notes) > 0 || !bytes.Equal(out, body) {
			t.Errorf("expected the raw answer back, got %s (notes %v, error %v)", out, notes, err)
		}
	}
	bare := *resp
	bare.Raw = nil
	out, _, err := s.Codec.EncodeResponse(nil, &bare)
	if err != nil {
		t.Fatalf("encode without raw: %v", err)
	}
	again, err := s.Codec.DecodeResponse(out)
	if err != nil {
		t.Fatalf("decode %s: %v", out, err)
	}
	if diff := cmp.Diff(dumpNormalized(resp), dumpNormalized(again)); diff != "" {
		t.Errorf("unexpected answer after another round (-first +second):\n%s\n%s", diff, out)
	}
}

// dumpNormalized returns the dump of a response without differences that encoding and decoding may cause: empty
// arguments become {}, extra members of reasoning are dropped, and the finish reason is normalized.
func dumpNormalized(r *callwright.Response) string {
	c := *r
	c.Finish = normalizeFinish(r.Finish)
	c.Parts = nil
	for _, p := range r.Parts {
		switch part := p.(type) {
		case callwright.Call:
			if part.Type == callwright.FunctionTool && len(part.Arguments) == 0 {
				part.Arguments = []byte("{}")
			}
			p = part
		case callwright.Reasoning:
			part.Extra = callwright.Extra{}
			p = part
		}
		c.Parts = append(c.Parts, p)
	}
	return dumpResponse(&c, false)
}

// normalizeFinish returns FinishStop for a finish reason that not every API can express.
func normalizeFinish(f callwright.Finish) callwright.Finish {
	switch f {
	case callwright.FinishMalformedCall, callwright.FinishError, callwright.FinishOther, callwright.FinishPause:
		return callwright.FinishStop
	}
	return f
}

func testError(t *testing.T, s Suite, c *caseFile) {
	t.Helper()
	status, header := head(t, c)
	err := s.Codec.DecodeError(status, header, c.body("error.json"))
	if err == nil {
		t.Fatal("expected an error, got nil")
	}
	c.want(t, Error(err))
	outStatus, outHeader, out := s.Codec.EncodeError(err)
	if outStatus < 400 || outStatus > 599 {
		t.Errorf("expected a status of 400 to 599, got %d", outStatus)
	}
	again := s.Codec.DecodeError(outStatus, outHeader, out)
	if again.Kind != err.Kind || again.Message != err.Message {
		t.Errorf("expected %s %q after another round, got %s %q from %s", err.Kind, err.Message, again.Kind, again.Message, out)
	}
	if (again.RetryAfter > 0) != (err.RetryAfter > 0) {
		t.Errorf("expected retry after %s to be passed on, got %v", err.RetryAfter, outHeader)
	}
}

// head returns the status and the headers of an error response from the file head of its test case.
func head(t *testing.T, c *caseFile) (int, http.Header) {
	t.Helper()
	lines := strings.Split(strings.TrimSpace(string(c.file("head"))), "\n")
	status, err := strconv.Atoi(strings.TrimSpace(lines[0]))
	if err != nil {
		t.Fatalf("expected a status in the first line of head: %v", err)
	}
	header := http.Header{}
	for _, line := range lines[1:] {
		name, value, _ := strings.Cut(line, ":")
		header.Add(name, strings.TrimSpace(value))
	}
	return status, header
}
