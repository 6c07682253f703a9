package conformance

import (
	"context"
	"net/http"
	"strings"
)

// Checks of reasoning, usage, errors, streams and the model list.

func checkReasoning(ctx context.Context, t *trial) verdict {
	return bothWays(func(stream bool) verdict {
		got := t.send(ctx, &request{messages: []message{user("How many letters has the word conformance? Think, then answer.")},
			think: true, stream: stream})
		switch {
		case got.isLimited():
			return rateLimitVerdict(got)
		case got.isRefused():
			return notTested("the server refuses reasoning: %s", short(string(got.body)))
		case got.problem() != "":
			return fail(got, "%s", got.problem())
		}
		for _, v := range got.broken {
			if v.check == "reasoning_form" {
				return fail(got, "%s", v.why)
			}
		}
		if got.reasoning == "" {
			return notTested("the answer has no reasoning")
		}
		return pass("it reasons: %s", short(got.reasoning))
	})
}

func checkUsage(stream bool) func(context.Context, *trial) verdict {
	return func(ctx context.Context, t *trial) verdict {
		got := t.send(ctx, &request{messages: []message{user(greeting)}, stream: stream, usage: true})
		if v, refused := t.refusal(got); refused {
			return v
		}
		u := got.usage
		switch {
		case !u.told:
			return fail(got, "the answer has no token usage")
		case u.in < 0 || u.out < 0 || u.total < u.in:
			return fail(got, "%d tokens in, %d out, %d in all", u.in, u.out, u.total)
		case t.form.name != Gemini && u.in+u.out != u.total:
			return fail(got, "%d tokens in and %d out are not %d", u.in, u.out, u.total)
		}
		return pass("%d tokens in, %d out", u.in, u.out)
	}
}

func checkStreamedText(ctx context.Context, t *trial) verdict {
	got := t.send(ctx, &request{messages: []message{user(greeting)}, stream: true})
	if v, refused := t.refusal(got); refused {
		return v
	}
	if got.text == "" && got.reasoning == "" {
		return fail(got, "the answer has no text")
	}
	return pass("it said %s", describeText(got))
}

// wrong returns the verdict on the response to an invalid request, which must be a 4xx error.
func wrong(got *answer) verdict {
	switch {
	case got.err != nil && got.status == 0:
		return fail(got, "%v", got.err)
	case got.isLimited():
		return rateLimitVerdict(got)
	case got.isRefused():
		return pass("refused with %d", got.status)
	case got.status/100 == 2:
		return fail(got, "expected a refusal, got status %d", got.status)
	}
	return fail(got, "expected a status 4xx, got %d", got.status)
}

func checkBadJSON(ctx context.Context, t *trial) verdict {
	return wrong(t.send(ctx, &request{body: `{"model":"` + t.o.Model + `","messages":[{"role":`}))
}

func checkNoMessages(ctx context.Context, t *trial) verdict {
	return wrong(t.send(ctx, &request{edit: func(body map[string]any) {
		for _, name := range []string{"messages", "input", "contents"} {
			delete(body, name)
		}
	}}))
}

func checkBadSchema(ctx context.Context, t *trial) verdict {
	bad := weather
	bad.schema = `"no schema"`
	return wrong(t.send(ctx, &request{messages: []message{user(greeting)}, tools: []tool{bad}}))
}

func checkBadChoice(ctx context.Context, t *trial) verdict {
	return wrong(t.send(ctx, &request{messages: []message{user(greeting)}, tools: []tool{weather}, choice: "no_such_tool"}))
}

func checkBadModel(ctx context.Context, t *trial) verdict {
	got := t.send(ctx, &request{messages: []message{user(greeting)}, model: "no-such-model", most: fewTokens})
	if got.status/100 == 2 {
		return notTested("the server accepts any model name")
	}
	return wrong(got)
}

func checkNoKey(ctx context.Context, t *trial) verdict {
	if t.o.Key == "" {
		return notTested("no key was given")
	}
	got := t.send(ctx, &request{messages: []message{user(greeting)}, anonymous: true, most: fewTokens})
	switch {
	case got.status == http.StatusUnauthorized || got.status == http.StatusForbidden:
		return pass("refused with %d", got.status)
	case got.status/100 == 2:
		return notTested("the server does not require a key")
	case got.isLimited():
		return rateLimitVerdict(got)
	}
	return fail(got, "expected the status 401 or 403, got %d", got.status)
}

func checkBadStream(ctx context.Context, t *trial) verdict {
	bad := weather
	bad.schema = `"no schema"`
	return wrong(t.send(ctx, &request{messages: []message{user(greeting)}, tools: []tool{bad}, stream: true}))
}

// checkModels checks the model list next to the URL of the API.
func checkModels(ctx context.Context, t *trial) verdict {
	address, _, _ := strings.Cut(t.url(t.o.Model, false), "/models/")
	for _, path := range []string{"/chat/completions", "/responses", "/messages", "/chat"} {
		address = strings.TrimSuffix(address, path)
	}
	address += t.form.list
	names, why, got := t.models(ctx, address)
	t.answers = append(t.answers, got)
	switch {
	case got.status == http.StatusNotFound || got.status == http.StatusMethodNotAllowed:
		return notTested("the server has no list at %s", address)
	case got.isLimited():
		return rateLimitVerdict(got)
	case why != "":
		return fail(got, "%s", why)
	}
	return pass("it has %s", sayCount(len(names), "model"))
}
