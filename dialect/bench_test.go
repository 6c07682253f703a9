package dialect_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/callwright/callwright/dialect"
)

const paragraph = "The line from the coast runs twice a day, and more often in summer; seats (in both classes) can be had up to an hour before. " +
	"See the table [1] for prices, which differ by region: north, south, islands.\nA second paragraph says little more, with `code` in it.\n\n"

func feedAll(b *testing.B, text string, size int) {
	b.Helper()
	pieces := every(size, text)
	items := make([]dialect.Item, 0, 64)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		s := dialect.NewScanner(dialect.Options{Tools: tools})
		for _, p := range pieces {
			items = s.Feed(p, items[:0])
		}
		items = s.Close(items[:0])
	}
	b.ReportMetric(float64(len(pieces)), "pieces")
}

func BenchmarkProse(b *testing.B) {
	text := strings.Repeat(paragraph, 4000)
	for _, size := range []int{16, 1 << 10, 1 << 20} {
		b.Run(fmt.Sprintf("pieces=%d", size), func(b *testing.B) { feedAll(b, text, size) })
	}
}

// One long argument in small pieces, in two sizes: the second must take twice as long.
func BenchmarkLongArgument(b *testing.B) {
	for _, size := range []int{512 << 10, 1 << 20} {
		value := strings.Repeat("some <b>text</b> of a file, \\\"quoted\\\", 'too'\\n", size/44)
		for name, text := range map[string]string{
			"json":   `<tool_call>{"name": "note", "arguments": {"text": "` + value + `"}}</tool_call>`,
			"tags":   `<invoke name="note"><parameter name="text">` + value + `</parameter></invoke>`,
			"fence":  "```json\n" + `{"name": "note", "arguments": {"text": "` + value + "\"}}\n```",
			"python": `[note(text="` + value + `")]`,
		} {
			b.Run(fmt.Sprintf("%s/%d", name, size>>10), func(b *testing.B) { feedAll(b, text, 4) })
		}
	}
}

// Texts that keep a scanner from deciding, in two sizes each: the second must take at most 2.2 times as long.
func BenchmarkHostile(b *testing.B) {
	for _, unit := range []string{"<tool_call>", "<tool_call>{", "{\"name\": ", "[", "find_train(", "```\n", "<think>", "<function=note><parameter=text>", "</tool_call>", "&lt;tool_call&gt;", "<", "`", "<tool_call>note<arg_key>", "{\"name\": \"note\"}\n", "Action: note\n", "<|channel|>", "note(text='x')\n", " ", "<tool_call>\n{\"name\": \"\n", "[ping()]", "a <tool_call> ", "<|open|>call ", "]<]minimax[>[<a>", "call:note{text:'x,", "x [TOOL_CALLS] y "} {
		for _, size := range []int{64 << 10, 128 << 10} {
			text := strings.Repeat(unit, size/len(unit))
			b.Run(fmt.Sprintf("%q/%d", unit, size>>10), func(b *testing.B) { feedAll(b, text, 64) })
			b.Run(fmt.Sprintf("%q/%d/whole", unit, size>>10), func(b *testing.B) { feedAll(b, text, size) })
		}
	}
}

// Long white space after what cannot be decided without its end.
func BenchmarkGaps(b *testing.B) {
	for _, head := range []string{"<tool_call>note", "<invoke name=\"note\"><parameter name=\"text\">x</parameter>", "{", "{\"name\":", "note(text='x')", "```json\n{}\n```", "<tool_use><arguments>", "[", "<think>"} {
		for _, size := range []int{64 << 10, 128 << 10} {
			b.Run(fmt.Sprintf("%q/%d", head, size>>10), func(b *testing.B) { feedAll(b, head+strings.Repeat(" ", size)+"x", 16) })
		}
	}
}

// Building a scanner for many tools.
func BenchmarkNewScanner(b *testing.B) {
	for _, n := range []int{10, 100} {
		many := make([]dialect.Tool, n)
		for i := range many {
			many[i].Name = fmt.Sprintf("server__group_%d__do_something_%d", i%7, i)
		}
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				dialect.NewScanner(dialect.Options{Tools: many})
			}
		})
	}
}
