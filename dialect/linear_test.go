package dialect_test

import (
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/callwright/callwright/dialect"
	"github.com/callwright/callwright/internal/longtest"
)

// repeated are texts that are repeated without an end: every mark, every byte at which visible text needs a look, and
// beginnings of calls.
func repeated() []string {
	units := []string{
		"`", "~", "<", "[", "]", "{", "(", "&", "\"", "'", "|", "\\", " ", "\n", "e", "``` ", "```\n", "~~~\n", "<find_train>", "</find_train>", "<ping/>", "<note text=\"", "&lt;tool_call&gt;",
		"{\"name\":", "[{", "note(", "note{", "ping()\n", "ping() ", "['ping()', ", "[ping()]\n", "Action: ping\n", "to=functions.ping ", "<|", "</", "<｜", "<<", "<<<<<<<\n", "call:note{text:", "<|\"|>",
		"<invoke name=\"note\"><parameter name=\"text\">", "<parameter name=\"text\"><![CDATA[", "<tool_call>{\"name\": \"note\", \"arguments\": {\"text\": \"", "<tool_call>x</tool_call>\n",
		"<tool_call>{\"a}}</tool_call>\n", "<tool_call>{\\\"a}}</tool_call>\n", "<tool_call>{'a}}</tool_call>\n", "<|channel|>commentary to=functions.note<|message|>{\\\"a<|call|>",
		"<think><function=note><parameter=text></think>", "<think><function=note><parameter=text>x</think></parameter>", "<think><tool_call>note</think>", "For example: <tool_call>",
		"For example: <tool_call>{}</tool_call> and ", "<think>`</think>", "<|channel|>final<|message|>", "<|tool_call>call:note{text:<|\"|>a}<tool_call|>\n",
	}
	for _, mark := range tableMarks {
		units = append(units, mark, mark+"x ", mark+"{")
	}
	return units
}

// load feeds a text and returns what it cost.
func load(t *testing.T, text string, size int) (work int, memory uint64) {
	t.Helper()
	pieces := every(size, text)
	s := dialect.NewScanner(dialect.Options{Tools: tools})
	items := make([]dialect.Item, 0, 64)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for _, p := range pieces {
		items = s.Feed(p, items[:0])
	}
	s.Close(items[:0])
	runtime.ReadMemStats(&after)
	if s.Stalled() {
		t.Errorf("%q...: a state does not move on", clipped(text))
	}
	return s.Work(), after.TotalAlloc - before.TotalAlloc
}

// Bounds of what a byte of hostile text may cost, whatever its length: steps and bytes looked at, and bytes allocated over
// the whole answer, most of them for looking back at the line.
const (
	mostWork   = 100
	mostMemory = 6 << 10
)

// Whatever is repeated costs no more a byte the longer it gets, in pieces of any size. Work that grew with the square would
// cost thousands of steps a byte.
func TestLinear(t *testing.T) {
	const length = 6 << 10
	for i, unit := range repeated() {
		if !longtest.IsEnabled() && i%8 != 0 {
			continue
		}
		text := strings.Repeat(unit, length/len(unit))
		for _, size := range []int{1, 4, 4096, len(text)} {
			checkLoad(t, unit, text, size)
		}
		if len(unit) > 8 {
			continue
		}
		for _, head := range []string{"<tool_call>", "<invoke name=\"note\"><parameter name=\"text\">", "<think>", "<think><function=note><parameter=text></think>"} {
			checkLoad(t, unit, head+text, 1)
			checkLoad(t, unit, head+text, len(text))
		}
	}
}

func checkLoad(t *testing.T, unit, text string, size int) {
	t.Helper()
	work, memory := load(t, text, size)
	if work > mostWork*len(text) {
		t.Errorf("%q repeated in %q... in pieces of %d: %d steps a byte", unit, clipped(text), size, work/len(text))
	}
	if memory > mostMemory*uint64(len(text)) {
		t.Errorf("%q repeated in %q... in pieces of %d: %d bytes a byte", unit, clipped(text), size, memory/uint64(len(text)))
	}
}

// What is looked at ahead of the scanner, or once more inside another spelling of a call, is no work of its own: it is held to time, with
// room for a busy machine. Work that grew with the square would take many seconds.
func TestLinearAhead(t *testing.T) {
	if !longtest.IsEnabled() {
		t.Skip("it looks at the clock, if far from its bound")
	}
	const length, bound = 128 << 10, 20 * time.Second // a second or less; minutes where it is quadratic
	for _, head := range []string{"", "<invoke name=\"note\">"} {
		for _, unit := range []string{"Ġ", "▁", "Ċ", "ping()[", "ping()(", "ping()['", "[ping()"} {
			text := head + strings.Repeat(unit, length/len(unit)) + "True note"
			start := time.Now()
			scan(dialect.Options{Tools: tools}, text)
			if took := time.Since(start); took > bound {
				t.Errorf("%q and %q repeated: %v", head, unit, took)
			}
		}
	}
}
