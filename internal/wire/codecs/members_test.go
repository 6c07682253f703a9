package codecs_test

import (
	"bytes"
	"regexp"
	"slices"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/wire"
	"github.com/callwright/callwright/internal/wire/codecs"
	"github.com/callwright/callwright/internal/wire/wiretest"
	"golang.org/x/tools/txtar"
)

// rewritten are the forms in which an answer is written anew for a client of its own wire: from a whole answer and from a stream, as
// either.
func rewritten(t *testing.T, c wire.Codec, answer, stream []byte) map[string][]byte {
	t.Helper()
	resp, err := c.DecodeResponse(bytes.Clone(answer))
	if err != nil {
		t.Fatalf("%s: %v", c.Name(), err)
	}
	resp.Raw = nil
	pieces := wiretest.Decode(c, bytes.NewReader(stream))
	if pieces.Err != nil {
		t.Fatalf("%s: %v", c.Name(), pieces.Err)
	}
	events := pieces.Events
	var joined callwright.Collector
	for _, ev := range events {
		joined.Add(ev)
	}
	return map[string][]byte{"whole": encoded(t, c, resp), "whole as a stream": wiretest.Encode(c, resp.Events()),
		"stream": wiretest.Encode(c, events), "stream made whole": encoded(t, c, joined.Response())}
}

var unknownMember = regexp.MustCompile(`"(x_[a-z]+|caller)"`)

// An answer that is written anew for a client of its own wire, whole and streamed, keeps the members that only that wire knows: of its
// calls, such as who calls, and those beside them.
func TestAnswersKeepTheirMembers(t *testing.T) {
	files, err := txtar.ParseFile("testdata/members.txtar")
	if err != nil {
		t.Fatal(err)
	}
	file := func(name string) []byte {
		i := slices.IndexFunc(files.Files, func(f txtar.File) bool { return f.Name == name })
		if i < 0 {
			t.Fatalf("no %s", name)
		}
		return files.Files[i].Data
	}
	for _, c := range codecs.All() {
		whole := file(string(c.Name()) + ".json")
		for form, out := range rewritten(t, c, whole, file(string(c.Name())+".stream")) {
			for _, member := range unknownMember.FindAll(whole, -1) {
				if !bytes.Contains(out, member) {
					t.Errorf("%s, %s: %s is lost in %s", c.Name(), form, member, out)
				}
			}
		}
	}
}
