package reliable_test

import (
	"fmt"
	"slices"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
	"pgregory.net/rapid"
)

// A talk is a conversation as it grows: a client sends it after each of its turns, which begin with the answer to the turn before.
type talk struct {
	turns    [][]piece
	system   string
	settings int
	spaced   bool // white space stands between members
	faults   []string
}

// piecemeal is the conversation with every message as a turn of its own.
func (c talk) piecemeal() talk {
	var turns [][]piece
	for _, turn := range c.turns {
		for _, m := range turn {
			turns = append(turns, []piece{m})
		}
	}
	c.turns = turns
	return c
}

// A piece is a message, or the results of a turn.
type piece struct {
	role      callwright.Role
	text      string
	list      bool // the text is a list of one part
	thoughts  string
	signature string
	calls     []pastCall
	results   []pastResult
}

type pastCall struct {
	id, name, arguments string
	noID, legacy        bool
}

type pastResult struct {
	id, name, text string
	noID, image    bool
	isError        bool
}

// faults are what may be wrong with a conversation.
var faults = strings.Fields("missing_id empty_id repeated_id repeated_in_turn odd_id long_id orphan_call orphan_result repeated_result empty_text blank_text late_system " +
	"results_after_text results_before_call reversed_results bad_arguments foreign_signature thoughts function_call image two_turns results_with_text escapes empty_result error odd_name long_text")

// pairFaults are those of faults that leave it open which result answers which call. A conversation has to have several for them to matter.
var pairFaults = strings.Fields("missing_id repeated_id repeated_in_turn orphan_call repeated_result function_call")

// A teller makes one conversation.
type teller struct {
	t      *rapid.T
	faults []string
	n      int // the number of the call
	turn   int
}

func talks() *rapid.Generator[talk] {
	return rapid.Custom(func(t *rapid.T) talk {
		from := rapid.SampledFrom([][]string{faults, faults, faults, pairFaults}).Draw(t, "of")
		p := teller{t: t, faults: rapid.SliceOfNDistinct(rapid.SampledFrom(from), 0, 4, rapid.ID[string]).Draw(t, "faults")}
		c := talk{faults: p.faults, settings: rapid.IntRange(0, len(settingsOf)-1).Draw(t, "settings"), spaced: rapid.Bool().Draw(t, "spaced")}
		if rapid.Bool().Draw(t, "system") {
			c.system = "You are terse."
		}
		c.turns = append(c.turns, []piece{p.user()})
		for p.turn = range rapid.IntRange(2, 6).Draw(t, "turns") {
			c.turns = append(c.turns, p.next())
		}
		return c
	})
}

// has says whether a fault shows here.
func (p *teller) has(fault string) bool {
	return slices.Contains(p.faults, fault) && rapid.IntRange(0, 2).Draw(p.t, fault) > 0
}

// ids says whether each call has an id of its own, by which alone a result before its call is known.
func (p *teller) ids() bool {
	return !slices.ContainsFunc(p.faults, func(f string) bool {
		return strings.HasSuffix(f, "_id") || f == "repeated_in_turn" || f == "function_call"
	})
}

func (p *teller) words(what string) string {
	s := fmt.Sprint(what, " ", p.turn)
	switch {
	case p.has("empty_text"):
		return ""
	case p.has("blank_text"):
		return " \n"
	case p.has("escapes"):
		s += " é \"<&> / \u2028 😀"
	case p.has("long_text"):
		s += strings.Repeat(" and/or so \"on\",\n", 60)
	}
	return s
}

func (p *teller) user() piece {
	return piece{role: callwright.RoleUser, text: p.words("say"), list: rapid.Bool().Draw(p.t, "list")}
}

// next is a turn of the client: the model's answer, and what the client says to it.
func (p *teller) next() []piece {
	var out []piece
	answer := p.answer()
	if p.has("two_turns") {
		out = append(out, p.answer())
	}
	results := p.results(append(slices.Clone(answer.calls), callsOf(out)...))
	out = append(out, answer)
	var words []piece
	if len(results.results) == 0 || rapid.IntRange(0, 3).Draw(p.t, "words after results") == 0 {
		words = append(words, p.user())
	}
	if p.has("late_system") {
		words = append(words, piece{role: callwright.RoleSystem, text: p.words("rule")})
	}
	if len(results.results) == 0 {
		return append(out, words...)
	}
	switch {
	case p.ids() && p.has("results_before_call"): // a conversation is not sent while it ends with an answer
		return append(append(slices.Insert(out, len(out)-1, results), words...), p.user())
	case p.has("results_after_text"):
		return append(append(out, words...), results)
	case p.has("results_with_text"):
		results.role, results.text = callwright.RoleUser, p.words("aside")
	}
	return append(append(out, results), words...)
}

func callsOf(list []piece) (calls []pastCall) {
	for _, m := range list {
		calls = append(calls, m.calls...)
	}
	return calls
}

// answer is a turn of the model's.
func (p *teller) answer() piece {
	m := piece{role: callwright.RoleAssistant, text: p.words("answer"), list: rapid.Bool().Draw(p.t, "list")}
	if p.has("thoughts") {
		m.thoughts = p.words("think")
	}
	if p.has("foreign_signature") {
		m.thoughts, m.signature = "hm", "c2lnbmF0dXJl"
	}
	for k := range rapid.IntRange(0, 3).Draw(p.t, "calls") {
		m.calls = append(m.calls, p.call(k))
	}
	if len(m.calls) > 0 && rapid.Bool().Draw(p.t, "silent") {
		m.text = ""
	}
	return m
}

func (p *teller) call(k int) pastCall {
	p.n++
	c := pastCall{id: fmt.Sprintf("call_%c%d", 'a'+k, p.n), name: rapid.SampledFrom([]string{"get_weather", "get_time"}).Draw(p.t, "tool"), arguments: fmt.Sprintf(`{"city":"Oslo","days":%d}`, p.n)}
	switch {
	case p.has("missing_id"):
		c.id, c.noID = "", true
	case p.has("empty_id"):
		c.id = ""
	case p.has("repeated_id"):
		c.id = fmt.Sprint("call_", k)
	case p.has("repeated_in_turn"):
		c.id = fmt.Sprint("call_t", p.turn)
	case p.has("odd_id"):
		c.id = fmt.Sprintf("functions.get weather:%d|ü", p.n)
	case p.has("long_id"):
		c.id = "call_" + strings.Repeat("x", 80) + fmt.Sprint(p.n)
	}
	if p.has("odd_name") {
		c.name = rapid.SampledFrom([]string{"old.tool name", "gone_tool"}).Draw(p.t, "odd")
	}
	if p.has("bad_arguments") {
		c.arguments = rapid.SampledFrom([]string{`{"city":"Os`, ``, `null`, `[1]`, `"{\"city\":\"Oslo\"}"`, `{city:'Oslo',}`, `{"n":9223372036854775807, "x":0.10}`}).Draw(p.t, "arguments")
	}
	c.legacy = p.has("function_call")
	return c
}

// results are the outcomes of calls.
func (p *teller) results(calls []pastCall) piece {
	out := piece{role: callwright.RoleTool}
	for _, c := range calls {
		if p.has("orphan_call") {
			continue
		}
		r := pastResult{id: c.id, name: c.name, noID: c.noID, text: "result of " + c.arguments}
		switch {
		case p.has("empty_result"):
			r.text = ""
		case p.has("image"):
			r.image = true
		case p.has("error"):
			r.isError = true
		}
		out.results = append(out.results, r)
		if p.has("repeated_result") {
			out.results = append(out.results, r)
		}
	}
	if p.has("orphan_result") {
		out.results = append(out.results, pastResult{id: fmt.Sprint("gone_", p.n), name: "get_time", text: "lost"})
	}
	if p.has("reversed_results") {
		slices.Reverse(out.results)
	}
	return out
}

// A writer writes conversations for one API.
type writer struct {
	wire  callwright.WireName
	list  string // the member with the conversation
	tools string
	write func(m piece) []string
	// instructions is the member that has them, "" where they are a message.
	instructions func(text string) string
}

// settingsOf are settings by API, the same ones for the same place.
var settingsOf = []map[callwright.WireName]string{
	{},
	{callwright.WireOpenAI: `"temperature":0.5,"parallel_tool_calls":false,`, callwright.WireResponses: `"temperature":0.5,"parallel_tool_calls":false,`,
		callwright.WireAnthropic: `"temperature":0.5,"tool_choice":{"type":"auto","disable_parallel_tool_use":true},`, callwright.WireGemini: `"generationConfig":{"temperature":0.5},`,
		callwright.WireOllama: `"options":{"temperature":0.5},`},
	{callwright.WireOpenAI: `"tool_choice":"required",`, callwright.WireResponses: `"tool_choice":"required","store":false,`,
		callwright.WireAnthropic: `"tool_choice":{"type":"any"},"top_k":5,`,
		callwright.WireGemini:    `"toolConfig":{"functionCallingConfig":{"mode":"ANY"}},`, callwright.WireOllama: `"think":true,`},
}

// request is the conversation up to turn n as the client sends it.
func (w *writer) request(c talk, n int) string {
	var all []string
	head := `"model":"m","max_tokens":5000,` + settingsOf[c.settings][w.wire]
	if w.list != "messages" || w.wire == callwright.WireOllama {
		head = `"model":"m",` + settingsOf[c.settings][w.wire]
	}
	if c.system != "" {
		if w.instructions != nil {
			head += w.instructions(c.system) + ","
		} else {
			all = append(all, w.write(piece{role: callwright.RoleSystem, text: c.system})...)
		}
	}
	for _, turn := range c.turns[:n] {
		for _, m := range turn {
			all = append(all, w.write(m)...)
		}
	}
	gap := ","
	if c.spaced {
		gap = ",\n  "
	}
	return "{" + head + `"tools":` + w.tools + `,"` + w.list + `":[` + strings.Join(all, gap) + "]}"
}

// quoted is a JSON string with the escapes that many clients write.
func quoted(s string) string {
	var b strings.Builder
	for _, r := range string(jsonx.AppendQuote(nil, s)) {
		switch {
		case r == 'é':
			b.WriteString(`\u00e9`)
		case r == '/':
			b.WriteString(`\/`)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}
