package conformance

import (
	"context"
	"regexp"
	"slices"
	"strings"
)

// Checks of tool calls and their ids.

// noTools matches error messages about models without tool support. Such an error is not a failure of the server.
var noTools = regexp.MustCompile(`(?i)(?:does not|doesn't|not) support (?:the )?(?:use of )?(?:tools?|function calling)`)

// ordering returns a request that instructs the model to make the given calls.
func ordering(stream bool, tools []tool, calls ...call) *request {
	return &request{messages: []message{user(order(calls...))}, tools: tools, stream: stream}
}

// untilCalled sends a request up to t.tries times until look returns a verdict other than NotTested. look gets only
// answers with a call. A refused request ends the tries.
func (t *trial) untilCalled(ctx context.Context, a *request, look func(*answer) verdict) verdict {
	var last verdict
	for range t.tries {
		got := t.send(ctx, a)
		if v, refused := t.refusal(got); refused {
			return v
		}
		if len(got.calls) == 0 {
			last = notTested("the model did not call a tool: %s", describeText(got))
			continue
		}
		if last = look(got); last.result != NotTested {
			return last
		}
	}
	return last
}

// refusal returns the verdict on a response without an answer. refused is false if there is an answer.
func (t *trial) refusal(got *answer) (v verdict, refused bool) {
	why := got.problem()
	switch {
	case why == "":
		return verdict{}, false
	case got.isLimited():
		return rateLimitVerdict(got), true
	case got.isRefused() && noTools.Match(got.body):
		return notTested("the model does not accept tools: %s", why), true
	case got.err != nil && got.status/100 == 2 && len(got.broken) > 0:
		return notTested("the answer cannot be read: %s", got.broken[0].why), true
	}
	return fail(got, "%s", why), true
}

// rateLimitVerdict returns the verdict for a status that says nothing about the content of the request.
func rateLimitVerdict(got *answer) verdict {
	return notTested("the server limits requests: %s", got.problem())
}

func describeText(a *answer) string {
	switch {
	case a.finish == finishLength:
		return "the token limit was reached"
	case a.text == "":
		return "the text is empty"
	}
	return short(a.text)
}

// areJSON reports whether the arguments of all calls are JSON objects.
func areJSON(calls []call) bool {
	return !slices.ContainsFunc(calls, func(c call) bool {
		args, err := parse([]byte(c.args))
		return err != nil || !args.isObject()
	})
}

// otherwise returns the verdict NotTested for calls that differ from the ordered ones, with both lists as the reason.
func otherwise(got *answer, want ...call) verdict {
	return notTested("the model called %s, not %s", describeCalls(got.calls), describeCalls(want))
}

// isOrdered reports whether the calls are the ordered ones.
func isOrdered(got []call, want ...call) bool {
	if len(got) != len(want) {
		return false
	}
	for i := range got {
		if got[i].name != want[i].name || !isSame(got[i].args, want[i].args) {
			return false
		}
	}
	return true
}

// bothWays runs a check without streaming and then with streaming. It passes if one of them passes and none fails.
func bothWays(one func(stream bool) verdict) verdict {
	whole := one(false)
	if whole.result == Failed {
		whole.why = "whole: " + whole.why
		return whole
	}
	streamed := one(true)
	switch {
	case streamed.result == Failed:
		streamed.why = "streamed: " + streamed.why
	case whole.result == streamed.result:
	case whole.result == NotTested:
		streamed.why += "; not whole: " + whole.why
	default:
		whole.why += "; not streamed: " + streamed.why
		return whole
	}
	return streamed
}

func callOnce(stream bool) func(context.Context, *trial) verdict {
	return func(ctx context.Context, t *trial) verdict {
		return t.untilCalled(ctx, ordering(stream, []tool{weather, clock}, inOslo), func(got *answer) verdict {
			if !isOrdered(got.calls, inOslo) {
				return otherwise(got, inOslo)
			}
			return pass("called %s", describeCalls(got.calls))
		})
	}
}

// checkSame compares a call of a whole response with one of a stream. A missing call only counts if one way never
// returns a call and the other always does.
func checkSame(ctx context.Context, t *trial) verdict {
	var answers [2]*answer
	var called [2]int
	for range t.tries {
		for i, stream := range []bool{false, true} {
			got := t.send(ctx, ordering(stream, []tool{weather}, inRome))
			if v, refused := t.refusal(got); refused {
				return notTested("%s", v.why) // other checks report it
			}
			answers[i] = got
			if len(got.calls) > 0 {
				called[i]++
			}
		}
		if called[0] > 0 && called[1] > 0 {
			break
		}
	}
	whole, streamed := answers[0], answers[1]
	switch {
	case called[0] == 0 && called[1] == t.tries:
		return fail(whole, "every stream has the call, and no whole answer has it: %s", describeText(whole))
	case called[1] == 0 && called[0] == t.tries:
		return fail(streamed, "every whole answer has the call, and no stream has it: %s", describeText(streamed))
	case called[0] == 0 || called[1] == 0:
		return notTested("the model did not call a tool in both a whole answer and a stream")
	case !areJSON(whole.calls) || !areJSON(streamed.calls):
		return notTested(noObject)
	case isOrdered(whole.calls, inRome) != isOrdered(streamed.calls, inRome):
		return fail(streamed, "the whole answer has %s, the stream %s", describeCalls(whole.calls), describeCalls(streamed.calls))
	}
	return pass("whole and streamed: %s", describeCalls(streamed.calls))
}

func checkEmpty(ctx context.Context, t *trial) verdict {
	return bothWays(func(stream bool) verdict {
		return t.untilCalled(ctx, ordering(stream, []tool{ping}, pinging), func(got *answer) verdict {
			switch args := strings.TrimSpace(got.calls[0].args); {
			case args == "" || args == "null":
				return fail(got, "the arguments are %q, not {}", args)
			case !isOrdered(got.calls, pinging):
				return otherwise(got, pinging)
			}
			return pass("called %s", describeCalls(got.calls))
		})
	})
}

func checkParallel(ctx context.Context, t *trial) verdict {
	return bothWays(func(stream bool) verdict {
		return t.untilCalled(ctx, ordering(stream, []tool{weather}, inOslo, inRome), func(got *answer) verdict {
			if len(got.calls) == 1 && isChain(got.calls[0].args) {
				return fail(got, "two calls were merged into one, with the arguments %s", short(got.calls[0].args))
			}
			if !isOrdered(got.calls, inOslo, inRome) {
				return otherwise(got, inOslo, inRome)
			}
			return pass("called %s", describeCalls(got.calls))
		})
	})
}

// isChain reports whether args is two JSON objects without a separator, such as {}{}.
func isChain(args string) bool {
	first, second, ok := strings.Cut(args, "}{")
	if !ok {
		return false
	}
	_, errA := parse([]byte(first + "}"))
	_, errB := parse([]byte("{" + second))
	return errA == nil && errB == nil
}

func checkSerial(ctx context.Context, t *trial) verdict {
	return bothWays(func(stream bool) verdict {
		a := ordering(stream, []tool{weather}, inOslo, inRome)
		a.serial = true
		return t.untilCalled(ctx, a, func(got *answer) verdict {
			if len(got.calls) > 1 {
				return fail(got, "got %d calls: %s", len(got.calls), describeCalls(got.calls))
			}
			return pass("called %s", describeCalls(got.calls))
		})
	})
}

// checkLaterID orders a call, sends its result, and orders another call.
func checkLaterID(ctx context.Context, t *trial) verdict {
	first := ordering(false, []tool{weather}, inOslo)
	return t.untilCalled(ctx, first, func(got *answer) verdict {
		if !areJSON(got.calls) {
			return notTested(noObject)
		}
		if len(got.calls) > 1 {
			return otherwise(got, inOslo)
		}
		again := *first
		again.messages = append(again.messages[:1:1], turnOf(got), outcome(got.calls[0], sunny),
			message{role: "assistant", text: "It is sunny in Oslo."}, user(order(inRome)))
		later := t.send(ctx, &again)
		switch {
		case later.problem() != "":
			return notTested("%s", later.problem()) // other checks report it
		case len(later.calls) == 0:
			return notTested("the model did not call a tool in the later turn: %s", describeText(later))
		case later.calls[0].id != "" && later.calls[0].id == got.calls[0].id:
			return fail(later, "the calls of two turns have the id %q", later.calls[0].id)
		case later.calls[0].id == "":
			return notTested("calls have no ids")
		}
		return pass("%s, then %s", got.calls[0].id, later.calls[0].id)
	})
}

// turnOf returns the answer as an assistant turn of the history.
func turnOf(a *answer) message { return message{role: "assistant", text: a.text, calls: a.calls} }

// noObject is the reason why calls cannot be sent back in a history. Another check reports it.
const noObject = "the arguments are not a JSON object"

// sunny is the text of tool results.
const sunny = "It is sunny, 21 degrees."

func checkEcho(ctx context.Context, t *trial) verdict {
	first := ordering(false, []tool{weather}, inOslo)
	return t.untilCalled(ctx, first, func(got *answer) verdict {
		if !areJSON(got.calls) {
			return notTested(noObject)
		}
		if t.form.name != Gemini && t.form.name != Ollama && got.calls[0].id == "" {
			return notTested("the call has no id")
		}
		again := *first
		again.messages = append(again.messages[:1:1], turnOf(got))
		for _, c := range got.calls {
			again.messages = append(again.messages, outcome(c, sunny))
		}
		then := t.send(ctx, &again)
		switch {
		case then.isLimited():
			return rateLimitVerdict(then)
		case !then.isGood():
			return fail(then, "the result with the id %q is not accepted: %s", got.calls[0].id, then.problem())
		}
		return pass("the result with the id %q was accepted", got.calls[0].id)
	})
}
