package reliable_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/wire/openai"
	"github.com/callwright/callwright/internal/wire/wiretest"
	"github.com/callwright/callwright/reliable"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// pieceTools are tools of which the names of some are the beginnings or ends of those of others.
var pieceTools = []callwright.Tool{
	{Name: "web", Schema: json.RawMessage(`{"type":"object","properties":{"q":{"type":"string"}},"required":["q"]}`)},
	{Name: "web_fetch", Schema: json.RawMessage(`{"type":"object"}`)}, {Name: "web_search", Schema: json.RawMessage(`{"type":"object"}`)}, {Name: "fetch", Schema: json.RawMessage(`{"type":"object"}`)},
}

// A pieceStyle is how a server cuts calls into the pieces of its stream.
type pieceStyle struct {
	index  string // own, all0, none, text, drift
	ids    string // own: in the first piece, each: in each, none, same: one for all calls
	name   string // first, each, empty: "" in later pieces, split, late: in a piece of its own after the id
	args   string // pieces, whole, cumulative
	turns  bool   // the pieces of several calls take turns
	twice  bool   // the head of each call comes twice
	bundle int    // how many pieces come in one chunk at most
}

// pieceFaults are what servers do otherwise.
var pieceFaults = []func(s *pieceStyle){
	func(s *pieceStyle) { s.index = "all0" }, func(s *pieceStyle) { s.index = "none" }, func(s *pieceStyle) { s.index = "text" }, func(s *pieceStyle) { s.index = "drift" },
	func(s *pieceStyle) { s.ids = "each" }, func(s *pieceStyle) { s.ids = "none" }, func(s *pieceStyle) { s.ids = "same" },
	func(s *pieceStyle) { s.name = "each" }, func(s *pieceStyle) { s.name = "empty" }, func(s *pieceStyle) { s.name = "split" }, func(s *pieceStyle) { s.name = "late" },
	func(s *pieceStyle) { s.args = "whole" }, func(s *pieceStyle) { s.args = "cumulative" },
	func(s *pieceStyle) { s.turns = true }, func(s *pieceStyle) { s.twice = true }, func(s *pieceStyle) { s.bundle = 3 },
}

// aPieceStyle is the style of a server with up to three faults, as far as its pieces can be told apart at all.
func aPieceStyle(t *rapid.T) pieceStyle {
	s := pieceStyle{index: "own", ids: "own", name: "first", args: "pieces", bundle: 1}
	for range rapid.IntRange(0, 3).Draw(t, "faults") {
		rapid.SampledFrom(pieceFaults).Draw(t, "fault")(&s)
	}
	numbered := s.index == "own"
	s.turns = s.turns && s.name != "split" && (numbered || s.ids == "each") && s.index != "drift"
	s.twice = s.twice && s.name != "split" && (numbered || s.index == "all0" || s.ids != "none")                                                                               // a call without arguments may be made twice
	if s.ids == "same" && s.name == "split" && !numbered || s.name == "late" && (s.ids == "none" || s.ids == "same" && !numbered) || s.index == "drift" && s.name != "empty" { // nothing says where a call begins
		s.name = "first"
	}
	if s.args == "cumulative" && s.ids == "none" && !numbered { // a call that is made twice looks like one that goes on
		s.args = "pieces"
	}
	return s
}

// cutUp is a text in pieces.
func cutUp(t *rapid.T, text string) []string {
	var out []string
	for text != "" {
		n := rapid.IntRange(1, len(text)).Draw(t, "piece")
		out, text = append(out, text[:n]), text[n:]
	}
	return out
}

// pieces are the pieces of one call, as elements of tool_calls.
func (s pieceStyle) pieces(t *rapid.T, i int, c callwright.Call) []string {
	drift := 0
	piece := func(first bool, name *string, args string) string {
		m := map[string]any{}
		switch s.index {
		case "own":
			m["index"] = i
		case "all0":
			m["index"] = 0
		case "text":
			m["index"] = fmt.Sprint(i)
		case "drift":
			m["index"] = i*100 + drift
			drift++
		}
		switch id := map[string]string{"same": "call"}[s.ids]; {
		case s.ids == "each", first && s.ids == "own":
			m["id"] = c.ID
		case first && id != "":
			m["id"] = id
		}
		if first {
			m["type"] = "function"
		}
		f := map[string]any{"arguments": args}
		if name != nil {
			f["name"] = *name
		}
		m["function"] = f
		b, _ := json.Marshal(m)
		return string(b)
	}
	var out []string
	rest := cutUp(t, string(c.Arguments))
	if s.args == "whole" {
		rest = []string{string(c.Arguments)}
	}
	switch s.name {
	case "split":
		n := rapid.IntRange(1, len(c.Name)-1).Draw(t, "split")
		head, tail := c.Name[:n], c.Name[n:]
		out = append(out, piece(true, &head, ""), piece(false, &tail, ""))
	case "late":
		out = append(out, piece(true, nil, ""), piece(false, &c.Name, ""))
	default:
		out = append(out, piece(true, &c.Name, ""))
	}
	if s.twice {
		out = slices.Insert(out, 1, out[0])
	}
	sent := ""
	for _, p := range rest {
		var name *string
		if s.name == "each" {
			name = &c.Name
		} else if s.name == "empty" {
			name = new("")
		}
		if sent += p; s.args == "cumulative" {
			p = sent
		}
		out = append(out, piece(false, name, p))
	}
	return out
}

// Calls that come in pieces, however a server cuts and numbers them, come to the calls that its model made: none is lost, none comes twice, and nothing is
// asked again.
func TestPiecesOfCalls(t *testing.T) { rapid.Check(t, checkPieces) }

func FuzzPiecesOfCalls(f *testing.F) { f.Fuzz(rapid.MakeFuzz(checkPieces)) }

// checkPieces draws calls and a server that cuts them, and reads its stream.
func checkPieces(t *rapid.T) {
	var calls []callwright.Call
	var want []string
	for i := range rapid.IntRange(1, 3).Draw(t, "calls") {
		q, _ := json.Marshal(rapid.SampledFrom([]string{"a", "", "{}", `{"q":1}`, "}{", `"`, "u {"}).Draw(t, "q"))
		c := callwright.Call{ID: fmt.Sprint("call_", i), Name: rapid.SampledFrom(pieceTools).Draw(t, "tool").Name, Arguments: json.RawMessage(`{"q":` + string(q) + `}`)}
		calls = append(calls, c)
		want = append(want, "call "+c.Name+" "+string(c.Arguments))
	}
	s := aPieceStyle(t)
	var all [][]string
	for i, c := range calls {
		all = append(all, s.pieces(t, i, c))
	}
	var flat []string
	for left := true; left; {
		left = false
		for i := range all {
			for len(all[i]) > 0 {
				flat, all[i], left = append(flat, all[i][0]), all[i][1:], true
				if s.turns {
					break
				}
			}
		}
	}
	var stream strings.Builder
	for len(flat) > 0 {
		n := min(rapid.IntRange(1, s.bundle).Draw(t, "bundled"), len(flat))
		fmt.Fprintf(&stream, `data: {"id":"x","model":"m","choices":[{"index":0,"delta":{"tool_calls":[%s]},"finish_reason":null}]}`+"\n\n", strings.Join(flat[:n], ","))
		flat = flat[n:]
	}
	stream.WriteString(`data: {"id":"x","model":"m","choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"}]}` + "\n\ndata: [DONE]\n\n")
	text := stream.String()
	decoded := wiretest.Decode(openai.Codec{}, strings.NewReader(text))
	if decoded.Err != nil {
		t.Fatal(decoded.Err)
	}
	for _, stream := range []callwright.StreamCalls{callwright.StreamHeld, callwright.StreamFlowing} {
		m := &scripted{name: "lab/m", answers: []any{decoded.Events}}
		req := ask(callwright.Choice{})
		req.Tools = pieceTools
		resp, err := callwright.Collect(reliable.New(m, reliable.WithStreamCalls(stream)).Stream(context.Background(), req))
		if d := cmp.Diff(append(want, "finish tool_calls"), outcome(resp, err)); d != "" || len(m.asked) != 1 {
			t.Fatalf("%+v, %s, asked %d times (-want +got)\n%s\n%s\n%v", s, stream, len(m.asked), d, text, err)
		}
	}
}

// A server that gives all calls one id, and repeats all arguments in each piece, makes two calls. With one index for both, the whole value before a head
// that comes again is that of the first call, not a value inside of it. With two indexes, the first call goes on behind the head of the second.
func TestRepeatedHead(t *testing.T) {
	const head, q = `{"index":0,"id":"call","type":"function","function":{"name":"web","arguments":""}}`, `{"index":0,"function":{"arguments":"{\"q\":"}}`
	for name, c := range map[string]struct {
		pieces []string
		want   []string
	}{
		"the same tool": {[]string{head, q, `{"index":0,"function":{"arguments":"{\"q\":\"{}\"}"}}`, head, `{"index":0,"function":{"arguments":"{\"q\":\"a\"}"}}`},
			[]string{`call web {"q":"{}"}`, `call web {"q":"a"}`}},
		"another tool": {[]string{head, q, `{"index":0,"function":{"arguments":"{\"q\":\"{}\"}"}}`, strings.Replace(head, "web", "web_fetch", 1), `{"index":0,"function":{"arguments":"{\"q\":\"a\"}"}}`},
			[]string{`call web {"q":"{}"}`, `call web_fetch {"q":"a"}`}},
		"another index": {[]string{head, q, `{"index":0,"function":{"arguments":"{\"q\":\"x"}}`, strings.NewReplacer(`"index":0`, `"index":1`, "web", "fetch").Replace(head),
			`{"index":0,"function":{"arguments":"{\"q\":\"xy\"}"}}`, `{"index":1,"function":{"arguments":"{\"q\":\"a\"}"}}`},
			[]string{`call web {"q":"xy"}`, `call fetch {"q":"a"}`}},
	} {
		var stream strings.Builder
		for _, piece := range c.pieces {
			fmt.Fprintf(&stream, `data: {"id":"x","model":"m","choices":[{"index":0,"delta":{"tool_calls":[%s]},"finish_reason":null}]}`+"\n\n", piece)
		}
		stream.WriteString(`data: {"id":"x","model":"m","choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"}]}` + "\n\ndata: [DONE]\n\n")
		decoded := wiretest.Decode(openai.Codec{}, strings.NewReader(stream.String()))
		if decoded.Err != nil {
			t.Fatal(decoded.Err)
		}
		req := ask(callwright.Choice{})
		req.Tools = pieceTools
		m := &scripted{name: "lab/m", answers: []any{decoded.Events}}
		resp, err := callwright.Collect(reliable.New(m).Stream(context.Background(), req))
		if d := cmp.Diff(append(c.want, "finish tool_calls"), outcome(resp, err)); d != "" {
			t.Errorf("%s: %s", name, d)
		}
	}
}
