package wiretest

import (
	"bytes"
	"fmt"
	"strconv"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/companion"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/wire"
	"pgregory.net/rapid"
)

// otherModel is the model name that requests are encoded with.
const otherModel = "other-model"

func testRequest(t *testing.T, s Suite, c *caseFile) {
	t.Helper()
	body := c.body("request.json")
	req, err := s.Codec.DecodeRequest(bytes.Clone(body))
	if err != nil {
		c.want(t, Error(err))
		return
	}
	c.want(t, Request(req))
	out, notes, err := s.Codec.EncodeRequest(req, otherModel, caps.Caps{})
	if err != nil || len(notes) > 0 {
		t.Fatalf("encode: notes %v, error %v", notes, err)
	}
	if want := replaceModel(body); !bytes.Equal(out, want) {
		t.Errorf("expected the bytes but for the model's name\n%s\ngot\n%s", want, out)
	}
	if !readable(req) || c.file("rewritten") != nil {
		return
	}
	if path := keeps(s.Codec, body); path != "" {
		t.Errorf("lost without the body: %s", path)
		return
	}
	testDamaged(t, s, body)
	if s.Open != nil {
		t.Run("unknown members", func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) { testUnknown(t, s, body) })
		})
	}
}

// testDamaged checks that DecodeRequest rejects body if it is truncated or a byte is replaced so that it is not valid
// JSON. Codecs validate a body while they read it.
func testDamaged(t *testing.T, s Suite, body []byte) {
	t.Helper()
	refused := func(damaged []byte) {
		if _, err := s.Codec.DecodeRequest(damaged); jsonx.Valid(damaged) != nil && callwright.KindOf(err) != callwright.KindInvalid {
			t.Fatalf("expected a body that is no JSON to be refused, got %v\n%s", err, damaged)
		}
	}
	step := 1
	if testing.Short() {
		step = 7
	}
	for at := 0; at < len(body); at += step {
		refused(body[:at:at])
		damaged := bytes.Clone(body)
		for _, c := range []byte("{}[],:\"\\\x00\xff1n ") {
			damaged[at] = c
			refused(damaged)
		}
	}
	refused(append(bytes.Clone(body), '}'))
}

// readable reports whether messages and tools of the request can be decoded.
func readable(req *callwright.Request) bool {
	_, messages := req.History()
	_, tools := req.DeclaredTools()
	return messages == nil && tools == nil
}

// replaceModel returns body with its model name replaced by otherModel, or body itself if it names no model.
func replaceModel(body []byte) []byte {
	model, ok := jsonx.Find(body, "model")
	if !ok {
		return body
	}
	start, end := jsonx.Span(body, model)
	return jsonx.Splice(nil, body, jsonx.Edit{Start: start, End: end, New: jsonx.AppendQuote(nil, otherModel)})
}

// keeps decodes and encodes a request without its body. It returns the JSON pointer of the first member that is lost,
// or an error message, and "" if nothing is lost.
func keeps(c wire.Codec, body []byte) (lost string) {
	req, err := c.DecodeRequest(bytes.Clone(body))
	if err != nil {
		return err.Error()
	}
	built := *req
	if built.Messages, err = req.History(); err != nil {
		return err.Error()
	}
	if built.Tools, err = req.DeclaredTools(); err != nil {
		return err.Error()
	}
	companion.Change(&built, func(c *companion.Companion) { c.Body = nil })
	out, _, err := c.EncodeRequest(&built, otherModel, caps.Caps{})
	if err != nil {
		return err.Error()
	}
	if err := jsonx.Valid(out); err != nil {
		return fmt.Sprintf("%v in %s", err, out)
	}
	if path, ok := holds(out, replaceModel(body)); !ok {
		return path + " in " + string(out)
	}
	return ""
}

// holds reports whether all of want is in got: every object member, and every list element at its index. A string
// equals a list of one text part. Null, the empty string and an absent member are equal. If ok is false, path is the
// JSON pointer of the first difference.
func holds(got, want []byte) (path string, ok bool) {
	got, want = oneText(got), oneText(want)
	if empty(want) && (got == nil || empty(got)) || got != nil && jsonx.Equal(got, want) {
		return "", true
	}
	if got == nil || jsonx.KindOf(got) != jsonx.KindOf(want) {
		return "", false
	}
	switch jsonx.KindOf(want) {
	case jsonx.Object:
		for k, v := range jsonx.Members(want) {
			in, _ := jsonx.Find(got, k.String())
			if path, ok := holds(in, v); !ok {
				return "/" + k.String() + path, false
			}
		}
		return "", true
	case jsonx.Array:
		var elements [][]byte
		for e := range jsonx.Elements(got) {
			elements = append(elements, e)
		}
		n := 0
		for e := range jsonx.Elements(want) {
			if n >= len(elements) {
				return "/" + strconv.Itoa(n), false
			}
			if path, ok := holds(elements[n], e); !ok {
				return "/" + strconv.Itoa(n) + path, false
			}
			n++
		}
		return "", n == len(elements)
	}
	return "", false
}

// empty reports whether v is null or the empty string, which servers treat alike.
func empty(v []byte) bool { return jsonx.KindOf(v) == jsonx.Null || string(v) == `""` }

// oneText returns the string in a list of one string or one plain text part, and other values unchanged.
func oneText(v []byte) []byte {
	if jsonx.KindOf(v) != jsonx.Array {
		return v
	}
	n := 0
	var text []byte
	for e := range jsonx.Elements(v) {
		n++
		if jsonx.KindOf(e) == jsonx.Text {
			text = e
			continue
		}
		members := 0
		for k := range jsonx.Members(e) {
			if members++; !k.Is("type") && !k.Is("text") {
				return v
			}
		}
		text, _ = jsonx.Find(e, "text")
		if members != 2 || text == nil {
			return v
		}
	}
	if n != 1 {
		return v
	}
	return text
}

// testUnknown adds unknown members to the body and checks that they survive decoding and encoding.
func testUnknown(t *rapid.T, s Suite, body []byte) {
	var edits []callwright.Edit
	for range rapid.IntRange(1, 3).Draw(t, "members") {
		path := rapid.SampledFrom(s.Open).Draw(t, "path")
		key := "x_" + rapid.StringMatching(`[a-z "\\é]{1,8}`).Draw(t, "key")
		edits = append(edits, callwright.Edit{Path: append(append([]string{}, path...), key), Value: drawValue(t, 3)})
	}
	if !present(body, edits) {
		return
	}
	if lost := keeps(s.Codec, wire.ApplyEdits(body, edits)); lost != "" {
		t.Fatalf("lost without the body: %s", lost)
	}
}

// present reports whether all objects that the edits add a member to exist in the body.
func present(body []byte, edits []callwright.Edit) bool {
	for _, e := range edits {
		if !reaches(body, e.Path[:len(e.Path)-1]) {
			return false
		}
	}
	return true
}

func reaches(v []byte, path []string) bool {
	if len(path) == 0 {
		return jsonx.KindOf(v) == jsonx.Object
	}
	if path[0] != "*" {
		in, ok := jsonx.Find(v, path[0])
		return ok && reaches(in, path[1:])
	}
	for e := range jsonx.Elements(v) {
		if !reaches(e, path[1:]) {
			return false
		}
	}
	return true
}

// drawValue draws a random JSON value nested up to depth, including numbers beyond float64 and arbitrary strings.
func drawValue(t *rapid.T, depth int) []byte {
	kinds := 4
	if depth > 0 {
		kinds = 6
	}
	switch rapid.IntRange(1, kinds).Draw(t, "kind") {
	case 1:
		return rapid.SampledFrom([][]byte{[]byte("9223372036854775807"), []byte("0.1"), []byte("-1e400"), []byte("0")}).Draw(t, "number")
	case 2:
		return jsonx.AppendQuote(nil, rapid.String().Draw(t, "text"))
	case 3:
		return []byte("true")
	case 4:
		return []byte("{}")
	case 5:
		return fmt.Appendf(nil, "[%s]", drawValue(t, depth-1))
	}
	return fmt.Appendf(nil, `{"a":%s}`, drawValue(t, depth-1))
}
