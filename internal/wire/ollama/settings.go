package ollama

import (
	"encoding/json"
	"slices"
	"strconv"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/factlist"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/wire/internal/kit"
)

// setting is a parameter of a request. If option is true, it is a member of options. same reports whether two Params
// have equal values of it. value encodes it, or returns nil to leave it out.
type setting struct {
	key    string
	option bool
	same   func(a, b *callwright.Params) bool
	value  func(*requestEncoder, *callwright.Params) []byte
}

// path returns the path of the setting in a request body.
func (s *setting) path() []string {
	if s.option {
		return []string{"options", s.key}
	}
	return []string{s.key}
}

// settings are the parameters of a request that this API has. The members of options are last.
var settings = []setting{
	{"stream", false, func(a, b *callwright.Params) bool { return a.Stream == b.Stream }, (*requestEncoder).stream},
	{"format", false, sameFormat, (*requestEncoder).format},
	{"think", false, sameThinking, (*requestEncoder).think},
	optionNumber(0), optionNumber(1), optionNumber(2), optionNumber(3), optionNumber(4), optionNumber(5), optionNumber(6),
	{"stop", true, func(a, b *callwright.Params) bool { return slices.Equal(a.Stop, b.Stop) }, (*requestEncoder).stop},
}

func optionNumber(i int) setting {
	o := optionNumbers[i]
	return setting{o.key, true,
		func(a, b *callwright.Params) bool { return *o.at(a) == *o.at(b) },
		func(e *requestEncoder, p *callwright.Params) []byte { return e.number("/options/"+o.key, *o.at(p)) }}
}

func sameFormat(a, b *callwright.Params) bool {
	x, y := a.Format, b.Format
	return x == y || x != nil && y != nil && string(x.Schema) == string(y.Schema)
}

func sameThinking(a, b *callwright.Params) bool {
	x, y := a.Thinking, b.Thinking
	return x.Effort == y.Effort && x.Budget == y.Budget && x.Off == y.Off && string(x.Extra.JSON) == string(y.Extra.JSON)
}

// number returns a JSON number unchanged, nil for "". Any other string is an error, because it would make the body
// invalid.
func (e *requestEncoder) number(path string, n json.Number) []byte {
	if n == "" {
		return nil
	}
	v := []byte(n)
	if jsonx.KindOf(v) != jsonx.Number || jsonx.Valid(v) != nil {
		e.fail(&callwright.Error{Op: opEncode, Kind: callwright.KindInvalid, Path: path,
			Message: "expected a number, got " + strconv.Quote(callwright.Excerpt(string(n)))})
		return nil
	}
	return v
}

// stream encodes the parameter stream. It is always written, because Ollama streams by default.
func (e *requestEncoder) stream(p *callwright.Params) []byte {
	return strconv.AppendBool(nil, p.Stream)
}

func (e *requestEncoder) format(p *callwright.Params) []byte {
	switch {
	case p.Format == nil:
		return nil
	case p.Format.Schema == nil:
		return []byte(`"json"`)
	}
	return p.Format.Schema
}

func (e *requestEncoder) stop(p *callwright.Params) []byte {
	if len(p.Stop) == 0 {
		return nil
	}
	w := newWriter(nil)
	w.Open("", '[')
	for _, s := range p.Stop {
		w.Text("", s)
	}
	w.Close(']')
	return w.Buf
}

// levels maps efforts that this API does not have to the nearest one.
var levels = map[string]string{"minimal": "low", "xhigh": "high"}

// budgets maps reasoning budgets to efforts. upTo is the highest budget of a row in tokens; higher ones are "high".
var budgets = []struct {
	upTo   int64
	effort string
}{{4096, "low"}, {16384, "medium"}}

func (e *requestEncoder) think(p *callwright.Params) []byte {
	t := p.Thinking
	if came := own.Member(t.Extra, "think"); came != nil && (e.caps.Efforts == "" || !jsonx.IsText(came)) {
		if was, err := readThink(came); err == nil && was.Effort == t.Effort && was.Off == t.Off && t.Budget == "" {
			return came
		}
	}
	effort := t.Effort
	switch {
	case t.Off || effort == "none":
		return []byte("false")
	case effort != "":
		if now, ok := levels[effort]; ok {
			e.noteThinking(effort, now, "the nearest level there is")
			effort = now
		}
	case t.Budget != "":
		effort = "high"
		n, err := t.Budget.Int64()
		for i := len(budgets) - 1; err == nil && i >= 0; i-- {
			if n <= budgets[i].upTo {
				effort = budgets[i].effort
			}
		}
		e.noteThinking(string(t.Budget), effort, "the wire has levels in place of budgets")
	case kit.AsksThinking(t):
		return []byte("true")
	default:
		return nil
	}
	if e.caps.Efforts != "" && !factlist.Has(e.caps.Efforts, effort) {
		e.noteThinking(effort, "true", "the model knows no such level")
		return []byte("true")
	}
	return jsonx.AppendQuote(nil, effort)
}

func (e *requestEncoder) noteThinking(was, now, why string) {
	e.notes.Add(callwright.Note{Rule: "params.thinking", Path: "/think", Was: was, Now: now, Why: why})
}

// noteUnsupported adds a note for each parameter that this API does not have, such as user.
func (e *requestEncoder) noteUnsupported() {
	p := &e.req.Params
	e.notes.OfThinking(p.Thinking, own)
	lost := func(path, was string) {
		e.notes.Add(callwright.Note{Rule: "params.dropped", Path: path, Was: was, Why: "this API has no such member"})
	}
	if p.Choice.IsForced() {
		lost("/tool_choice", string(p.Choice.Mode))
	}
	if p.Parallel != nil && !*p.Parallel {
		lost("/parallel_tool_calls", "false")
	}
	if p.User != "" {
		lost("/user", p.User)
	}
}
