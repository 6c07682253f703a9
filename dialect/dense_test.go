package dialect_test

import (
	"flag"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/callwright/callwright/dialect"
)

// denseTexts is how many texts of each pool TestDenseChunking draws. Differences of streamed and whole reading that are left are rare: a
// search for them takes millions.
var denseTexts = flag.Int("dense", 15_000, "texts that are drawn of each pool")

// joints are drawn into each pool of fragments: they decide where a mark, a name or a line ends.
var joints = []string{"\x00", " ", "\n", "note", "ping", "<", ">", "foo", "{", "}", `"`, ":"}

// headerParts are the parts of message headers in the harmony format, whole and broken.
var headerParts = []string{
	"note", "ping", "functions.note", "to=note", "to=functions.ping", "functions.", "to=", "assistant", "user", "final", "analysis", "commentary", "json", "code", "all", "self", "tool",
	" ", " ", " ", "\n", "<", ">", "<constrain", "<|constrain|>", "<|channel|>", "<|channel|>", "<|start|>", "<|message|>", "<|message|>", "<|end|>", "<|call|>", `{"text":"x"}`, `{"a":`, "0",
	"<|channel|>analysis<|message|>I ", "or ", "foo", "go. ", "'", `"`, "**", "`",
}

// looseParts are the parts of calls with few marks or with wrong ones, whole and broken.
var looseParts = []string{
	"note", "ping", "foo", " ", " ", "\n", "\n", "<", ">", "]", "{}", "1", ":", "=", `"`, "a", "text", `{"name": "ping"}`, `{"text": "a"}`, "Hi. ",
	`[Calling tool="note" text="a"]`, "[Calling tool=", "[calling tool: ", "[Tool call: ping]", "Arguments:", "tool_code =", "tool_code = ping()", "\nprint(tool_code)", "print(", "12 ", "\n2 [END_TOOL_REQUEST]", "[END_TOOL_REQUEST]",
	"<tool>note</tool>", "<tool_input>", "</tool_input>", "<tool: note", "<tool: ping ", "</tool>", "<|python_tag|>", "<tool_call>", "</tool_call>", "<tool_code>", "</tool_code>", "function\n", "note>", "note text=", "[call_1]",
	"<function=note>", "</function>", "<arg_key>text=a</arg_value>", "<arg_key>", "notetext</arg_key>", "<arg_value>", "助手：", "all\n<|content|>", "<|recipient|>", "<|content|>", "<|from|>assistant\n",
	`<tool name="note">`, "<parameter=note>", "<Parameter=text>", "</Parameter>", "</Function>", "<minimax:tool_call>", "</minimax:tool_call>", `invoke name="note">`, `parameter name="text">`, "parameter>", "invoke>",
	"```tool\n", "```", "TOOL_NAME: note\n", "tool_name:", "BEGIN_ARG: text\n", "END_ARG\n",
}

// drawFragments draws a few fragments of all formats, and parts of them, so that they meet more often than fragments of all formats do.
func drawFragments(r *rand.Rand) []string {
	pool := slices.Clone(joints)
	for range 5 {
		f := allFragments[r.IntN(len(allFragments))]
		pool = append(pool, f)
		if len(f) > 2 {
			at := r.IntN(len(f) - 1)
			pool = append(pool, f[at:at+1+r.IntN(len(f)-at)])
		}
	}
	return pool
}

// A text of few fragments that meet often is read in pieces as it is read whole.
func TestDenseChunking(t *testing.T) {
	t.Parallel()
	for name, draw := range map[string]func(*rand.Rand) []string{
		"fragments": drawFragments,
		"headers":   func(*rand.Rand) []string { return headerParts },
		"loose":     func(*rand.Rand) []string { return looseParts },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			seed := uint64(*denseTexts)
			r := rand.New(rand.NewPCG(seed, seed))
			for i := range *denseTexts {
				pool := draw(r)
				var b strings.Builder
				for range 1 + r.IntN(8) {
					b.WriteString(pool[r.IntN(len(pool))])
				}
				o := dialect.Options{Tools: tools, ReasoningPrimed: i%7 == 0}
				want := joined(scan(o, b.String()))
				for _, size := range []int{1, 2, 3, 5} {
					if d := cmp.Diff(want, joined(scan(o, every(size, b.String())...))); d != "" {
						t.Errorf("%q in pieces of %d, primed %v (-whole +pieces)\n%s", b.String(), size, o.ReasoningPrimed, d)
						break
					}
				}
			}
		})
	}
}
