package conformance

import (
	"context"
	"strings"
)

// Checks of the tool choice and of finish reasons.

// checkRequired checks that the choice "required" leads to a call although the prompt needs no tool.
func checkRequired(ctx context.Context, t *trial) verdict {
	return bothWays(func(stream bool) verdict {
		got := t.send(ctx, &request{messages: []message{user(greeting)}, tools: []tool{weather, clock}, choice: "required", stream: stream})
		if v, refused := t.refusal(got); refused {
			return v
		}
		if len(got.calls) == 0 && got.finish == finishLength {
			return notTested("the token limit was reached")
		}
		if len(got.calls) == 0 {
			return fail(got, "expected a call, got %s", describeText(got))
		}
		return pass("called %s", describeCalls(got.calls))
	})
}

// checkNamed checks that the choice of one tool leads to a call of it although the prompt orders a call of another.
func checkNamed(ctx context.Context, t *trial) verdict {
	return bothWays(func(stream bool) verdict {
		got := t.send(ctx, &request{messages: []message{user(order(inOslo))}, tools: []tool{weather, clock}, choice: clock.name, stream: stream})
		if v, refused := t.refusal(got); refused {
			return v
		}
		switch {
		case len(got.calls) == 0 && got.finish == finishLength:
			return notTested("the token limit was reached")
		case len(got.calls) == 0:
			return fail(got, "expected a call, got %s", describeText(got))
		}
		for _, c := range got.calls {
			if c.name != clock.name {
				return fail(got, "expected a call of %s, got %s", clock.name, describeCalls(got.calls))
			}
		}
		return pass("called %s", describeCalls(got.calls))
	})
}

// checkNone checks that the choice "none" prevents the call that the prompt orders.
func checkNone(ctx context.Context, t *trial) verdict {
	return bothWays(func(stream bool) verdict {
		got := t.send(ctx, &request{messages: []message{user(order(inOslo))}, tools: []tool{weather}, choice: "none", stream: stream})
		if v, refused := t.refusal(got); refused {
			return v
		}
		if len(got.calls) > 0 {
			return fail(got, "expected no call, got %s", describeCalls(got.calls))
		}
		return pass("no call was made")
	})
}

// checkAllowed checks that a tool outside the list of allowed tools is not called although the prompt orders it.
func checkAllowed(ctx context.Context, t *trial) verdict {
	return bothWays(func(stream bool) verdict {
		got := t.send(ctx, &request{messages: []message{user(order(inOslo))}, tools: []tool{weather, clock},
			allowed: []string{clock.name}, stream: stream})
		if v, refused := t.refusal(got); refused {
			return v
		}
		for _, c := range got.calls {
			if c.name != clock.name {
				return fail(got, "expected a call of %s, got %s", clock.name, describeCalls(got.calls))
			}
		}
		if len(got.calls) == 0 {
			return pass("no call was made")
		}
		return pass("called %s", describeCalls(got.calls))
	})
}

// checkLength requests a text longer than the token limit and checks that the finish reason reports the truncation.
func checkLength(ctx context.Context, t *trial) verdict {
	return bothWays(func(stream bool) verdict {
		got := t.send(ctx, &request{messages: []message{user(counting)}, most: fewTokens, stream: stream, usage: true})
		if v, refused := t.refusal(got); refused {
			return v
		}
		switch {
		case got.finish == finishLength:
			return pass("%q after %s", got.finishReason, sayCount(got.usage.out, "token"))
		case got.usage.told && got.usage.out >= fewTokens:
			return fail(got, "got %s of at most %d, and the finish reason %q", sayCount(got.usage.out, "token"), fewTokens, got.finishReason)
		}
		return notTested("the answer did not reach %d tokens: %s", fewTokens, describeText(got))
	})
}

// cutting returns a request for a call that is longer than the token limit.
func cutting(stream bool) *request {
	a := ordering(stream, []tool{note}, long)
	a.most, a.usage = 3*fewTokens, true
	return a
}

// checkCutFinish checks the finish reason of an answer that the token limit truncated inside a call. The answer may
// have neither text nor a call, because a server need not return a truncated call.
func checkCutFinish(ctx context.Context, t *trial) verdict {
	return bothWays(func(stream bool) verdict {
		return t.cut(ctx, stream, func(got *answer) verdict {
			if got.finish == finishLength {
				return pass("%q came", got.finishReason)
			}
			return fail(got, "got %s of at most %d, and the finish reason %q: %s", sayCount(got.usage.out, "token"), got.request.most,
				got.finishReason, describeCalls(got.calls))
		})
	})
}

// checkCutEnd checks that the arguments of a truncated call are not completed to valid JSON.
func checkCutEnd(ctx context.Context, t *trial) verdict {
	return bothWays(func(stream bool) verdict {
		return t.cut(ctx, stream, func(got *answer) verdict {
			if got.finish != finishLength {
				return notTested("the finish reason does not show that the answer was cut off")
			}
			if len(got.calls) == 0 {
				return pass("no call was made")
			}
			last := got.calls[len(got.calls)-1] // the model may have completed earlier calls
			switch {
			case !areJSON([]call{last}):
				return pass("%s", describeCalls(got.calls))
			case isBeginning(last) && !isOrdered([]call{last}, long):
				return fail(got, "the call was cut off, but its arguments are complete: %s", describeCalls(got.calls))
			}
			return notTested("the last call is complete, and the model may have ended it: %s", describeCalls(got.calls))
		})
	})
}

// cut sends a request up to t.tries times until a call is truncated. It returns the verdict of look on that answer.
func (t *trial) cut(ctx context.Context, stream bool, look func(*answer) verdict) verdict {
	last := notTested("no answer was cut off")
	for range t.tries {
		got := t.send(ctx, cutting(stream))
		if v, refused := t.refusal(got); refused {
			return v
		}
		reached := got.usage.told && got.usage.out >= got.request.most
		switch {
		case got.finish == finishLength:
			return look(got)
		case len(got.calls) == 0 && reached:
			return look(got)
		case len(got.calls) == 0:
			last = notTested("no call was cut off: %s", describeText(got))
		case isOrdered(got.calls, long) && reached, !isOrdered(got.calls, long) && isBeginning(got.calls[0]):
			return look(got)
		default: // a gateway may have retried, with the tokens of all attempts
			last = notTested("no call was cut off: %s", describeCalls(got.calls))
		}
	}
	return last
}

// isBeginning reports whether the argument of a call is a prefix of the long text.
func isBeginning(c call) bool {
	ordered, _ := parse([]byte(long.args))
	got, err := parse([]byte(c.args))
	if err != nil {
		return true
	}
	text := got.at("text").text()
	return text != "" && strings.HasPrefix(ordered.at("text").text(), text)
}
