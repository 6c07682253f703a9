package simulate

import (
	"slices"
	"strings"
)

// Functions that modify a response for several rows of the fault table.

func prose(f *callFormat) { f.before = "I will look that up." }

func keys(name, args string) func(*callFormat) {
	return func(f *callFormat) { f.name, f.args = name, args }
}

func truncate(finish string) func(*response) {
	return func(a *response) {
		if n := len(a.calls); n > 0 {
			a.calls[n-1].args = truncateJSON(a.calls[n-1].args)
			a.finish, a.capped = finish, true
		}
	}
}

func stringify(kind string) func(*response) {
	return each(func(a *response, c *call) { c.change(a.widen(c, kind), quote) })
}

func placeholder(value string) func(*response) {
	return each(func(a *response, c *call) { a.placeholder(c, value) })
}

// missing removes a required argument from every call: the first one that the tool's schema requires. If the tool has
// no schema in the request, missing removes the first argument. A call without a required argument does not change.
func missing(a *response) {
	each(func(a *response, c *call) {
		schema, declared := a.seen.schemas[c.name]
		_, required := properties(schema)
		i := slices.IndexFunc(membersOf(c.args), func(m member) bool { return !declared || slices.Contains(required, m.key) })
		if i < 0 {
			return
		}
		a.widen(c, "number") // so that other arguments remain
		c.args = joinMembers(slices.Delete(membersOf(c.args), i, i+1))
	})(a)
}

// withNonASCII adds a sentence with a non-ASCII character to the text if it has none, before it applies act.
func withNonASCII(act func(*response)) func(*response) {
	return func(a *response) {
		if strings.IndexFunc(a.text, func(r rune) bool { return r > 0x7f }) < 0 {
			a.text = strings.TrimSpace("Ich prüfe das für Sie. " + a.text)
		}
		act(a)
	}
}

// quoteCall replaces the calls by a text that quotes the first one as an example.
func quoteCall(a *response) {
	if len(a.calls) == 0 {
		return
	}
	call := hermesForm.write("", a.calls[:1])
	replaceCallsByText("A call of the tool is written between tags, for example:\n\n```xml\n" + call + "\n```\n\nIn a line of prose that is `" +
		strings.ReplaceAll(call, "\n", "") + "`. I have not called anything.")(a)
}

// echoInput replaces the calls by a text that quotes the tool results, or the user's prompt if there are none.
func echoInput(a *response) {
	given := strings.Join(a.seen.Results, "\n")
	if given == "" {
		given = a.seen.User
	}
	if len(a.calls) > 0 && !strings.ContainsAny(given, "<{[") {
		given += "\n" + hermesForm.write("", a.calls[:1])
	}
	a.text, a.calls = "You gave me this, word for word:\n\n> "+strings.ReplaceAll(given, "\n", "\n> ")+"\n\nI have not called anything.", nil
}

// Messages of Groq's errors that quote the model's output in "failed_generation".
const (
	schemaMessage = "Tool call validation failed: parameters for tool did not match schema"
	parseMessage  = "Failed to call a function. Please adjust your prompt. See 'failed_generation' for more details."
	choiceMessage = "Tool choice is required, but model did not call a tool"
)

// groq replaces the calls by Groq's tool_use_failed error with a message. generation returns the generated text that
// the error quotes. The error has status 400, or in a stream it is an event after some reasoning.
func groq(message string, generation func([]call) string) func(*response) {
	return func(a *response) {
		if len(a.calls) == 0 {
			return
		}
		members := []member{{"message", quote(message)}, {"type", `"invalid_request_error"`}, {"code", `"tool_use_failed"`},
			{"failed_generation", quote(generation(a.calls))}}
		if !a.seen.Stream {
			refuse(failure{status: 400, body: object(member{"error", object(members...)})})(a)
			return
		}
		a.reasoning, a.text, a.calls = "The user wants the weather. I will call the tool.", "", nil
		a.inband = &failure{event: "error", body: object(member{"error", object(append(members, member{"status_code", "400"})...)})}
	}
}

// unreadable replaces the calls by a finish reason, such as MALFORMED_FUNCTION_CALL. quoted returns the text that the
// response quotes from the calls.
func unreadable(finish string, quoted func([]call) string) func(*response) {
	return func(a *response) {
		if len(a.calls) > 0 {
			a.finish, a.malformed = finish, quoted(a.calls)
			a.text, a.calls = "", nil
		}
	}
}

// printResults writes each call as a Python statement that prints its result, such as print(default_api.f(x=1)).
func printResults(f *callFormat) {
	f.open, f.close, f.sep, f.start, f.end = "", "", "\n", "print(default_api.", ")"
}

// noTools rejects requests that declare tools with the given status and message.
func noTools(status int, message string) func(*response) {
	return func(a *response) {
		if len(a.seen.Tools) > 0 {
			refuse(failure{status: status, message: message})(a)
		}
	}
}

// failParser fails with status 500 instead of returning native calls, like a server whose tool parser fails. fail sends
// the failure as a response or in the stream.
func failParser(fail func(*response, failure)) func(*response) {
	return func(a *response) {
		if len(a.calls) > 0 && len(a.seen.Tools) > 0 {
			a.text, a.calls = "", nil
			fail(a, failure{status: 500, message: "XML syntax error on line 8: element <function> closed by </parameter>"})
		}
	}
}

// busy rejects the first request of each conversation with status 429 and the given headers.
func busy(header map[string]string) func(*response) {
	return func(a *response) {
		if a.seen.Repeat == 0 {
			refuse(failure{status: 429, message: "rate limit reached", header: header})(a)
		}
	}
}

// isForced reports whether the request requires a tool call, by its tool choice or, without tools, in the system
// prompt.
func (s Seen) isForced() bool {
	return s.Choice != "auto" && s.Choice != "none" || len(s.Tools) == 0 && strings.Contains(s.System, "You must call")
}

// document reports whether the request asks for tool calls as a JSON document with a "toolCalls" member.
func (s Seen) document() bool {
	return strings.Contains(s.System, `"toolCalls"`) || strings.Contains(string(s.Format), `"toolCalls"`)
}
