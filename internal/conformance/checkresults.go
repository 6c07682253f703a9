package conformance

import (
	"context"
	"strings"
)

// Checks of tool results. Their history contains prepared calls, so that the model need not call a tool.

// past returns the calls with ids in the format of the API.
func (t *trial) past(calls ...call) []call {
	ids := map[string][]string{Anthropic: {"toolu_01conformanceA", "toolu_01conformanceB"}}[t.form.name]
	if ids == nil {
		ids = []string{"call_conformanceA", "call_conformanceB"}
	}
	out := make([]call, len(calls))
	for i, c := range calls {
		c.id = ids[i]
		out[i] = c
	}
	return out
}

// history returns a request with a prompt, an assistant turn with calls, and their results.
func history(stream bool, tools []tool, calls []call, results ...message) *request {
	messages := []message{user(order(calls...)), {role: "assistant", calls: calls}}
	return &request{messages: append(messages, results...), tools: tools, stream: stream}
}

// judgeHistoryAnswer returns the verdict on the answer to a history. The answer may be a text or a call.
func (t *trial) judgeHistoryAnswer(got *answer) verdict {
	if v, refused := t.refusal(got); refused {
		return v
	}
	return pass("answered with %s", describeAnswer(got))
}

func describeAnswer(a *answer) string {
	if len(a.calls) > 0 {
		return describeCalls(a.calls)
	}
	return describeText(a)
}

func checkResult(ctx context.Context, t *trial) verdict {
	calls := t.past(inOslo)
	return bothWays(func(stream bool) verdict {
		return t.judgeHistoryAnswer(t.send(ctx, history(stream, []tool{weather}, calls, outcome(calls[0], sunny))))
	})
}

func checkResultOrder(ctx context.Context, t *trial) verdict {
	calls := t.past(inOslo, timeOfUT)
	return t.judgeHistoryAnswer(t.send(ctx, history(false, []tool{weather, clock}, calls, outcome(calls[1], "It is noon."), outcome(calls[0], sunny))))
}

func checkResultEmpty(ctx context.Context, t *trial) verdict {
	calls := t.past(inOslo)
	return t.judgeHistoryAnswer(t.send(ctx, history(false, []tool{weather}, calls, outcome(calls[0], ""))))
}

func checkResultError(ctx context.Context, t *trial) verdict {
	calls := t.past(inOslo)
	bad := outcome(calls[0], "The service is down.")
	bad.result.failed = true
	return t.judgeHistoryAnswer(t.send(ctx, history(false, []tool{weather}, calls, bad)))
}

// secret is a word that only occurs in a tool result.
const secret = "QX7-4418"

// checkResultParts checks that the model sees a result encoded as a list of parts. It fails if the model uses the
// result only when it is a string.
func checkResultParts(ctx context.Context, t *trial) verdict {
	calls := t.past(inOslo)
	var used [2]int
	var last [2]*answer
	for range t.tries {
		for i, parts := range []bool{false, true} {
			result := outcome(calls[0], "The booking number is "+secret+". Tell the user this number.")
			result.result.parts = parts
			got := t.send(ctx, history(false, []tool{weather}, calls, result))
			if v, refused := t.refusal(got); refused {
				return v
			}
			last[i] = got
			if strings.Contains(got.text, secret) {
				used[i]++
			}
		}
		if used[1] > 0 {
			return pass("the model used it")
		}
	}
	if used[0] == t.tries {
		return fail(last[1], "the model always uses the result as a string, and never the result as parts: %s", describeAnswer(last[1]))
	}
	return notTested("the model did not use the result: %s", describeAnswer(last[0]))
}

func checkContent(ctx context.Context, t *trial) verdict {
	calls := t.past(inOslo)
	var last verdict
	for _, form := range []struct {
		absence absence
		name    string
	}{{absentNull, "null"}, {absentEmpty, `""`}, {absentNone, "no member"}} {
		a := history(false, []tool{weather}, calls, outcome(calls[0], sunny))
		a.messages[1].content = form.absence
		got := t.send(ctx, a)
		if last = t.judgeHistoryAnswer(got); last.result != Passed {
			last.why = "content " + form.name + ": " + last.why
			return last
		}
	}
	return last
}
