package codecs_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/wire"
)

// turnsOf are a turn of a conversation by API: what the user says, a call, its result and the answer, of turn %d each.
var turnsOf = map[callwright.WireName][]string{
	callwright.WireOpenAI: {`{"role":"user","content":"say %d"}`, `{"role":"assistant","content":null,"tool_calls":[{"id":"call_%[1]d","type":"function","function":{"name":"f","arguments":"{\"n\":%[1]d}"}}]}`,
		`{"role":"tool","tool_call_id":"call_%[1]d","content":"result %[1]d"}`, `{"role":"assistant","content":"answer %d"}`},
	callwright.WireResponses: {`{"role":"user","content":"say %d"}`, `{"type":"function_call","call_id":"call_%[1]d","name":"f","arguments":"{\"n\":%[1]d}"}`,
		`{"type":"function_call_output","call_id":"call_%[1]d","output":"result %[1]d"}`, `{"role":"assistant","content":"answer %d"}`},
	callwright.WireGemini: {`{"role":"user","parts":[{"text":"say %d"}]}`, `{"role":"model","parts":[{"functionCall":{"name":"f","args":{"n":%d}}}]}`,
		`{"role":"user","parts":[{"functionResponse":{"name":"f","response":{"output":"result %d"}}}]}`, `{"role":"model","parts":[{"text":"answer %d"}]}`},
	callwright.WireOllama: {`{"role":"user","content":"say %d"}`, `{"role":"assistant","content":"","tool_calls":[{"function":{"name":"f","arguments":{"n":%d}}}]}`,
		`{"role":"tool","tool_name":"f","content":"result %d"}`, `{"role":"assistant","content":"answer %d"}`},
}

// grown is a conversation of n messages after its instructions.
func grown(from callwright.WireName, n int) string {
	var list []string
	for i := range n {
		turn := turnsOf[from]
		list = append(list, fmt.Sprintf(turn[i%len(turn)], i/len(turn)))
	}
	said := strings.Join(list, ",")
	tools := `"tools":[{"type":"function","function":{"name":"f","parameters":{"type":"object"}}}]`
	switch from {
	case callwright.WireResponses:
		return `{"model":"m","instructions":"Be brief.","input":[` + said + `],"tools":[{"type":"function","name":"f","parameters":{"type":"object"}}]}`
	case callwright.WireGemini:
		return `{"systemInstruction":{"parts":[{"text":"Be brief."}]},"contents":[` + said + `],"tools":[{"functionDeclarations":[{"name":"f"}]}]}`
	}
	return `{"model":"m","messages":[{"role":"system","content":"Be brief."},` + said + `],` + tools + `}`
}

// blocksOf are the blocks of a prompt in the order in which a provider has them, without marks, and how many stand before each mark. A text
// is the same as a list of one.
func blocksOf(sent []byte) (blocks []string, marks []int) {
	add := func(v []byte) {
		plain := wire.ApplyEdits(v, []callwright.Edit{{Path: []string{"cache_control"}}})
		blocks = append(blocks, string(plain))
		if len(plain) < len(v) {
			marks = append(marks, len(blocks))
		}
	}
	content := func(v []byte) {
		if jsonx.IsText(v) {
			add([]byte(`{"type":"text","text":` + string(v) + `}`))
		}
		for b := range jsonx.Elements(v) {
			add(b)
		}
	}
	tools, _ := jsonx.Find(sent, "tools")
	content(tools)
	system, _ := jsonx.Find(sent, "system")
	content(system)
	messages, _ := jsonx.Find(sent, "messages")
	for m := range jsonx.Elements(messages) {
		add(wire.ApplyEdits(m, []callwright.Edit{{Path: []string{"content"}}}))
		said, _ := jsonx.Find(m, "content")
		content(said)
	}
	return blocks, marks
}

// As a conversation grows, what stood before each mark is what every later request begins with: so the provider finds it. The last mark is
// at the end of what is sent.
func TestGrowthKeepsWhatWasCached(t *testing.T) {
	needs := caps.Caps{CacheControl: caps.Yes, CacheMin: 1}
	for from := range turnsOf {
		for _, to := range []callwright.WireName{callwright.WireAnthropic, callwright.WireOpenAI} {
			var cached [][]string
			for n := 1; n <= 4*20; n++ {
				if n%4 == 0 { // the answer is not sent alone
					continue
				}
				sent, _, err := codecOf(t, to).EncodeRequest(requestOf(t, from, grown(from, n)), "m", needs)
				if err != nil {
					t.Fatal(err)
				}
				blocks, marks := blocksOf(sent)
				if n%4 == 2 { // calls without their results end the request
					continue
				}
				if len(marks) != 3 || marks[2] != len(blocks) {
					t.Fatalf("%s to %s, %d messages: marks after %v of %d blocks in %s", from, to, n, marks, len(blocks), sent)
				}
				for _, was := range cached {
					if len(was) > len(blocks) || !slices.Equal(was, blocks[:len(was)]) {
						t.Fatalf("%s to %s: %d messages do not begin with what was cached\n%s\nin\n%s", from, to, n, was, blocks)
					}
				}
				for _, end := range marks {
					cached = append(cached, blocks[:end])
				}
			}
		}
	}
}

// A provider looks for what it has up to 20 blocks before a mark: however many calls a turn has, up to 18, one of its marks is near enough to the
// end of what was sent before.
func TestMarksAreNearTheTurnBefore(t *testing.T) {
	for calls := 1; calls <= 18; calls++ {
		var made, results []string
		for i := range calls {
			made = append(made, fmt.Sprintf(`{"id":"c%d","type":"function","function":{"name":"f","arguments":"{}"}}`, i))
			results = append(results, fmt.Sprintf(`{"role":"tool","tool_call_id":"c%d","content":"r"}`, i))
		}
		before := `{"role":"system","content":[` + strings.Join(slices.Repeat([]string{`{"type":"text","text":"s"}`}, 12), ",") + `]},{"role":"user","content":"a"}`
		turn := `,{"role":"assistant","content":"b","tool_calls":[` + strings.Join(made, ",") + `]},` + strings.Join(results, ",")
		var ends [][]int
		for _, messages := range []string{before, before + turn} {
			body := `{"model":"m","messages":[` + messages + `],"tools":[{"type":"function","function":{"name":"f","parameters":{"type":"object"}}}]}`
			sent, _, err := codecOf(t, callwright.WireAnthropic).EncodeRequest(requestOf(t, callwright.WireOpenAI, body), "m", caps.Caps{CacheControl: caps.Yes, CacheMin: 1})
			if err != nil {
				t.Fatal(err)
			}
			isTaken(t, callwright.WireAnthropic, sent)
			blocks, marks := blocksOf(sent)
			for i, n := range marks { // the heads of messages are no blocks
				marks[i] = n - len(slices.DeleteFunc(slices.Clone(blocks[:n]), func(b string) bool { return !strings.HasPrefix(b, `{"role"`) }))
			}
			ends = append(ends, marks)
		}
		end := ends[0][len(ends[0])-1]
		if !slices.ContainsFunc(ends[1], func(n int) bool { return n > end && n-end <= 20 }) {
			t.Errorf("%d calls: marks after %v blocks, and after %v before", calls, ends[1], ends[0])
		}
	}
}
