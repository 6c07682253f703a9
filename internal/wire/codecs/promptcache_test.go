package codecs_test

import (
	"bytes"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/companion"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/wire/codecs"
	"github.com/callwright/callwright/simulate"
)

// longPrompts are conversations of several turns by API: %s stands for instructions, a description of a tool, and what is said last.
var longPrompts = map[callwright.WireName]string{
	callwright.WireOpenAI: `{"model":"m","messages":[{"role":"system","content":"%s"},{"role":"user","content":"a"},{"role":"assistant","content":null,"tool_calls":[{"id":"call_1","type":"function","function":{"name":"f","arguments":"{}"}}]},` +
		`{"role":"tool","tool_call_id":"call_1","content":"r"},{"role":"assistant","content":"b"},{"role":"user","content":"%[3]s"}],"tools":[{"type":"function","function":{"name":"f","description":"%[2]s","parameters":{"type":"object"}}}]}`,
	callwright.WireResponses: `{"model":"m","instructions":"%s","input":[{"role":"user","content":"a"},{"type":"function_call","call_id":"call_1","name":"f","arguments":"{}"},{"type":"function_call_output","call_id":"call_1","output":"r"},` +
		`{"role":"assistant","content":"b"},{"role":"user","content":"%[3]s"}],"tools":[{"type":"function","name":"f","description":"%[2]s","parameters":{"type":"object"}}]}`,
	callwright.WireAnthropic: `{"model":"m","max_tokens":9,"system":"%s","messages":[{"role":"user","content":"a"},{"role":"assistant","content":[{"type":"tool_use","id":"call_1","name":"f","input":{}}]},` +
		`{"role":"user","content":[{"type":"tool_result","tool_use_id":"call_1","content":"r"}]},{"role":"assistant","content":"b"},{"role":"user","content":"%[3]s"}],"tools":[{"name":"f","description":"%[2]s","input_schema":{"type":"object"}}]}`,
	callwright.WireGemini: `{"systemInstruction":{"parts":[{"text":"%s"}]},"contents":[{"role":"user","parts":[{"text":"a"}]},{"role":"model","parts":[{"functionCall":{"name":"f","args":{}}}]},` +
		`{"role":"user","parts":[{"functionResponse":{"name":"f","response":{"output":"r"}}}]},{"role":"model","parts":[{"text":"b"}]},{"role":"user","parts":[{"text":"%[3]s"}]}],"tools":[{"functionDeclarations":[{"name":"f","description":"%[2]s","parameters":{"type":"OBJECT"}}]}]}`,
	callwright.WireOllama: `{"model":"m","messages":[{"role":"system","content":"%s"},{"role":"user","content":"a"},{"role":"assistant","content":"","tool_calls":[{"function":{"name":"f","arguments":{}}}]},` +
		`{"role":"tool","tool_name":"f","content":"r"},{"role":"assistant","content":"b"},{"role":"user","content":"%[3]s"}],"tools":[{"type":"function","function":{"name":"f","description":"%[2]s","parameters":{"type":"object"}}}]}`,
}

// promptOf is a request with instructions, a tool's description and a last message of so many words.
func promptOf(t *testing.T, from callwright.WireName, system, tools, last int) *callwright.Request {
	t.Helper()
	words := func(n int) string { return "x" + strings.Repeat(" word", n) }
	return requestOf(t, from, fmt.Sprintf(longPrompts[from], words(system), words(tools), words(last)))
}

// marksIn are the places of the marks of a request, with the text before each.
func marksIn(sent []byte) (places []string) {
	var walk func(v []byte, at string)
	walk = func(v []byte, at string) {
		for k, in := range jsonx.Members(v) {
			if k.Is("cache_control") {
				places = append(places, strings.TrimPrefix(at, "/"))
				continue
			}
			walk(in, at+"/"+k.String())
		}
		n := 0
		for e := range jsonx.Elements(v) {
			walk(e, fmt.Sprint(at, "/", n))
			n++
		}
	}
	walk(sent, "")
	slices.Sort(places)
	return places
}

// isTaken reports an error where a server of Anthropic's API refuses what is sent.
func isTaken(t *testing.T, to callwright.WireName, sent []byte) {
	t.Helper()
	if to != callwright.WireAnthropic {
		return
	}
	w, r := httptest.NewRecorder(), httptest.NewRequest(http.MethodPost, "/v1/messages", bytes.NewReader(sent))
	r.Header = http.Header{"Content-Type": {"application/json"}, "Anthropic-Version": {"2023-06-01"}, "X-Api-Key": {"k"}}
	simulate.New(simulate.Weather(), simulate.Strict("anthropic")).ServeHTTP(w, r)
	if w.Code != http.StatusOK {
		t.Errorf("%s\nis refused: %s", sent, w.Body)
	}
}

// Marks of what to cache are added for clients whose API has none, where the receiver is known to cache by them and what stands before
// a mark is long enough: after the tools, the instructions and the last message.
func TestMarksAreAdded(t *testing.T) {
	const least = 1024 // tokens, three bytes each
	needs := caps.Caps{CacheControl: caps.Yes, CacheMin: least}
	for name, c := range map[string]struct {
		system, tools, last int // words of five bytes
		caps                caps.Caps
		cache               callwright.CacheMode
		places              []string // sorted
	}{
		"all of it is long":           {700, 700, 700, needs, "", []string{"messages", "system", "tools"}},
		"asked for":                   {700, 700, 700, needs, callwright.CacheAuto, []string{"messages", "system", "tools"}},
		"tools and instructions are":  {700, 1, 1, needs, "", []string{"messages", "system"}},
		"the conversation is":         {1, 1, 700, needs, "", []string{"messages"}},
		"it is long together":         {250, 250, 250, needs, "", []string{"messages"}},
		"nothing is":                  {100, 100, 100, needs, "", nil},
		"what the client says alone":  {700, 700, 700, needs, callwright.CacheClient, nil},
		"nothing is to be cached":     {700, 700, 700, needs, callwright.CacheOff, nil},
		"marks are not needed":        {700, 700, 700, caps.Caps{CacheControl: caps.Yes}, "", nil},
		"marks are not known":         {700, 700, 700, caps.Caps{CacheMin: least}, "", nil},
		"marks are refused":           {700, 700, 700, caps.Caps{CacheControl: caps.No, CacheMin: least}, "", nil},
		"contents are to be strings":  {700, 700, 700, caps.Caps{CacheControl: caps.Yes, CacheMin: least, History: caps.HistoryRules{StringContent: true}}, "", nil},
		"a model that caches at once": {1, 1, 1, caps.Caps{CacheControl: caps.Yes, CacheMin: 1}, "", []string{"messages", "system", "tools"}},
	} {
		at := map[callwright.WireName]map[string]string{
			callwright.WireAnthropic: {"messages": "messages/4/content/0", "system": "system/0", "tools": "tools/0"},
			callwright.WireOpenAI:    {"messages": "messages/5/content/0", "system": "messages/0/content/0", "tools": "tools/0"},
		}
		for from := range longPrompts {
			for _, to := range codecs.All() {
				req := promptOf(t, from, c.system, c.tools, c.last)
				req.Cache = c.cache
				var want []string
				if from != callwright.WireAnthropic { // it could have said so
					for _, p := range c.places {
						want = append(want, at[to.Name()][p])
					}
				}
				if at[to.Name()] == nil {
					want = nil
				}
				slices.Sort(want)
				sent, notes, err := to.EncodeRequest(req, "m", c.caps)
				if err != nil {
					t.Fatal(err)
				}
				if got := marksIn(sent); !slices.Equal(got, want) {
					t.Errorf("%s: %s to %s: marks at %q, want %q", name, from, to.Name(), got, want)
				}
				marked := slices.ContainsFunc(notes, func(n callwright.Note) bool { return n.Rule == "cache.marked" })
				if marked != (len(want) > 0) {
					t.Errorf("%s: %s to %s: notes %v", name, from, to.Name(), notes)
				}
				if err := jsonx.Valid(sent); err != nil {
					t.Errorf("%s: %s to %s: %v in %s", name, from, to.Name(), err, sent)
				}
				isTaken(t, to.Name(), sent)
			}
		}
	}
}

// A mark stands where the API takes one: not on thoughts, on empty texts or on tools that are loaded later, and in a form of Chat
// Completions on texts alone.
func TestPlacesOfMarks(t *testing.T) {
	all := caps.Caps{CacheControl: caps.Yes, CacheMin: 1}
	for _, c := range []struct {
		to       callwright.WireName
		messages string // of a client of Chat Completions
		want     string // the last message that is sent
	}{
		{callwright.WireAnthropic, `{"role":"user","content":"a"}`, `{"role":"user","content":[{"type":"text","text":"a","cache_control":{"type":"ephemeral"}}]}`},
		{callwright.WireAnthropic, `{"role":"user","content":[{"type":"text","text":"a"},{"type":"text","text":" "}]}`, `{"role":"user","content":[{"type":"text","text":"a","cache_control":{"type":"ephemeral"}}]}`},
		{callwright.WireAnthropic, `{"role":"user","content":[{"type":"text","text":"a"},{"type":"image_url","image_url":{"url":"data:image/png;base64,AAAA"}}]}`,
			`{"role":"user","content":[{"type":"text","text":"a"},{"type":"image","source":{"type":"base64","media_type":"image/png","data":"AAAA"},"cache_control":{"type":"ephemeral"}}]}`},
		{callwright.WireAnthropic, `{"role":"user","content":"a"},{"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"f","arguments":"{}"}},{"id":"c2","type":"function","function":{"name":"f","arguments":"{}"}}]},` +
			`{"role":"tool","tool_call_id":"c1","content":"r"},{"role":"tool","tool_call_id":"c2","content":""}`,
			`{"role":"user","content":[{"type":"tool_result","tool_use_id":"c1","content":"r"},{"type":"tool_result","tool_use_id":"c2","cache_control":{"type":"ephemeral"}}]}`},
		{callwright.WireOpenAI, `{"role":"user","content":"a"}`, `{"role":"user","content":[{"type":"text","text":"a","cache_control":{"type":"ephemeral"}}]}`},
		{callwright.WireOpenAI, `{"role":"user","content":" "}`, `{"role":"user","content":" "}`},
		{callwright.WireOpenAI, `{"role":"user","content":[{"type":"text","text":"a"},{"type":"image_url","image_url":{"url":"data:image/png;base64,AAAA"}}]}`,
			`{"role":"user","content":[{"type":"text","text":"a","cache_control":{"type":"ephemeral"}},{"type":"image_url","image_url":{"url":"data:image/png;base64,AAAA"}}]}`},
		{callwright.WireOpenAI, `{"role":"user","content":"a"},{"role":"assistant","tool_calls":[{"id":"c1","type":"function","function":{"name":"f","arguments":"{}"}}]},{"role":"tool","tool_call_id":"c1","content":"r"}`,
			`{"role":"tool","tool_call_id":"c1","content":[{"type":"text","text":"r","cache_control":{"type":"ephemeral"}}]}`},
		{callwright.WireOpenAI, `{"role":"system","content":"a"}`, `{"role":"system","content":[{"type":"text","text":"a","cache_control":{"type":"ephemeral"}}]}`},
	} {
		req := requestOf(t, callwright.WireOpenAI, `{"model":"m","messages":[ `+c.messages+` ],"tools":[{"type":"function","function":{"name":"f","parameters":{"type":"object"}}}]}`)
		sent, _, err := codecOf(t, c.to).EncodeRequest(req, "m", all)
		if err != nil {
			t.Fatal(err)
		}
		isTaken(t, c.to, sent)
		if got := lastMessage(sent); got != c.want {
			t.Errorf("%s to %s:\ngot  %s\nwant %s", c.messages, c.to, got, c.want)
		}
	}
	later := callwright.Extra{Wire: callwright.WireAnthropic, JSON: []byte(`{"defer_loading":true}`)}
	req := &callwright.Request{Messages: []callwright.Message{callwright.UserText("a")}, Tools: []callwright.Tool{{Name: "f"}, {Name: "g", Extra: later}, {Name: "h", Extra: later}}}
	sent, _, err := codecOf(t, callwright.WireAnthropic).EncodeRequest(req, "m", all)
	if got, want := marksIn(sent), []string{"messages/0/content/0", "tools/0"}; err != nil || !slices.Equal(got, want) {
		t.Errorf("marks at %q, want %q: %v", got, want, err)
	}
}

// What only looks like a mark, in a schema or in a text, is none: marks are added.
func TestNamesAreNoMarks(t *testing.T) {
	body := `{"model":"m","messages":[{"role":"user","content":"\"cache_control\""},{"role":"assistant","content":null,"tool_calls":[{"id":"c","type":"function","function":{"name":"f","arguments":"{\"cache_control\":1}"}}]},` +
		`{"role":"tool","tool_call_id":"c","content":"r"}],"tools":[{"type":"function","function":{"name":"f","parameters":{"type":"object","properties":{"cache_control":{"type":"string"}},"required":["cache_control"]}}}]}`
	for to, want := range map[callwright.WireName]int{callwright.WireAnthropic: 2, callwright.WireOpenAI: 2} {
		sent, notes, err := codecOf(t, to).EncodeRequest(requestOf(t, callwright.WireOpenAI, body), "m", caps.Caps{CacheControl: caps.Yes, CacheMin: 1})
		if n := bytes.Count(sent, []byte(`"cache_control":{"type":"ephemeral"}`)); err != nil || n != want {
			t.Errorf("%s: %d marks in %s, notes %v, %v", to, n, sent, notes, err)
		}
		off := requestOf(t, callwright.WireOpenAI, body)
		off.Cache = callwright.CacheOff
		if sent, notes, _ = codecOf(t, to).EncodeRequest(off, "m", caps.Caps{CacheControl: caps.Yes}); !bytes.Contains(sent, []byte(`"properties":{"cache_control":`)) || slices.ContainsFunc(notes, func(n callwright.Note) bool { return strings.HasPrefix(n.Rule, "cache.") }) {
			t.Errorf("%s: sent %s with %v", to, sent, notes)
		}
	}
}

// The marks of OpenAI's own APIs are noted where they have no place, and are left out of its own where caching is off.
func TestBreakpointsOfOpenAI(t *testing.T) {
	const mark = `"prompt_cache_breakpoint":{"mode":"explicit"}`
	for from, body := range map[callwright.WireName]string{
		callwright.WireOpenAI:    `{"model":"m","messages":[{"role":"user","content":[{"type":"text","text":"a",` + mark + `}]}]}`,
		callwright.WireResponses: `{"model":"m","input":[{"role":"user","content":[{"type":"input_text","text":"a",` + mark + `}]}]}`,
	} {
		for _, to := range codecs.All() {
			for _, cache := range []callwright.CacheMode{callwright.CacheAuto, callwright.CacheOff} {
				req := requestOf(t, from, body)
				req.Cache = cache
				sent, notes, err := to.EncodeRequest(req, "m", caps.Caps{CacheControl: caps.No})
				if err != nil {
					t.Fatal(err)
				}
				rule, kept := "history.cache_mark", false
				if from == to.Name() {
					rule, kept = "cache.off", cache != callwright.CacheOff
				}
				noted := slices.ContainsFunc(notes, func(n callwright.Note) bool { return n.Rule == rule })
				if bytes.Contains(sent, []byte(mark)) != kept || noted == kept {
					t.Errorf("%s to %s, cache %s: %v in %s", from, to.Name(), cache, notes, sent)
				}
			}
		}
	}
}

func lastMessage(sent []byte) (last string) {
	list, _ := jsonx.Find(sent, "messages")
	for m := range jsonx.Elements(list) {
		last = string(m)
	}
	return last
}

// cacheRules are the rules about caches that notes have, each once, in their order.
func cacheRules(notes []callwright.Note) (rules []string) {
	for _, n := range notes {
		if strings.Contains(n.Rule, "cache") && !slices.Contains(rules, n.Rule) {
			rules = append(rules, n.Rule)
		}
	}
	slices.Sort(rules)
	return rules
}

// What a client says about caching is said to a receiver that has it in another form, and back; where it has no place it is noted.
func TestMarksTravel(t *testing.T) {
	const mark = `"cache_control":{"type":"ephemeral","ttl":"1h"}`
	takes, none := caps.Caps{CacheControl: caps.Yes, CacheMin: 1}, caps.Caps{}
	messages := map[callwright.WireName]string{
		callwright.WireAnthropic: `"max_tokens":9,"system":[{"type":"text","text":"s",` + mark + `}],"messages":[{"role":"user","content":[{"type":"text","text":"a",` + mark + `},{"type":"text","text":"b"}]},` +
			`{"role":"assistant","content":[{"type":"tool_use","id":"call_1","name":"f","input":{}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"call_1","content":"r",` + mark + `}]}],"tools":[{"name":"f","input_schema":{"type":"object"},` + mark + `}]`,
		callwright.WireOpenAI: `"messages":[{"role":"system","content":[{"type":"text","text":"s",` + mark + `}]},{"role":"user","content":[{"type":"text","text":"a",` + mark + `},{"type":"text","text":"b"}]},` +
			`{"role":"assistant","content":null,"tool_calls":[{"id":"call_1","type":"function","function":{"name":"f","arguments":"{}"}}]},{"role":"tool","tool_call_id":"call_1","content":[{"type":"text","text":"r",` + mark + `}]}],` +
			`"tools":[{"type":"function","function":{"name":"f","parameters":{"type":"object"}},` + mark + `}]`,
	}
	places := map[callwright.WireName][]string{
		callwright.WireAnthropic: {"messages/0/content/0", "messages/2/content/0", "system/0", "tools/0"},
		callwright.WireOpenAI:    {"messages/0/content/0", "messages/1/content/0", "messages/3/content/0", "tools/0"},
	}
	for from, body := range messages {
		for _, to := range codecs.All() {
			for _, c := range []struct {
				caps  caps.Caps
				cache callwright.CacheMode
				want  []string
				rules []string
			}{
				{takes, callwright.CacheAuto, places[to.Name()], nil},
				{takes, callwright.CacheClient, places[to.Name()], nil},
				{takes, callwright.CacheOff, nil, []string{"history.cache_mark", "tools.cache_mark"}},
				{none, callwright.CacheAuto, nil, []string{"history.cache_mark", "tools.cache_mark"}},
				{caps.Caps{CacheControl: caps.No}, callwright.CacheAuto, nil, []string{"history.cache_mark", "tools.cache_mark"}},
			} {
				same := from == to.Name()
				switch {
				case same && c.cache == callwright.CacheOff:
					c.rules = []string{"cache.off"}
				case same && c.caps.CacheControl == caps.No:
					c.rules = []string{"history.cache_mark"}
				case same:
					c.want, c.rules = places[from], nil
				case places[to.Name()] == nil:
					c.rules = []string{"history.cache_mark", "tools.cache_mark"}
				}
				for _, ways := range []bool{false, true} {
					req := requestOf(t, from, `{"model":"m",`+body+`}`)
					req.Cache = c.cache
					if ways && !same {
						req = builtOf(t, req)
					}
					sent, notes, err := to.EncodeRequest(req, "m", c.caps)
					if err != nil {
						t.Fatal(err)
					}
					rules := cacheRules(notes)
					isTaken(t, to.Name(), sent)
					if got := marksIn(sent); !slices.Equal(got, c.want) || bytes.Count(sent, []byte(mark)) != len(c.want) || !slices.Equal(rules, c.rules) {
						t.Errorf("%s to %s, cache %s, marks %s: marks at %q with %v, want %q with %v, in %s", from, to.Name(), c.cache, c.caps.CacheControl, got, rules, c.want, c.rules, sent)
					}
				}
			}
		}
	}
}

// builtOf is a request as a program builds it, of what was decoded.
func builtOf(t *testing.T, req *callwright.Request) *callwright.Request {
	t.Helper()
	built := *req
	var err error
	if built.Messages, err = req.History(); err != nil {
		t.Fatal(err)
	}
	if built.Tools, err = req.DeclaredTools(); err != nil {
		t.Fatal(err)
	}
	companion.Change(&built, func(c *companion.Companion) { c.Body = nil })
	return &built
}

// A request has four marks at most: the last ones are sent, and those of tools before no others.
func TestNoMoreThanFourMarks(t *testing.T) {
	const mark = `"cache_control":{"type":"ephemeral"}`
	text := func(n int) string {
		var out []string
		for i := range n {
			out = append(out, fmt.Sprintf(`{"type":"text","text":"t%d",%s}`, i, mark))
		}
		return strings.Join(out, ",")
	}
	for _, c := range []struct {
		top, tool string
		texts     int
		want      []string
	}{
		{"", "", 4, []string{"messages/0/content/0", "messages/0/content/1", "messages/0/content/2", "messages/0/content/3"}},
		{"", "", 6, []string{"messages/0/content/2", "messages/0/content/3", "messages/0/content/4", "messages/0/content/5"}},
		{"", "," + mark, 3, []string{"messages/0/content/0", "messages/0/content/1", "messages/0/content/2", "tools/0"}},
		{"", "," + mark, 4, []string{"messages/0/content/0", "messages/0/content/1", "messages/0/content/2", "messages/0/content/3"}},
		{mark + ",", "," + mark, 2, []string{"messages/0/content/0", "messages/0/content/1", "messages/2/content/0", "tools/0"}},
		{mark + ",", "", 5, []string{"messages/0/content/2", "messages/0/content/3", "messages/0/content/4", "messages/2/content/0"}},
	} {
		body := `{"model":"m",` + c.top + `"messages":[{"role":"user","content":[` + text(c.texts) + `]},{"role":"assistant","content":"b"},{"role":"user","content":"c"}],` +
			`"tools":[{"type":"function","function":{"name":"f","parameters":{"type":"object"}}` + c.tool + `}]}`
		sent, notes, err := codecOf(t, callwright.WireAnthropic).EncodeRequest(requestOf(t, callwright.WireOpenAI, body), "m", caps.Caps{CacheControl: caps.Yes, CacheMin: 1})
		if err != nil {
			t.Fatal(err)
		}
		got := marksIn(sent)
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: marks at %q, want %q", body, got, c.want)
		}
		isTaken(t, callwright.WireAnthropic, sent)
		left := slices.ContainsFunc(notes, func(n callwright.Note) bool { return strings.HasSuffix(n.Rule, ".cache_mark") })
		if said := strings.Count(body, mark); left != (said > len(got)) {
			t.Errorf("%s: %d of %d marks, notes %v", body, len(got), said, notes)
		}
	}
}

// A key for the prompt cache goes to a provider that is known to take one, from clients whose API has none: the same for as long as the
// conversation goes on, and another one for another conversation.
func TestKeyOfThePromptCache(t *testing.T) {
	openAI := caps.Caps{ServiceParams: caps.Yes}
	key := func(sent []byte) string {
		v, _ := jsonx.Find(sent, "prompt_cache_key")
		return jsonx.TextOf(v)
	}
	for from := range longPrompts {
		for _, to := range codecs.All() {
			send := func(req *callwright.Request, c caps.Caps, cache callwright.CacheMode) string {
				req.Cache = cache
				sent, notes, err := to.EncodeRequest(req, "m", c)
				if err != nil {
					t.Fatal(err)
				}
				k := key(sent)
				if noted := slices.ContainsFunc(notes, func(n callwright.Note) bool { return n.Rule == "cache.key" && n.Now == k }); noted != (k != "") {
					t.Errorf("%s to %s: key %q, notes %v", from, to.Name(), k, notes)
				}
				return k
			}
			first := send(promptOf(t, from, 1, 2, 3), openAI, "")
			theirs := from == callwright.WireOpenAI || from == callwright.WireResponses
			takes := to.Name() == callwright.WireOpenAI || to.Name() == callwright.WireResponses
			if (len(first) == 32) != (takes && !theirs) {
				t.Errorf("%s to %s: key %q", from, to.Name(), first)
			}
			if first == "" {
				continue
			}
			changed := promptOf(t, from, 1, 2, 3)
			changed.Messages, _ = changed.History()
			changed.Messages = append([]callwright.Message{callwright.SystemText("added")}, changed.Messages...)
			for what, c := range map[string]struct {
				got  string
				same bool
			}{
				"later":                  {send(promptOf(t, from, 1, 2, 900), openAI, callwright.CacheAuto), true},
				"changed on the way":     {send(changed, openAI, ""), true},
				"other instructions":     {send(promptOf(t, from, 2, 2, 3), openAI, ""), false},
				"the client's words":     {send(promptOf(t, from, 1, 2, 3), openAI, callwright.CacheClient), false},
				"off":                    {send(promptOf(t, from, 1, 2, 3), openAI, callwright.CacheOff), false},
				"provider is not known":  {send(promptOf(t, from, 1, 2, 3), caps.Caps{}, ""), false},
				"other provider's facts": {send(promptOf(t, from, 1, 2, 3), caps.Caps{ServiceParams: caps.No}, ""), false},
			} {
				if (c.got == first) != c.same {
					t.Errorf("%s to %s, %s: %q after %q", from, to.Name(), what, c.got, first)
				}
			}
		}
	}
}

// What a client of one of OpenAI's APIs says about caching is sent to the other, where the provider is known to take it; nothing of it
// where caching is off.
func TestCacheSettingsOfOpenAI(t *testing.T) {
	const said = `"prompt_cache_key":"k","prompt_cache_retention":"24h","prompt_cache_options":{"ttl":"30m"}`
	bodies := map[callwright.WireName]string{callwright.WireOpenAI: `{"model":"m","messages":[{"role":"user","content":"a"}],` + said + `}`, callwright.WireResponses: `{"model":"m","input":"a",` + said + `}`}
	for from, body := range bodies {
		for to := range bodies {
			for _, c := range []struct {
				cache callwright.CacheMode
				known caps.Truth
				sent  bool
			}{{"", caps.Yes, true}, {callwright.CacheClient, caps.Yes, true}, {callwright.CacheOff, caps.Yes, false}, {"", caps.Unknown, from == to}, {callwright.CacheOff, caps.Unknown, false}} {
				req := requestOf(t, from, body)
				req.Cache = c.cache
				sent, notes, err := codecOf(t, to).EncodeRequest(req, "m", caps.Caps{ServiceParams: c.known})
				if err != nil {
					t.Fatal(err)
				}
				for _, member := range strings.SplitAfter(said, `",`) {
					if member = strings.TrimSuffix(member, ","); bytes.Contains(sent, []byte(member)) != c.sent {
						t.Errorf("%s to %s, cache %q: %s in %s", from, to, c.cache, member, sent)
					}
				}
				if (len(notes) == 0) != c.sent || c.cache == callwright.CacheOff && !slices.ContainsFunc(notes, func(n callwright.Note) bool { return n.Rule == "cache.off" }) {
					t.Errorf("%s to %s, cache %q: notes %v", from, to, c.cache, notes)
				}
			}
		}
	}
}
