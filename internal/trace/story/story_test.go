package story_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/callcheck"
	"github.com/callwright/callwright/internal/conversation"
	"github.com/callwright/callwright/internal/errorkind"
	"github.com/callwright/callwright/internal/trace"
	"github.com/callwright/callwright/internal/trace/story"
	"pgregory.net/rapid"
)

// A record is what a test says of one request.
type record struct {
	received []trace.Received
	attempts []callwright.Attempt
	notes    []string // rules
	invalid  []callwright.InvalidCall
	parts    []callwright.Part
	finish   callwright.Finish
	fails    callwright.Kind
	streamed bool // also: something of the answer had come
	partial  bool
	open     bool // it has no end
	observed bool
}

func (r *record) entries(t *testing.T) []trace.Entry {
	t.Helper()
	out := []trace.Entry{{Kind: trace.KindModel, Model: "a/m"}, {Kind: trace.KindRequest, ID: "rep_1", Model: "a/m", Data: json.RawMessage(`{}`)}}
	for i := range r.received {
		got := &r.received[i]
		data, err := json.Marshal(map[string]any{"provider": got.Provider, "status": got.Status, "broken": got.Broken, "skipped_ns": got.Skipped, "kind": got.Kind})
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, trace.Entry{Kind: trace.KindSent, ID: "rep_1"}, trace.Entry{Kind: trace.KindReceived, ID: "rep_1", Data: data})
	}
	if r.open {
		return out
	}
	rep := &callwright.Report{ID: "rep_1", Attempts: r.attempts, Invalid: r.invalid}
	for _, rule := range r.notes {
		n := callwright.Note{Rule: rule, Observed: r.observed}.Classify()
		switch rule {
		case "dialect.hermes":
			n.Fault = "F02"
		case "claim.without_call":
			n.Why = "done: nothing was called"
		}
		rep.Notes = append(rep.Notes, n)
	}
	end := trace.Entry{Kind: trace.KindAnswer, ID: "rep_1", Streamed: r.streamed, Partial: r.partial}
	if r.fails != "" {
		end.Kind, end.Failure = trace.KindError, &callwright.Error{Kind: r.fails, Report: rep}
	}
	if r.fails == "" || r.streamed {
		form, err := conversation.MarshalResponse(&callwright.Response{Parts: r.parts, Finish: r.finish, Report: rep})
		if err != nil {
			t.Fatal(err)
		}
		end.Data = form
	}
	return append(out, end)
}

func calls(names ...string) (out []callwright.Part) {
	for _, n := range names {
		out = append(out, callwright.Call{ID: "c", Name: n, Arguments: json.RawMessage(`{}`)})
	}
	return out
}

func attempt(model callwright.ModelID, why string) callwright.Attempt {
	return callwright.Attempt{Model: model, Mode: caps.Native, Why: why, Tries: 1}
}

func failed(a callwright.Attempt, k callwright.Kind) callwright.Attempt {
	a.Kind, a.Error = k, "it failed"
	return a
}

func sent(a callwright.Attempt, tries int) callwright.Attempt {
	a.Tries = tries
	return a
}

func inMode(a callwright.Attempt, m caps.Mode) callwright.Attempt {
	a.Mode = m
	return a
}

func rejected(why callwright.InvalidReason, names ...string) (out []callwright.InvalidCall) {
	for _, n := range names {
		out = append(out, callwright.InvalidCall{Name: n, Why: why})
	}
	return out
}

var (
	first      = attempt("a/m", callwright.AttemptFirst)
	correction = attempt("a/m", callwright.AttemptCorrection)
	fallback   = attempt("b/n", callwright.AttemptFallback)
	otherMode  = inMode(attempt("a/m", callwright.AttemptOtherMode), caps.Text)
	text       = []callwright.Part{callwright.Text{Text: "It is sunny."}}
	weather    = calls("get_weather")
)

func list(all ...callwright.Attempt) []callwright.Attempt { return all }

func TestOf(t *testing.T) {
	badPlace := []callwright.InvalidCall{{Name: "get_weather", Why: callwright.InvalidArguments, Violations: []callwright.Violation{{Path: "/city", Message: "expected a string"}}}}
	skippedAttempt := attempt("a/m", callwright.AttemptFirst)
	skippedAttempt.Tries, skippedAttempt.Kind, skippedAttempt.Error = 0, callwright.KindUnavailable, "a/m: skipped: limited, 12 s left"
	unsentAttempt := attempt("a/m", callwright.AttemptFirst)
	unsentAttempt.Tries, unsentAttempt.Kind, unsentAttempt.Error = 0, callwright.KindAuth, "a/m: providers.a.api_key: A_KEY is not set"
	tests := []struct {
		name string
		record
		want string
	}{
		{"answer in text", record{attempts: list(first), parts: text}, "The model answered in text."},
		{"call", record{attempts: list(first), parts: weather}, "The model called `get_weather`."},
		{"several calls", record{attempts: list(first), parts: calls("a", "b", "a", "c", "d", "e")}, "The model called `a` twice, `b`, `c` and 2 more."},
		{"text and call", record{attempts: list(first), parts: append(calls("a", "a", "a"), text...)}, "The model called `a` 3 times."},
		{"nothing", record{attempts: list(first)}, "The model gave an empty answer."},
		{"reasoning alone", record{attempts: list(first), parts: []callwright.Part{callwright.Reasoning{Text: "Hm."}}}, "The model gave only reasoning."},
		{"an image", record{attempts: list(first), parts: []callwright.Part{callwright.Image{URL: "u"}}}, "The model answered without text."},
		{"no report", record{parts: weather}, "The model called `get_weather`."},
		{"no end", record{open: true}, "The request has not ended, or the program ended first."},

		{"F22 undeclared", record{attempts: list(first, correction), invalid: rejected(callwright.InvalidUndeclared, "lookup_forecast"), notes: []string{"judge.undeclared", "correct.asked"}, parts: weather},
			"The model called `lookup_forecast`, which is not declared. It was asked again and called `get_weather`."},
		{"two undeclared", record{attempts: list(first, correction), invalid: rejected(callwright.InvalidUndeclared, "a", "b"), parts: text},
			"The model called `a` and `b`, which are not declared. It was asked again and answered in text."},
		{"F19 arguments", record{attempts: list(first, correction), invalid: badPlace, notes: []string{"judge.invalid", "correct.asked"}, parts: weather},
			"The model called `get_weather` with arguments that break its schema at `/city`. It was asked again and called `get_weather`."},
		{"F18 malformed", record{attempts: list(first, correction), invalid: rejected(callwright.InvalidMalformed, "get_weather"), parts: weather},
			"The model called `get_weather` with arguments that cannot be read. It was asked again and called `get_weather`."},
		{"F17 truncated", record{attempts: list(first, correction), invalid: rejected(callwright.InvalidTruncated, "write_file"), notes: []string{"judge.truncated"}, parts: calls("write_file")},
			"The model called `write_file`, but its answer was cut inside the call. It was asked again and called `write_file`."},
		{"a good sibling", record{attempts: list(first), invalid: rejected(callwright.InvalidUndeclared, "other"), notes: []string{"judge.undeclared"}, parts: weather},
			"The model called `get_weather`. A call was rejected: it called `other`, which is not declared."},
		{"beside native calls", record{attempts: list(first), invalid: rejected(callwright.InvalidBesideNative, "other"), parts: weather},
			"The model called `get_weather`. A call was rejected: it called `other` in its text, beside native calls."},
		{"refused by a rule", record{attempts: list(first, correction), invalid: rejected(callcheck.InvalidRefused, "drop"), notes: []string{"call_rule.refused", "correct.refused"}, parts: text},
			"The model called `drop`, which a call rule refused. It was asked again and answered in text."},
		{"wrong to the end", record{attempts: list(first, correction, correction, otherMode), invalid: rejected(callwright.InvalidArguments, "f", "f", "f", "f"), fails: callwright.KindInvalidCall},
			"The model called `f` with arguments that break its schema. It was asked again 2 times and did the same. It was asked again in `text` mode and did the same. The client received the error `invalid_tool_call` with status 502."},
		{"wrong twice", record{attempts: list(first, correction, correction), invalid: rejected(callwright.InvalidUndeclared, "f", "f"), parts: weather},
			"The model called `f`, which is not declared. It was asked again and did the same. It was asked again and called `get_weather`."},
		{"wrong in two ways", record{attempts: list(first, correction, correction), invalid: append(rejected(callwright.InvalidUndeclared, "f"), rejected(callwright.InvalidMalformed, "g")...), parts: weather},
			"The model called `f`, which is not declared. It was asked again and called `g` with arguments that cannot be read. It was asked again and called `get_weather`."},
		{"F13 empty", record{attempts: list(first, correction), notes: []string{"correct.empty"}, parts: text}, "The model gave an empty answer. It was asked again and answered in text."},
		{"F14 malformed call", record{attempts: list(first, correction), notes: []string{"wire.malformed_reason", "correct.empty"}, parts: weather},
			"The model made a malformed call, and the answer was empty. It was asked again and called `get_weather`."},
		{"F03 dropped by a parser", record{attempts: list(first, correction), notes: []string{"correct.swallowed"}, parts: weather},
			"The model generated tokens, but the answer was empty: the server's parser dropped a call. It was asked again and called `get_weather`."},
		{"F41 no call", record{attempts: list(first, correction), notes: []string{"correct.asked"}, parts: weather}, "The model made no call although one was required. It was asked again and called `get_weather`."},
		{"F12 announced", record{attempts: list(first, correction), notes: []string{"loop.told"}, parts: weather},
			"The model announced a call and made none. It was asked again and called `get_weather`. In the answer, the model was told to continue, to answer, or to make the call that it announced."},
		{"another form", record{attempts: list(first, correction), notes: []string{"correct.format"}, parts: text}, "The model did not answer in the requested form. It was asked again and answered in text."},
		{"pause", record{attempts: list(first, attempt("a/m", callwright.AttemptPause)), notes: []string{"correct.paused"}, parts: text}, "The model paused its answer. It was asked to continue and answered in text."},
		{"search", record{attempts: list(first, attempt("a/m", callwright.AttemptSearch)), notes: []string{"search.answered"}, parts: weather}, "The model searched for tools. It got the tools that it had searched for and called `get_weather`."},
		{"F15 refused call", record{attempts: list(failed(first, callwright.KindRefusedCall), otherMode), notes: []string{"plan.unparsed", "plan.other_mode"}, parts: weather},
			"The provider's parser refused the model's call. It was asked again in `text` mode and called `get_weather`."},
		{"F16 no tools", record{attempts: list(failed(first, callwright.KindUnsupported), otherMode), notes: []string{"plan.learned", "plan.no_tools"}, parts: weather},
			"The provider does not support a feature of the request. It was asked again in `text` mode and called `get_weather`."},
		{"F16 known before", record{attempts: list(first), notes: []string{"plan.no_tools"}, parts: weather}, "Before it was sent, its tools were conveyed in another mode because the model does not accept tools. The model called `get_weather`."},
		{"F40 member refused", record{attempts: list(failed(first, callwright.KindUnsupported), attempt("a/m", "without field:seed")), notes: []string{"field.dropped"}, parts: text},
			"Before it was sent, a member that the provider refuses was left out. The provider does not support a feature of the request. It was asked again without `field:seed` and answered in text."},

		{"F01 JSON in the text", record{attempts: list(first), notes: []string{"dialect.bare_json", "finish.derived"}, parts: weather}, "The model called `get_weather`. In the answer, a call written as JSON in the text was read."},
		{"F02 and F18", record{attempts: list(first), notes: []string{"dialect.hermes", "json.quotes", "json.quotes"}, parts: weather},
			"The model called `get_weather`. In the answer, a call written in tags in the text was read and broken JSON was repaired."},
		{"F30 alone", record{attempts: list(first), notes: []string{"finish.derived"}, parts: weather}, "The model called `get_weather`. In the answer, the finish reason was derived from the content."},
		{"many changes", record{attempts: list(first), notes: []string{"json.empty", "name.case", "id.missing", "coerce.number", "string.control"}, parts: weather},
			"The model called `get_weather`. In the answer, missing arguments were read as {}, a tool's name was resolved without regard to case, a call without an id got one and 2 more things were changed."},
		{"F48 and F52", record{attempts: list(first), notes: []string{"history.orphan_call", "history.foreign_signature"}, parts: text},
			"Before it was sent, a call without a result got a result that says so and opaque state of another model or API was left out. The model answered in text."},
		{"a claim", record{attempts: list(first), notes: []string{"claim.without_call", "claim.without_call"}, parts: text}, "The model answered in text. The answer claims work that no call did."},
		{"a claim, observed", record{attempts: list(first), notes: []string{"claim.without_call"}, observed: true, parts: text}, "The model answered in text. The answer claims work that no call did."},
		{"observed", record{attempts: list(first), notes: []string{"json.empty"}, observed: true, parts: weather}, "The model called `get_weather`. The policy observe only reported these changes: missing arguments were read as {}."},
		{"translated", record{attempts: list(first), notes: []string{"tools.empty_schema", "params.dropped"}, parts: text}, "The model answered in text."},

		{"F56 retry", record{attempts: list(sent(first, 3)), notes: []string{"transport.retry"}, received: []trace.Received{{Status: 503}, {Status: 503}, {Status: 200}}, parts: weather},
			"The model called `get_weather` (sent 3 times, as the provider answered with status 503)."},
		{"retries of several kinds", record{attempts: list(sent(first, 4)), received: []trace.Received{{}, {Status: 200, Broken: "EOF"}, {Status: 500}, {Status: 200}}, parts: text},
			"The model answered in text (sent 4 times, as the provider gave no answer and broke off its answer)."},
		{"retries, bytes not recorded", record{attempts: list(sent(first, 2)), parts: text}, "The model answered in text (sent 2 times)."},
		{"fallback", record{attempts: list(failed(first, callwright.KindRateLimited), fallback), received: []trace.Received{{Status: 429}, {Status: 200}}, parts: weather},
			"`a/m` was asked, but the rate limit was reached. `b/n` was asked next and called `get_weather`."},
		{"fallback after retries", record{attempts: list(failed(sent(first, 2), callwright.KindServer), sent(fallback, 2)), received: []trace.Received{{Status: 500}, {Status: 502}, {Status: 503}, {Status: 200}}, parts: text},
			"`a/m` was asked, but the provider failed (sent 2 times, as the provider answered with status 500). `b/n` was asked next and answered in text (sent 2 times, as the provider answered with status 503)."},
		{"fallback that fails", record{attempts: list(failed(first, callwright.KindTimeout), failed(fallback, callwright.KindUnavailable)), fails: callwright.KindUnavailable},
			"`a/m` was asked, but no answer came in time. `b/n` was asked next, but the provider could not be reached. The client received the error `unavailable` with status 503."},
		{"fallback of a model that calls wrongly", record{attempts: list(first, fallback), invalid: rejected(callwright.InvalidUndeclared, "f"), parts: weather},
			"`a/m` called `f`, which is not declared. `b/n` was asked next and called `get_weather`."},
		{"skip", record{attempts: list(fallback), received: []trace.Received{{Provider: "a", Skipped: 12 * time.Second, Kind: callwright.KindRateLimited}, {Status: 200}}, parts: text},
			"`a` was skipped: the rate limit was reached earlier. The model answered in text."},
		{"key that is not set", record{attempts: list(unsentAttempt, fallback), parts: text},
			"`a/m` got no request: providers.a.api_key: A_KEY is not set. `b/n` was asked next and answered in text."},
		{"skip as an attempt", record{attempts: list(skippedAttempt, fallback), received: []trace.Received{{Provider: "a", Skipped: 12 * time.Second, Kind: callwright.KindRateLimited}, {Status: 200}}, parts: text},
			"`a/m` was skipped because an earlier request failed (limited, 12 s left). `b/n` was asked next and answered in text."},

		{"error", record{attempts: list(failed(first, callwright.KindAuth)), fails: callwright.KindAuth}, "The key was not accepted. The client received the error `authentication` with status 401."},
		{"error before an attempt", record{fails: callwright.KindSchema}, "The provider refused the schema of a tool: the client received the error `invalid_schema` with status 400."},
		{"broken stream", record{attempts: list(failed(first, callwright.KindTruncated)), notes: []string{"transport.broken"}, fails: callwright.KindTruncated, streamed: true, parts: text},
			"The answer broke off. The client received a part of the answer, and then the error `truncated`."},
		{"client left", record{attempts: list(failed(first, callwright.KindCanceled)), fails: callwright.KindCanceled}, "The client disconnected."},
		{"stream that was left", record{parts: text, streamed: true, partial: true}, "The model answered in text. The recorded answer is incomplete: the client disconnected, or the answer exceeded the size limit of the trace."},
		{"F17 cut text", record{attempts: list(first), parts: text, finish: callwright.FinishLength}, "The model answered in text. The answer was cut at the limit of its length."},
		{"filtered", record{attempts: list(first), finish: callwright.FinishContentFilter}, "The model gave an empty answer. The provider's content filter ended the answer."},
		{"names that would break out", record{attempts: list(first), parts: calls("a`b\x00\u202e" + strings.Repeat("x", 200))}, "The model called `a'b\uFFFD\uFFFD" + strings.Repeat("x", 71) + "…`."},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := story.Of(tt.entries(t)); got != tt.want {
				t.Errorf("expected\n%s\ngot\n%s", tt.want, got)
			}
		})
	}
}

// Hosted tools have the model asked several times for one request; entries may be missing; and only requests have a story.
func TestOfEntries(t *testing.T) {
	again := (&record{attempts: list(first), parts: calls("web_search")}).entries(t)
	again[len(again)-1].Continued = true
	end := (&record{attempts: list(first), parts: text}).entries(t)
	lost := trace.Entry{Kind: trace.KindLost, ID: "rep_1", Data: json.RawMessage(`{"entries":3}`)}
	for _, tt := range []struct {
		entries []trace.Entry
		want    string
	}{
		{nil, ""},
		{[]trace.Entry{{Kind: trace.KindSent}, lost}, ""},
		{slices.Concat(again, end), "The model called `web_search`. The gateway ran the call and asked the model to continue. The model answered in text."},
		{again, "The model called `web_search`. The gateway ran the call and asked the model to continue. The request has not ended, or the program ended first."},
		{slices.Insert(slices.Clone(end), 2, lost), "The model answered in text. Some entries are missing: they came faster than they could be written."},
		{[]trace.Entry{{Kind: trace.KindRequest}, {Kind: trace.KindAnswer, Redacted: true, Data: json.RawMessage(`{"bytes":7}`)}}, "The model gave an empty answer."},
	} {
		if got := story.Of(tt.entries); got != tt.want {
			t.Errorf("expected\n%s\ngot\n%s", tt.want, got)
		}
	}
}

// toldOtherwise are the rules of failure classes that an attempt, a rejected call or an error tells, see TestOf.
var toldOtherwise = []string{
	"plan.learned", "plan.unparsed", "transport.broken", "transport.retry", "transport.next_target", "transport.refused_call", "wire.malformed_reason", "correct.empty", "correct.swallowed",
	"judge.undeclared", "judge.truncated", "judge.malformed", "judge.invalid",
}

// Every rule with a failure class is told, and so every class that a record can show.
func TestEveryClass(t *testing.T) {
	plain := story.Of((&record{attempts: list(first), parts: weather}).entries(t))
	told := map[string]bool{}
	for _, r := range callwright.Rules() {
		if r.Fault == "" {
			continue
		}
		rule := strings.Replace(r.ID, "*", "other", 1)
		got := story.Of((&record{attempts: list(first), notes: []string{rule}, parts: weather}).entries(t))
		if otherwise := slices.Contains(toldOtherwise, rule); (got == plain) != otherwise {
			t.Errorf("%s %s: got %s", r.Fault, rule, got)
		}
		told[r.Fault] = true
	}
	if len(told) < 45 {
		t.Errorf("%d classes have rules", len(told))
	}
}

// Every kind of error is told in words, for an attempt and for a request.
func TestEveryKind(t *testing.T) {
	for _, k := range errorkind.All() {
		for _, r := range []record{{attempts: list(failed(first, k)), fails: k}, {fails: k}, {attempts: list(failed(first, k), fallback), parts: text}} {
			if got := story.Of(r.entries(t)); strings.Contains(got, "(") || !strings.HasSuffix(got, ".") {
				t.Errorf("%s: got %s", k, got)
			}
		}
	}
	for _, why := range []callwright.InvalidReason{callwright.InvalidUndeclared, callwright.InvalidTruncated, callwright.InvalidMalformed, callwright.InvalidArguments, callwright.InvalidBesideNative, callcheck.InvalidRefused} {
		r := record{attempts: list(first, correction), invalid: rejected(why, "f"), parts: text}
		if got := story.Of(r.entries(t)); !strings.HasPrefix(got, "The model called `f`") || strings.Contains(got, "not valid") {
			t.Errorf("%s: got %s", why, got)
		}
	}
}

// Whatever a record has, its story is printable, of some length and whole sentences, and each name in it ends.
func TestAnyRecord(t *testing.T) {
	var rules []string
	for _, r := range callwright.Rules() {
		rules = append(rules, strings.Replace(r.ID, "*", "x", 1))
	}
	whys := []string{callwright.AttemptFirst, callwright.AttemptFallback, callwright.AttemptOtherMode, callwright.AttemptCorrection, callwright.AttemptPause, callwright.AttemptSearch, "without field:`x", "later", ""}
	kinds := append(errorkind.All(), "", "", "later`\n")
	words := rapid.SampledFrom([]string{"f", "get_weather", "", "a`b", "x\ny", strings.Repeat("é", 300), "\xff\u202e"})
	rapid.Check(t, func(rt *rapid.T) {
		r := record{
			notes: rapid.SliceOfN(rapid.SampledFrom(rules), 0, 12).Draw(rt, "rules"), fails: rapid.SampledFrom(kinds).Draw(rt, "fails"), partial: rapid.Bool().Draw(rt, "partial"),
			streamed: rapid.Bool().Draw(rt, "streamed"), observed: rapid.Bool().Draw(rt, "observed"), open: rapid.IntRange(0, 9).Draw(rt, "open") == 0,
			parts: calls(rapid.SliceOfN(words, 0, 9).Draw(rt, "calls")...), finish: rapid.SampledFrom([]callwright.Finish{"", callwright.FinishLength, "later"}).Draw(rt, "finish"),
		}
		for range rapid.IntRange(0, 6).Draw(rt, "attempts") {
			a := attempt(callwright.ModelID(words.Draw(rt, "model")), rapid.SampledFrom(whys).Draw(rt, "why"))
			a.Tries, a.Kind = rapid.IntRange(-1, 4).Draw(rt, "tries"), rapid.SampledFrom(kinds).Draw(rt, "kind")
			a.Error = rapid.SampledFrom([]string{"", "", "x`", "m: skipped: `limited`, 3 s left", "skipped: "}).Draw(rt, "error")
			r.attempts = append(r.attempts, a)
		}
		for range rapid.IntRange(0, 6).Draw(rt, "invalid") {
			r.invalid = append(r.invalid, callwright.InvalidCall{Name: words.Draw(rt, "tool"), Why: callwright.InvalidReason(rapid.SampledFrom([]string{"", "undeclared", "invalid", "later"}).Draw(rt, "reason")),
				Violations: []callwright.Violation{{Path: words.Draw(rt, "path")}}})
		}
		for range rapid.IntRange(0, 8).Draw(rt, "received") {
			r.received = append(r.received, trace.Received{Provider: words.Draw(rt, "provider"), Status: rapid.SampledFrom([]int{0, 200, 503}).Draw(rt, "status"),
				Broken: rapid.SampledFrom([]string{"", "EOF"}).Draw(rt, "broken"), Skipped: time.Duration(rapid.IntRange(0, 1).Draw(rt, "skipped")), Kind: rapid.SampledFrom(kinds).Draw(rt, "of kind")})
		}
		got := story.Of(r.entries(t))
		switch {
		case got == "" || !strings.HasSuffix(got, ".") || strings.Count(got, "`")%2 != 0:
			rt.Errorf("got %q", got)
		case strings.ContainsFunc(got, func(r rune) bool { return !unicode.IsPrint(r) }):
			rt.Errorf("it has what is not seen: %q", got)
		case len(got) > 8000:
			rt.Errorf("it has %d bytes", len(got))
		}
	})
}
