package codecs_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/longtest"
	"github.com/callwright/callwright/internal/wire"
	"github.com/callwright/callwright/internal/wire/codecs"
	"github.com/callwright/callwright/internal/wire/turnmemo"
)

// callForms are a turn with calls, one call of it, and a result of each API whose histories are memorized, with ID for an id.
var callForms = map[callwright.WireName]struct{ open, call, end, result string }{
	callwright.WireOpenAI: {`{"role":"assistant","tool_calls":[`, `{"id":"ID","type":"function","function":{"name":"f","arguments":"{}"}}`, `]}`,
		`{"role":"tool","tool_call_id":"ID","content":""}`},
	callwright.WireAnthropic: {`{"role":"assistant","content":[`, `{"type":"tool_use","id":"ID","name":"f","input":{}}`, `]}`,
		`{"role":"user","content":[{"type":"tool_result","tool_use_id":"ID"}]}`},
	callwright.WireOllama: {`{"role":"assistant","tool_calls":[`, `{"id":"ID","function":{"name":"f","arguments":{}}}`, `]}`, `{"role":"tool","content":""}`},
}

// callsOf is a history that begins with a text: a turn of n calls, and as many results.
func callsOf(name callwright.WireName, head string, n int) string {
	f := callForms[name]
	var list strings.Builder
	fmt.Fprintf(&list, `{"role":"user","content":"%s %s"},%s`, head, strings.Repeat("head ", 60), f.open)
	for i := range n {
		if i > 0 {
			list.WriteByte(',')
		}
		list.WriteString(strings.ReplaceAll(f.call, "ID", fmt.Sprint("call_", i)))
	}
	list.WriteString(f.end)
	for i := range n {
		list.WriteString("," + strings.ReplaceAll(f.result, "ID", fmt.Sprint("call_", i)))
	}
	return list.String()
}

func decodeWith(t *testing.T, name callwright.WireName, memo turnmemo.Owner, body string) {
	t.Helper()
	codec, _ := codecs.Of(name)
	if _, err := codec.(wire.HistoryReader).DecodeRequestWith(memo, []byte(body)); err != nil {
		t.Fatal(err)
	}
}

func bodyOf(history, more string) string {
	return `{"model":"m","messages":[` + history + `]` + more + `}`
}

// TestTurnMemoLinear: the memory that reading a history takes grows with the history, not with its square.
func TestTurnMemoLinear(t *testing.T) {
	for name := range callForms {
		taken := func(n int) uint64 {
			body := bodyOf(callsOf(name, "", n), "")
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			decodeWith(t, name, turnmemo.New(0).Of("a"), body)
			runtime.ReadMemStats(&after)
			return after.TotalAlloc - before.TotalAlloc
		}
		if few, many := taken(1000), taken(8000); many > 3*8*few {
			t.Errorf("%s: %d bytes for 8000 calls, %d for 1000", name, many, few)
		}
	}
}

// TestTurnMemoHeap: what a memo holds on the heap is hardly more than the size it says, whatever was read and dropped before.
func TestTurnMemoHeap(t *testing.T) {
	longtest.Only(t)
	short := `,{"role":"user","content":"` + strings.Repeat("short ", 900) + `"}`
	for name := range callForms {
		for _, c := range []struct {
			of   string
			read func(memo turnmemo.Owner, n int) (again string)
		}{
			{"short histories that begin as long ones do", func(memo turnmemo.Owner, n int) string {
				history := callsOf(name, fmt.Sprint(n), 6000)
				decodeWith(t, name, memo, bodyOf(history, ""))
				decodeWith(t, name, memo, bodyOf(history, ""))
				return bodyOf(history[:strings.Index(history, `},{`)+1]+short, "")
			}},
			{"short histories with the calls of long ones", func(memo turnmemo.Owner, n int) string {
				text := `{"role":"user","content":"` + fmt.Sprint(n) + strings.Repeat("Nothing new. ", 400) + `"},`
				one := callForms[name].open + strings.ReplaceAll(callForms[name].call, "ID", "call") + callForms[name].end
				history := text + one + "," + callsOf(name, "", 6000)
				decodeWith(t, name, memo, bodyOf(history, ""))
				decodeWith(t, name, memo, bodyOf(history, ""))
				return bodyOf(text+one+`,{"role":"user","content":"short"}`, "")
			}},
			{"short histories in long bodies", func(memo turnmemo.Owner, n int) string {
				decodeWith(t, name, memo, bodyOf(callsOf(name, fmt.Sprint(n), 3)+short, `,"x":"`+strings.Repeat("x", 8<<20)+`"`))
				return ""
			}},
			{"conversations that grow by calls", func(memo turnmemo.Owner, n int) string {
				history := callsOf(name, fmt.Sprint(n), 1) + short
				for range 40 {
					history += "," + strings.SplitN(callsOf(name, "", 1), ",", 3)[2]
					decodeWith(t, name, memo, bodyOf(history, ""))
				}
				return ""
			}},
		} {
			t.Run(string(name)+"/"+c.of, func(t *testing.T) {
				memo := turnmemo.New(0)
				before, shorts := heap(), []string(nil) // short ones are used again and again, long ones are dropped
				for n := range 24 {
					if again := c.read(memo.Of("a"), n); again != "" {
						shorts = append(shorts, again)
					}
					for _, body := range shorts {
						decodeWith(t, name, memo.Of("a"), body)
					}
				}
				clear(shorts)
				if held := heap() - before; held > 3*memo.Size()/2+1<<18 {
					t.Errorf("%d bytes on the heap, the memo says %d", held, memo.Size())
				} else {
					t.Logf("%d bytes on the heap, the memo says %d", held, memo.Size())
				}
				runtime.KeepAlive(memo)
			})
		}
	}
}

// TestTurnMemoForms: each API whose histories are kept is drawn by these tests.
func TestTurnMemoForms(t *testing.T) {
	for _, codec := range codecs.All() {
		_, keeps := codec.(wire.HistoryReader)
		if _, ok := callForms[codec.Name()]; ok != keeps || (turnForms[codec.Name()] != nil) != keeps {
			t.Errorf("%s: keeps histories: %v, has forms of calls: %v, of turns: %v", codec.Name(), keeps, ok, turnForms[codec.Name()] != nil)
		}
	}
}

// heap is how many bytes the heap has after a collection.
func heap() int {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int(m.HeapAlloc)
}
