package reliable_test

import (
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/reliable"
)

// What a provider says that its model wrote, when it refuses it, is read like an answer in each of the forms that it has: calls are
// made, and what is a sentence of the provider's own is no answer of the model.
func TestRefusedGenerationsAreRead(t *testing.T) {
	for name, c := range map[string]struct {
		recovered string
		calls     int
		answer    string
	}{
		"a tag without its beginning": {`get_weather>{"city": "Oslo"}</function>`, 1, ""},
		"the name and its arguments":  {`get_weather{"city": "Oslo"}</function>`, 1, ""},
		"a tag":                       {`<function=get_weather>{"city": "Oslo"}</function>`, 1, ""},
		"a fence with members":        {"```\n" + `{"tool_calls":[{"id":"call_x","type":"function","function":{"name":"get_weather"},"parameters":{"city":"Oslo"}}]}` + "\n```", 1, ""},
		"a fence of the API's":        {"```\n" + `{"tool_calls":[{"id":"call_x","type":"function","function":{"name":"get_weather","arguments":"{\"city\":\"Oslo\"}"}}]}` + "\n```", 1, ""},
		"a text":                      {"I would have to look at a forecast.", 0, "I would have to look at a forecast."},
	} {
		for way, deliver := range deliveries {
			t.Run(name+"/"+way, func(t *testing.T) {
				refused := &callwright.Error{Kind: callwright.KindRefusedCall, Status: 400, Message: "Failed to call a function.", Recovered: c.recovered}
				m := &scripted{name: "lab/m", answers: []any{refused}}
				resp, err := deliver(reliable.New(m, reliable.WithOneMode(), reliable.WithMaxCorrections(0)), ask(callwright.Choice{}))
				if err != nil || len(resp.Calls()) != c.calls || strings.TrimSpace(resp.Text()) != c.answer {
					t.Fatalf("%v, %+v", err, resp)
				}
				if c.calls == 1 && string(resp.Calls()[0].Arguments) != oslo && string(resp.Calls()[0].Arguments) != `{"city": "Oslo"}` {
					t.Errorf("got %s", resp.Calls()[0].Arguments)
				}
			})
		}
	}
}

// Of an answer whose call could not be parsed, calls that can be read are made; what cannot be read is asked for again and never shown.
func TestUnparsedCalls(t *testing.T) {
	unparsed := func(text string) error {
		return &callwright.Error{Kind: callwright.KindRefusedCall, Message: "the model's call could not be parsed", Finish: callwright.FinishMalformedCall, Recovered: text}
	}
	const cut = "```tool_code\n" + `print(default_api.get_weather(city="Os` + "\n```"
	for name, c := range map[string]struct {
		answers []any
		asked   int
		fails   bool
	}{
		"it can be read":        {[]any{unparsed(`<function=get_weather>` + oslo + `</function>`)}, 1, false},
		"it is asked for again": {[]any{unparsed(cut), goodCall}, 2, false},
		"words are before it":   {[]any{unparsed("Let me see.\n" + cut), goodCall}, 2, false},
		"it never can be read":  {[]any{unparsed(cut), unparsed(cut), unparsed(cut), unparsed(cut), unparsed(cut), unparsed(cut)}, 0, true},
	} {
		for way, deliver := range deliveries {
			t.Run(name+"/"+way, func(t *testing.T) {
				m := &scripted{name: "lab/m", answers: c.answers}
				resp, err := deliver(reliable.New(m, reliable.WithOneMode()), ask(callwright.Choice{}))
				if c.fails {
					if err == nil {
						t.Fatalf("expected an error, got %+v", resp)
					}
					return
				}
				if err != nil || len(resp.Calls()) != 1 || strings.TrimSpace(resp.Text()) != "" || len(m.asked) != c.asked {
					t.Fatalf("%v, %+v, asked %d times", err, resp, len(m.asked))
				}
			})
		}
	}
}

// What a model said before a call that cannot be read is kept, and is the answer where nothing better comes.
func TestWordsBeforeUnparsedCalls(t *testing.T) {
	const said, cut = "Let me see.\n", "```tool_code\n" + `print(default_api.get_weather(city="Os` + "\n```"
	for way, deliver := range deliveries {
		t.Run(way, func(t *testing.T) {
			unparsed := &callwright.Error{Kind: callwright.KindRefusedCall, Message: "the model's call could not be parsed", Finish: callwright.FinishMalformedCall, Recovered: said + cut, Said: said}
			m := &scripted{name: "lab/m", answers: []any{unparsed}}
			resp, err := deliver(reliable.New(m, reliable.WithOneMode(), reliable.WithMaxCorrections(0)), ask(callwright.Choice{}))
			if err != nil || len(resp.Calls()) != 0 || strings.TrimSpace(resp.Text()) != "Let me see." {
				t.Fatalf("%v, %+v", err, resp)
			}
		})
	}
}

// A call that a provider refused is a call, marked or not: where its arguments do not fit, and nobody may be asked again, it is an error and no text.
func TestRefusedGenerationsThatDoNotFit(t *testing.T) {
	for name, recovered := range map[string]string{
		"bare":                     `{"name": "get_weather", "arguments": {"town": "Oslo"}}`,
		"in a list":                `[{"name": "get_weather", "parameters": {"town": "Oslo"}}]`,
		"in a fence":               "```json\n" + `{"name": "get_weather", "arguments": {"town": "Oslo"}}` + "\n```",
		"as the API has it":        `{"tool_calls":[{"id":"call_x","type":"function","function":{"name":"get_weather","arguments":"{\"town\":\"Oslo\"}"}}]}`,
		"marked":                   `<tool_call>{"name": "get_weather", "arguments": {"town": "Oslo"}}</tool_call>`,
		"a function":               `<function=get_weather>{"town": "Oslo"}</function>`,
		"a list of Python's calls": `[get_weather(town="Oslo")]`,
	} {
		for way, deliver := range deliveries {
			t.Run(name+"/"+way, func(t *testing.T) {
				refused := &callwright.Error{Kind: callwright.KindRefusedCall, Status: 400, Message: "Tool call validation failed.", Recovered: recovered}
				resp, err := deliver(reliable.New(&scripted{name: "lab/m", answers: []any{refused}}, reliable.WithOneMode(), reliable.WithMaxCorrections(0)), ask(callwright.Choice{}))
				if callwright.KindOf(err) != callwright.KindInvalidCall {
					t.Errorf("expected %s, got %v, %+v", callwright.KindInvalidCall, err, resp)
				}
			})
		}
	}
}
