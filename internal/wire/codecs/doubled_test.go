package codecs_test

import (
	"bytes"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/wire"
	"github.com/callwright/callwright/internal/wire/codecs"
	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"
	"pgregory.net/rapid"
)

// A drawnRequest is a request of a wire's own cases that is read without an error.
type drawnRequest struct {
	name string
	wire wire.Codec
	body []byte
}

func requestCases(t *testing.T) (cases []drawnRequest) {
	t.Helper()
	for _, c := range codecs.All() {
		paths, _ := filepath.Glob(filepath.Join("..", string(c.Name()), "testdata", "request*.txtar"))
		for _, path := range paths {
			a, err := txtar.ParseFile(path)
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range a.Files {
				if f.Name != "request.json" {
					continue
				}
				if _, err := c.DecodeRequest(f.Data); err == nil {
					cases = append(cases, drawnRequest{path, c, bytes.TrimSpace(f.Data)})
				}
			}
		}
	}
	if len(cases) < 5*len(codecs.All()) {
		t.Fatalf("found %d requests", len(cases))
	}
	return cases
}

// objectsIn are the objects in a value that have members, by their JSON pointers.
func objectsIn(v []byte, pointer string, visit func(pointer string, object []byte)) {
	n, members := 0, 0
	for k, in := range jsonx.Members(v) {
		if members++; members == 1 {
			visit(pointer, v)
		}
		objectsIn(in, pointer+"/"+jsonx.EscapeToken(k.String()), visit)
	}
	for e := range jsonx.Elements(v) {
		objectsIn(e, fmt.Sprintf("%s/%d", pointer, n), visit)
		n++
	}
}

// ofPrograms are places inside what a tool is called with or gives, and inside schemas: the members there are no API's.
var ofPrograms = regexp.MustCompile(`^/format/|^/\w+/.*?\b(arguments|args|input|action|operation|parameters|response|input_examples|\w*[sS]chema)/`)

// spellings are the names by which an API knows a member.
func spellings(of callwright.WireName, name string) []string {
	list := []string{string(jsonx.AppendQuote(nil, name)), fmt.Sprintf(`"\u%04x%s`, name[0], jsonx.AppendQuote(nil, name[1:])[1:])}
	if snake := regexp.MustCompile(`[A-Z]`).ReplaceAllStringFunc(name, func(c string) string { return "_" + strings.ToLower(c) }); of == callwright.WireGemini && snake != name {
		list = append(list, `"`+snake+`"`)
	}
	return list
}

// A request in which a member of the API's stands twice, at any place and in any spelling, is refused with the place of the second. Data
// goes through as it came.
func TestMembersThatStandTwice(t *testing.T) {
	cases := requestCases(t)
	rapid.Check(t, func(t *rapid.T) {
		c := cases[rapid.IntRange(0, len(cases)-1).Draw(t, "case")]
		var pointers []string
		var objects [][]byte
		objectsIn(c.body, "", func(pointer string, object []byte) {
			pointers, objects = append(pointers, pointer), append(objects, object)
		})
		i := rapid.IntRange(0, len(objects)-1).Draw(t, "object")
		members, err := jsonx.ParseObject(objects[i])
		if err != nil {
			t.Fatal(err)
		}
		from := rapid.SampledFrom(members).Draw(t, "member")
		if from.Key == "" || from.Key[0] >= 0x80 {
			return
		}
		name := rapid.SampledFrom(spellings(c.wire.Name(), from.Key)).Draw(t, "spelling")
		value := rapid.SampledFrom([]string{string(from.Value), `"x"`, `null`, `[]`, `{}`, `[{"type":"text","text":"y"}]`}).Draw(t, "value")
		start, end := jsonx.Span(c.body, objects[i])
		second, at, text := jsonx.Key(name).String(), end-1, ","+name+":"+value
		if rapid.Bool().Draw(t, "in front") {
			second, at, text = from.Key, start+1, name+":"+value+","
		}
		doubled := jsonx.Splice(nil, c.body, jsonx.Edit{Start: at, End: at, New: []byte(text)})
		place := pointers[i] + "/" + jsonx.EscapeToken(second)
		req, err := c.wire.DecodeRequest(doubled)
		if !ofPrograms.MatchString(place) {
			if e := errorOf(err); e.Kind != callwright.KindInvalid || e.Path != place || e.Message != "expected each member once, got it twice" {
				t.Fatalf("%s: expected %s to be refused, got %v\n%s", c.name, place, err, doubled)
			}
			return
		}
		was, _ := c.wire.DecodeRequest(c.body)
		if err != nil {
			t.Fatalf("%s: %v\n%s", c.name, err, doubled)
		}
		if d := cmp.Diff(was.Body.Summaries(), req.Body.Summaries()); d != "" {
			t.Errorf("%s: (-want +got)\n%s", c.name, d)
		}
		if out, _, err := c.wire.EncodeRequest(req, string(req.Model), caps.Caps{}); err != nil || !bytes.Equal(out, doubled) {
			t.Errorf("%s: expected\n%s\ngot %v\n%s", c.name, doubled, err, out)
		}
	})
}

func errorOf(err error) callwright.Error {
	if e, ok := err.(*callwright.Error); ok {
		return *e
	}
	return callwright.Error{}
}

// The elements of lists that stand twice are counted as often as they stand there.
func TestExceedsCountsListsThatStandTwice(t *testing.T) {
	count := func(body string) (n codecs.Size) {
		const none = 1 << 30
		for _, limit := range []struct {
			n    *int
			most func(n int) codecs.Size
		}{
			{&n.Messages, func(n int) codecs.Size { return codecs.Size{Messages: n, Parts: none, Tools: none} }},
			{&n.Parts, func(n int) codecs.Size { return codecs.Size{Messages: none, Parts: n, Tools: none} }},
			{&n.Tools, func(n int) codecs.Size { return codecs.Size{Messages: none, Parts: none, Tools: n} }},
		} {
			for exceeds := true; exceeds; *limit.n++ {
				_, _, exceeds = codecs.Exceeds([]byte(body), limit.most(*limit.n))
			}
		}
		return n
	}
	list := regexp.MustCompile(`("\w+"):\[%s\]`)
	for name, shapes := range listsOf {
		for _, shape := range shapes {
			once, twice := fmt.Sprintf(shape, `{},{},{},{}`), strings.ReplaceAll(list.ReplaceAllString(shape, `$1:[%s],$1:[%s]`), "%s", `{},{}`)
			if want, got := count(once), count(twice); want != got {
				t.Errorf("%s: expected %+v, got %+v in %s", name, want, got, twice)
			}
		}
	}
}
