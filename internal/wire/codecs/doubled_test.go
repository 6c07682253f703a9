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
	"github.com/callwright/callwright/internal/companion"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/wire"
	"github.com/callwright/callwright/internal/wire/codecs"
	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"
)

// A savedRequest is a request of a wire's own cases that is read without an error.
type savedRequest struct {
	name string
	wire wire.Codec
	body []byte
}

func requestCases(t *testing.T) (cases []savedRequest) {
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
					cases = append(cases, savedRequest{path, c, bytes.TrimSpace(f.Data)})
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

// strangers are members that no API knows, more than are compared as they stand.
const strangers = `"x1":1,"x2":2,"x3":3,"x4":4,"x5":5,"x6":6,"x7":7,"x8":8,"x9":9,`

// A request in which a member of the API's stands twice, at any place and in any spelling, is refused with the place of the second. Data
// goes through as it came.
func TestMembersThatStandTwice(t *testing.T) {
	values, n := []string{"", `"x"`, `null`, `[]`, `{}`, `[{"type":"text","text":"y"}]`}, 0
	for _, c := range requestCases(t) {
		objectsIn(c.body, "", func(pointer string, object []byte) {
			start, end := jsonx.Span(c.body, object)
			for k, v := range jsonx.Members(object) {
				if name := k.String(); name != "" && name[0] < 0x80 {
					for _, spelled := range spellings(c.wire.Name(), name) {
						value := values[n%len(values)]
						if n++; value == "" {
							value = string(v)
						}
						c.doubled(t, pointer, name, jsonx.Edit{Start: start + 1, End: start + 1, New: []byte(spelled + ":" + value + ",")})
						c.doubled(t, pointer, jsonx.Key(spelled).String(), jsonx.Edit{Start: end - 1, End: end - 1, New: []byte("," + spelled + ":" + value)})
					}
				}
			}
			for _, more := range []string{`"x":1,"x":2,`, `"x":1,` + strangers + `"x":2,`, strangers + `"x":1,"x":2,`} {
				c.doubled(t, pointer, "x", jsonx.Edit{Start: start + 1, End: start + 1, New: []byte(more)})
			}
		})
	}
}

// doubled reads the request with an edit by which a member of an object stands twice.
func (c *savedRequest) doubled(t *testing.T, object, second string, edit jsonx.Edit) {
	t.Helper()
	place := object + "/" + jsonx.EscapeToken(second)
	body := jsonx.Splice(nil, c.body, edit)
	req, err := c.wire.DecodeRequest(body)
	if !ofPrograms.MatchString(place) {
		if e := errorOf(err); e.Kind != callwright.KindInvalid || e.Path != place || e.Message != "expected each member once, got it twice" {
			t.Fatalf("%s: expected %s to be refused, got %v\n%s", c.name, place, err, body)
		}
		return
	}
	if err != nil {
		t.Fatalf("%s: %v\n%s", c.name, err, body)
	}
	was, _ := c.wire.DecodeRequest(c.body)
	if d := cmp.Diff(companion.Of(was).Body.Summaries(), companion.Of(req).Body.Summaries()); d != "" {
		t.Errorf("%s: (-want +got)\n%s", c.name, d)
	}
	if out, _, err := c.wire.EncodeRequest(req, string(req.Model), caps.Caps{}); err != nil || !bytes.Equal(out, body) {
		t.Errorf("%s: expected\n%s\ngot %v\n%s", c.name, body, err, out)
	}
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

// A list of tools that is known from an API that tells two names apart is refused by the one for which they are spellings of one.
func TestKnownToolsInTwoSpellings(t *testing.T) {
	tools := `"tools":[{"functionDeclarations":[],"function_declarations":[],"x":"` + strings.Repeat("x", 2<<10) + `"}]}`
	for range 2 {
		if _, err := codecOf(t, callwright.WireOpenAI).DecodeRequest([]byte(`{"model":"m","messages":[{"role":"user","content":"q"}],` + tools)); err != nil {
			t.Fatal(err)
		}
		_, err := codecOf(t, callwright.WireGemini).DecodeRequest([]byte(`{"contents":[{"parts":[{"text":"q"}]}],` + tools))
		if e := errorOf(err); e.Path != "/tools/0/function_declarations" {
			t.Errorf("got %v", err)
		}
	}
}

// Requests for a completion are as strict.
func TestPromptsThatStandTwice(t *testing.T) {
	c := codecOf(t, callwright.WireOllama).(wire.Completer).Completes()
	for body, path := range map[string]string{
		`{"model":"m","prompt":"a","prompt":"b"}`:                        "/prompt",
		`{"model":"m","prompt":"a","options":{"seed":1,"se\u0065d":2}}`:  "/options/seed",
		`{"model":"m","prompt":"a","format":{"type":"object","type":1}}`: "",
	} {
		if _, err := c.DecodeRequest([]byte(body)); errorOf(err).Path != path {
			t.Errorf("%s: expected an error at %q, got %v", body, path, err)
		}
	}
}
