package probe

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
)

// The checks of tool calls, with tools in the request. An ask function sends requests; a conclude function uses the
// responses to earlier checks.

func askAnswer(ctx context.Context, r *run) verdict {
	a, v, ok := r.ask(ctx, userQuestion(greeting))
	switch {
	case !ok:
		return v
	case strings.TrimSpace(a.Text()) == "":
		return fail("the answer has no text")
	}
	return pass("it said %q", short(a.Text()))
}

func askNative(ctx context.Context, r *run) verdict {
	before := r.card.Counts.InvalidJSON
	a, v, ok := r.ask(ctx, userQuestion(oslo, weather))
	if !ok {
		switch {
		case v.result == Fail && v.firm:
			r.native = refused
			if len(v.facts) == 0 && !v.undecided {
				v = v.with("tools", no)
			}
		case v.result == Fail && r.card.Counts.InvalidJSON > before:
			r.native = broken
		}
		return v
	}
	if len(a.calls) == 0 {
		r.native = ignored
		if r.dialect != "" {
			r.native = asText
			return fail("the call is text in the format %s", r.dialect)
		}
		return fail("expected a call, got %q", short(a.Text()))
	}
	r.native = works
	v = r.judgeCall(a, weather)
	if v.result == Pass {
		r.first = a.Response
	}
	return v.with("tools", yes)
}

// judgeCall returns the verdict on a response. It passes if the first call is a valid call of tools[0]. It fails if
// there are further calls and all repeat the first. tools are all tools of the request.
func (r *run) judgeCall(a *answer, tools ...callwright.Tool) verdict {
	if len(a.calls) == 0 {
		if c := r.dialect; c != "" && a.Text() != "" && textCall(a.Text(), tools, r.scanOptions()) != nil {
			return fail("the call is text in the format %s", c)
		}
		return fail("expected a call, got %q", short(a.Text()))
	}
	c := &a.calls[0]
	if why, d := validateCall(c, tools); d != sound {
		return fail("%s", why)
	}
	if c.Name != tools[0].Name {
		return fail("expected a call of %[2]s, got a call of %[1]s", c.Name, tools[0].Name)
	}
	if n := len(a.calls); n > 1 && len(distinct(a.calls)) == 1 {
		return fail("got the same call %d times: %s", n, describeCall(c))
	}
	return pass("called %s", describeCall(c))
}

// distinct returns the calls without duplicates, which have the name and arguments of an earlier call.
func distinct(calls []callwright.Call) []callwright.Call {
	var out []callwright.Call
	for _, c := range calls {
		if !slices.ContainsFunc(out, func(o callwright.Call) bool { return o.Name == c.Name && bytes.Equal(o.Arguments, c.Arguments) }) {
			out = append(out, c)
		}
	}
	return out
}

func describeCall(c *callwright.Call) string {
	return c.Name + " " + short(string(jsonx.Compact(nil, c.Arguments)))
}

func askRequired(ctx context.Context, r *run) verdict {
	q := userQuestion(greeting, weather)
	q.params.Choice.Mode, q.skipNote = callwright.ChoiceRequired, "/tool_choice"
	a, v, ok := r.ask(ctx, q)
	r.unsure = r.doubt
	switch {
	case !ok:
		return v
	case len(a.calls) == 0:
		return fail("expected a call, got %q", short(a.Text()))
	}
	r.native = works
	return pass("called %s", describeCall(&a.calls[0]))
}

func concludeIgnored(_ context.Context, r *run) verdict {
	switch r.native {
	case ignored:
		if r.unsure {
			return skip("the answer with a required call is not complete")
		}
		return fail("the model accepted tools but made no call").with("tools", no)
	case works:
		return pass("the model made calls").with("tools", yes)
	case unasked, refused, asText, broken:
	}
	return skip("the model's calls could not be parsed")
}

func askNamed(ctx context.Context, r *run) verdict {
	q := userQuestion(greeting, weather, clock)
	q.params.Choice, q.skipNote = callwright.Choice{Mode: callwright.ChoiceNamed, Names: []string{clock.Name}}, "/tool_choice"
	a, v, ok := r.ask(ctx, q)
	switch {
	case !ok:
		return v
	case len(a.calls) == 0:
		return fail("expected a call, got %q", short(a.Text()))
	case a.calls[0].Name != clock.Name:
		return fail("expected a call of %[2]s, got a call of %[1]s", short(a.calls[0].Name), clock.Name)
	}
	return pass("called %s", describeCall(&a.calls[0]))
}

func askNone(ctx context.Context, r *run) verdict {
	q := userQuestion(oslo, weather)
	q.params.Choice.Mode, q.skipNote = callwright.ChoiceNone, "/tool_choice"
	return askForWords(ctx, r, q)
}

func askUnneeded(ctx context.Context, r *run) verdict {
	return askForWords(ctx, r, userQuestion(greeting, weather))
}

// askForWords sends a question and passes if the response has no call.
func askForWords(ctx context.Context, r *run, q question) verdict {
	a, v, ok := r.ask(ctx, q)
	switch {
	case !ok:
		return v
	case len(a.calls) > 0:
		return fail("called %s", describeCall(&a.calls[0]))
	}
	return pass("it said %q", short(a.Text()))
}

// askParallel requests two calls at once: first without the parameter for parallel calls and, after a response with at
// most one call, with the parameter.
func askParallel(ctx context.Context, r *run) verdict {
	q := userQuestion(twoCities, weather)
	for _, unasked := range []string{yes, no} {
		if unasked == no {
			q.params.Parallel = new(true)
		}
		a, v, ok := r.ask(ctx, q)
		if !ok {
			return v
		}
		if n := len(distinct(a.calls)); n > 1 {
			r.parallel = a.calls
			return pass("%d calls in one answer", n).with("parallel_tools", yes).with("parallel_unasked", unasked)
		}
	}
	return fail("at most one call per answer").with("parallel_tools", no)
}

func concludeIDs(_ context.Context, r *run) verdict {
	if len(r.parallel) < 2 {
		return skip("no answer had two calls")
	}
	seen := map[string]bool{}
	for _, c := range r.parallel {
		switch {
		case c.ID == "":
			return fail("a call of %s has no id", c.Name)
		case seen[c.ID]:
			return fail("two calls have the id %q", short(c.ID))
		}
		seen[c.ID] = true
	}
	return pass("%d calls have %d ids", len(r.parallel), len(seen))
}

func askSerial(ctx context.Context, r *run) verdict {
	q := userQuestion(twoCities, weather)
	q.params.Parallel, q.skipNote = new(false), "/parallel_tool_calls"
	a, v, ok := r.ask(ctx, q)
	switch {
	case !ok:
		return v
	case len(a.calls) > 1:
		// "yes": the provider accepts the member
		return fail("%d calls in one answer, although parallel calls were forbidden", len(a.calls)).deciding(false).with("parallel_field", yes)
	case len(a.calls) == 0:
		return fail("expected a call, got %q", short(a.Text())).deciding(false)
	}
	return pass("one call")
}

func askStream(ctx context.Context, r *run) verdict {
	q := userQuestion(oslo, weather)
	q.params.Stream = true
	a, v, ok := r.ask(ctx, q)
	if !ok {
		return v
	}
	if v = r.judgeCall(a, weather); v.result != Pass {
		if r.first == nil && len(a.calls) > 0 { // the call is as damaged without streaming, so streaming is not the cause
			v = v.deciding(false).with("stream_tools", yes)
		}
		return v
	}
	for _, n := range a.notes {
		if n.Stage == callwright.StageNormalise && n.Fault != "" && n.Rule != finishRule {
			return fail("the call had to be assembled: %s", n.Why).deciding(false).with("stream_tools", yes)
		}
	}
	return pass("called %s, in %d pieces", describeCall(&a.calls[0]), a.pieces)
}

func askStreamUsage(ctx context.Context, r *run) verdict {
	q := userQuestion(greeting)
	q.params.Stream, q.params.StreamUsage = true, true
	a, v, ok := r.ask(ctx, q)
	switch {
	case !ok:
		return v
	case !a.Usage.Known:
		return fail("the stream has no token usage").deciding(false)
	}
	return pass("%d tokens in, %d out", a.Usage.Input, a.Usage.Output)
}

func askStrict(ctx context.Context, r *run) verdict {
	strict := weather
	strict.Strict = new(true)
	q := userQuestion(oslo, strict)
	q.assumedFact, q.skipNote = "strict_tools", "tools.strict"
	a, v, ok := r.ask(ctx, q)
	if !ok {
		return v
	}
	v = r.judgeCall(a, weather)
	return v.deciding(v.result == Pass)
}

func askMany(ctx context.Context, r *run) verdict {
	tools := manyTools()
	a, v, ok := r.ask(ctx, userQuestion(oslo, tools...))
	if !ok {
		return v
	}
	return r.judgeCall(a, append([]callwright.Tool{weather}, tools...)...)
}

func askResult(ctx context.Context, r *run) verdict {
	q := userQuestion(oslo, weather)
	q.messages = append(q.messages, r.first.Message())
	for _, c := range r.first.Calls() {
		q.messages = append(q.messages, callwright.ToolResult(c, coldWeather))
	}
	a, v, ok := r.ask(ctx, q)
	switch {
	case !ok:
		r.noResult = v.firm
		return v
	case len(a.calls) > 0:
		return fail("called %s again", describeCall(&a.calls[0]))
	case !strings.Contains(a.Text(), "23"):
		return fail("the answer lacks the -23 degrees of the result: %q", short(a.Text()))
	}
	return pass("it said %q", short(a.Text()))
}

// askReasoning requests reasoning and a tool call from every model. The check is skipped if the model refuses reasoning
// or shows none.
func askReasoning(ctx context.Context, r *run) verdict {
	q := userQuestion(oslo, weather)
	q.params.Thinking.Effort, q.skipNote, q.reasons = "low", "params.thinking", true
	if effort, _, several := strings.Cut(r.known.Efforts, ","); several && !strings.Contains(","+r.known.Efforts+",", ",low,") {
		q.params.Thinking.Effort = effort
	}
	a, v, ok := r.ask(ctx, q)
	switch {
	case !ok && v.result == Fail && v.undecided && !slices.Contains(v.facts, found{"reasoning_with_tools", no}):
		v.result = Skip
		return v
	case !ok:
		return v
	case !r.thinks:
		return skip("the answer has no reasoning")
	}
	v = r.judgeCall(a, weather)
	return v.deciding(v.result == Pass || len(a.calls) == 0)
}

func concludeTextCalls(_ context.Context, r *run) verdict {
	if r.dialect != "" {
		return fail("a call is text in the format %s", r.dialect).with("text_calls", yes).with("dialect", r.dialect)
	}
	return pass("no call in text")
}

func concludeFinish(_ context.Context, r *run) verdict {
	if r.finished != "" {
		return fail("%s", r.finished)
	}
	return pass("every finish reason matched its answer")
}

func askError(ctx context.Context, r *run) verdict {
	q := userQuestion(greeting)
	q.edits = []callwright.Edit{{Path: []string{"tools"}, Value: json.RawMessage(`5`)}}
	_, v, ok := r.ask(ctx, q)
	switch {
	case ok:
		return fail("a request whose tools are a number was answered")
	case v.result == Skip && r.err == nil:
		return fail("%s", strings.Replace(v.why, "the provider failed", "the provider failed in place of refusing", 1))
	case v.result == Skip:
		return v
	case strings.TrimSpace(strings.TrimPrefix(v.why, "refused:")) == "":
		return fail("refused without a message")
	}
	return pass("%s", v.why)
}

// exactly asks the model for a call of t with these arguments (JSON). It passes if the call has equal arguments.
func (r *run) exactly(ctx context.Context, t *callwright.Tool, arguments string) verdict {
	a, v, ok := r.ask(ctx, call(t, arguments))
	if !ok {
		return v
	}
	if v = r.judgeCall(a, *t); v.result != Pass {
		return v
	}
	if !jsonx.Equal(a.calls[0].Arguments, []byte(arguments)) {
		return fail("got other arguments: %s", short(string(a.calls[0].Arguments)))
	}
	return v
}

func askUnicode(ctx context.Context, r *run) verdict {
	return r.exactly(ctx, &note, `{"text":"Ærø, Łódź, 東京, «Ещё» 🌧️"}`)
}

func askBigInteger(ctx context.Context, r *run) verdict {
	return r.exactly(ctx, &record, `{"number":9007199254740993}`)
}

func askEmpty(ctx context.Context, r *run) verdict { return r.exactly(ctx, &ping, `{}`) }

func askEnum(ctx context.Context, r *run) verdict {
	return r.exactly(ctx, &heating, `{"mode":"away","level":2}`)
}

func askNested(ctx context.Context, r *run) verdict {
	return r.exactly(ctx, &order, `{"customer":{"name":"Ada \"A.\" Byron","address":{"street":"12 St James's Sq\nfloor 2","zip":"00142"}},`+
		`"items":[{"sku":"B-7","count":3,"tags":["red","heavy"]},{"sku":"C-1","count":1,"tags":[]}]}`)
}

func askLong(ctx context.Context, r *run) verdict {
	var b strings.Builder
	for i := 1; b.Len() < 2000; i++ {
		fmt.Fprintf(&b, "%d. Item %d is on shelf %d, row %d.\n", i, i*7, i%5+1, i*3)
	}
	text, _ := json.Marshal(map[string]string{"text": b.String()})
	return r.exactly(ctx, &note, string(text))
}
