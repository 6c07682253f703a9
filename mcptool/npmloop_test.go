package mcptool_test

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/agent"
	"github.com/callwright/callwright/internal/prerequisite"
	"github.com/callwright/callwright/mcptool"
	"github.com/google/go-cmp/cmp"
)

// Over every API the model is offered the tools of the reference server under names that its provider takes, and reads what they give: texts,
// structured content once, images and resources in the request itself, and errors.
func TestLoopEverything(t *testing.T) {
	s := open(t, mcptool.Config{Name: "all", Command: npmServer(t, "server-everything")})
	eventually(t, "the tools that it adds once it knows its client", func() bool { return slices.Contains(names(tools(t, s)), "all:simulate-research-query") })
	steps := []step{
		{"echo", `{"message": "hi"}`}, {"get-sum", `{"a": 2, "b": 3}`}, {"get-structured-content", `{"location": "Chicago"}`}, {"get-tiny-image", `{}`},
		{"get-resource-reference", `{"resourceType": "Text", "resourceId": 1}`}, {"get-resource-reference", `{"resourceType": "Blob", "resourceId": 2}`},
		{"get-resource-links", `{"count": 1}`}, {"get-resource-reference", `{"resourceType": "Text", "resourceId": 0.5}`},
	}
	data := []string{`"Echo: hi"`, `"The sum of 2 and 3 is 5."`, `{"temperature":36,"conditions":"Light rain / drizzle","humidity":82}`, "requested", "text/1", "blob/2", "blob/1", "null"}
	for wire := range wires {
		t.Run(string(wire), func(t *testing.T) {
			m, server := overWire(t, wire, scripted(steps...))
			var called []string
			res, err := run(t, m, s, func(ev agent.Event) {
				if ev.Kind == agent.EventCall {
					called = append(called, ev.Name)
				}
			})
			if err != nil || res.Text != allDone {
				t.Fatalf("got %+v, %v", res, err)
			}
			got := endings(t, res)
			if len(got) != len(steps) {
				t.Fatalf("%d calls have ended", len(got))
			}
			for i, e := range got {
				if e.OK != (i < 7) || !strings.Contains(string(e.Data), data[i]) || called[i] != "all:"+steps[i].tool {
					t.Errorf("%s %s, called as %s: got %s %v", steps[i].tool, steps[i].arguments, called[i], e.Data, e.Errors)
				}
			}
			if got[7].code() != agent.CodeToolFailed || !strings.Contains(got[7].Errors[0].Message, "Invalid resourceId: 0.5") {
				t.Errorf("the model is not told why: %+v", got[7])
			}
			requests := server.Requests()
			last := requests[len(requests)-1]
			if want := names(tools(t, s)); len(last.Tools) != len(want) || len(slices.Compact(slices.Sorted(slices.Values(last.Tools)))) != len(want) {
				t.Errorf("offered %q, the server has %q", last.Tools, want)
			}
			image, _ := got[3].parts[0].(callwright.Image)
			for _, once := range []string{image.Data, "Light rain", "Resource 1: This is a plaintext resource", "Invalid resourceId"} {
				if n := strings.Count(string(last.Body), once); n != 1 || once == "" {
					t.Errorf("%.40q stands %d times in the request", once, n)
				}
			}
		})
	}
}

// A long call tells how far it is while it runs.
func TestLoopProgress(t *testing.T) {
	s := open(t, mcptool.Config{Name: "all", Command: npmServer(t, "server-everything")})
	m, _ := overWire(t, callwright.WireOpenAI, scripted(step{"trigger-long-running-operation", `{"duration": 0.3, "steps": 3}`}))
	var told []string
	res, err := run(t, m, s, func(ev agent.Event) {
		switch ev.Kind {
		case agent.EventProgress:
			told = append(told, fmt.Sprintf("%s %g of %g", ev.Name, ev.Progress.Done, ev.Progress.Total))
		case agent.EventResult:
			told = append(told, string(ev.Result.Data))
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	const name = "all:trigger-long-running-operation "
	told = slices.DeleteFunc(told, func(line string) bool { return line == name+"3 of 3" }) // which comes together with the result
	want := []string{name + "1 of 3", name + "2 of 3", `"Long running operation completed. Duration: 0.3 seconds, Steps: 3."`}
	if d := cmp.Diff(want, told); d != "" || res.Text != allDone {
		t.Errorf("answered %q (-want +got)\n%s", res.Text, d)
	}
}

// A mortal is a server of npm whose process can be killed, and kept from starting again.
type mortal struct {
	t    *testing.T
	dir  string
	conf mcptool.Config
}

func newMortal(t *testing.T, name string, command []string) *mortal {
	t.Helper()
	shell := prerequisite.Program(t, "sh")
	m := &mortal{t: t, dir: t.TempDir()}
	const script = `if test -e "$0/down"; then echo "out of order" >&2; exit 7; fi; echo $$ > "$0/pid"; exec "$@"`
	m.conf = mcptool.Config{Name: name, Command: append([]string{shell, "-c", script, m.dir}, command...)}
	return m
}

func (m *mortal) kill() {
	m.t.Helper()
	pid, err := os.ReadFile(filepath.Join(m.dir, "pid"))
	if err != nil {
		m.t.Fatal(err)
	}
	kill(m.t, string(pid))
}

// down keeps the server from starting again.
func (m *mortal) down() {
	if err := os.WriteFile(filepath.Join(m.dir, "down"), nil, 0o600); err != nil {
		m.t.Fatal(err)
	}
}

// A run outlives its server: killed in a call and between calls it is started again, and when that is in vain the model goes on with the
// other tools.
func TestLoopOutlivesEverything(t *testing.T) {
	server := newMortal(t, "all", npmServer(t, "server-everything"))
	s := open(t, server.conf)
	m, _ := overWire(t, callwright.WireOpenAI, scripted(
		step{"trigger-long-running-operation", `{"duration": 3600, "steps": 72000}`}, step{"echo", `{"message": "again"}`}, step{"echo", `{"message": "once more"}`},
		step{"echo", `{"message": "anybody"}`}, step{"get-sum", `{"a": 1, "b": 1}`}, step{"spare", `{}`}))
	spare := agent.Tool{Name: "spare", Schema: json.RawMessage(`{"type": "object"}`), Run: func(context.Context, json.RawMessage) (agent.Output, error) {
		return agent.Output{Data: json.RawMessage(`"at hand"`)}, nil
	}}
	killed, ended := false, 0
	res, err := run(t, m, s, func(ev agent.Event) {
		switch {
		case ev.Kind == agent.EventProgress && !killed:
			killed = true
			server.kill() // in a call
		case ev.Kind == agent.EventResult:
			switch ended++; ended {
			case 2:
				server.kill() // between calls
			case 3:
				server.down()
				server.kill()
			}
		}
	}, agent.Tools(spare))
	if err != nil || res.Text != allDone {
		t.Fatalf("got %+v, %v", res, err)
	}
	var got []string
	for _, e := range endings(t, res) {
		got = append(got, string(e.Data)+string(e.code()))
	}
	want := []string{"nullINTERRUPTED", `"Echo: again"`, `"Echo: once more"`, "nullTOOL_FAILED", "nullTOOL_FAILED", `"at hand"`}
	if d := cmp.Diff(want, got); d != "" {
		t.Fatalf("(-want +got)\n%s", d)
	}
	for i, part := range map[int]string{0: "went away while the call was under way", 3: "out of order", 4: "is left alone for"} {
		if said := endings(t, res)[i].Errors[0].Message; !strings.Contains(said, part) {
			t.Errorf("call %d: expected %q, the model is told %q", i, part, said)
		}
	}
}

// The reference server for files: what it refuses is read by the model, what may destroy something waits for a person, and its images reach the
// model once, although the server sends them twice.
func TestLoopFilesystem(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	const dot = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
	png, err := base64.StdEncoding.DecodeString(dot)
	if err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string]string{"a.txt": "in a.txt", "dot.png": string(png)} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	path := func(name string) string {
		return `{"path": ` + strconv.Quote(filepath.ToSlash(filepath.Join(dir, name))) + `}`
	}
	written := filepath.Join(dir, "new.txt")
	steps := []step{
		{"read_text_file", path("a.txt")}, {"read_text_file", path("../outside.txt")}, {"read_media_file", path("dot.png")},
		{"write_file", strings.TrimSuffix(path("new.txt"), "}") + `, "content": "new"}`},
	}
	s := open(t, mcptool.Config{Name: "files", Command: append(npmServer(t, "server-filesystem"), dir)})
	for wire := range wires {
		t.Run(string(wire), func(t *testing.T) {
			m, server := overWire(t, wire, scripted(steps...))
			journal := agent.WithJournal(agent.NewMemory())
			res, err := run(t, m, s, nil, journal)
			if err != nil || res.Stop != agent.StopParked || len(res.Waiting) != 1 || res.Waiting[0].Name != "files:write_file" {
				t.Fatalf("it does not wait for a person: %+v, %v", res, err)
			}
			if _, err := os.Stat(written); err == nil {
				t.Fatal("it was written before anybody was asked")
			}
			res, err = agent.New(m, agent.From(s), journal, agent.WithFailures(agent.FailuresTolerated)).Resume(t.Context(), res.ID, agent.Answer{Decision: agent.Yes})
			if err != nil || res.Text != allDone {
				t.Fatalf("got %+v, %v", res, err)
			}
			if text, err := os.ReadFile(written); err != nil || string(text) != "new" {
				t.Errorf("written: %q, %v", text, err)
			}
			if err := os.Remove(written); err != nil {
				t.Error(err)
			}
			got := endings(t, res)
			if text := string(got[0].Data); !strings.Contains(text, "in a.txt") {
				t.Errorf("read: %s", text)
			}
			if got[1].code() != agent.CodeToolFailed || !strings.Contains(got[1].Errors[0].Message, "denied") {
				t.Errorf("outside of its folder: %+v", got[1])
			}
			requests := server.Requests()
			if n := strings.Count(string(requests[len(requests)-1].Body), dot); n != 1 {
				t.Errorf("the image stands %d times in the request", n)
			}
		})
	}
}
