package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// noteTaker is a model that adds the number of "Note 3." to a list, and proposes it as a fact where it is 2. It answers by the conversation alone, so that it is the same one for
// every process. Told that a call was interrupted, it looks whether the number is there before it adds it again.
func noteTaker(w http.ResponseWriter, r *http.Request) {
	var in struct {
		Messages []struct {
			Role, Content string
			ToolCalls     []struct {
				Function struct{ Name, Arguments string }
			} `json:"tool_calls"`
		}
	}
	if err := json.NewDecoder(r.Body).Decode(&in); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	n, did, told := 0, "", ""
	for _, m := range in.Messages {
		switch {
		case m.Role == "user":
			_, _ = fmt.Sscanf(m.Content, "Note %d.", &n)
			did, told = "", ""
		case len(m.ToolCalls) > 0:
			did = m.ToolCalls[0].Function.Name
		case m.Role == "tool":
			told = m.Content
		}
	}
	call := func(name string, arguments any) string {
		args, _ := json.Marshal(arguments)
		function, _ := json.Marshal(map[string]string{"name": name, "arguments": string(args)})
		return fmt.Sprintf(`{"role":"assistant","tool_calls":[{"index":0,"id":"call_%d","type":"function","function":%s}]}`, len(in.Messages), function)
	}
	add := call("state_patch", map[string]any{"patch": []any{map[string]any{"op": "add", "path": "/notes/-", "value": n}}})
	delta, finish := fmt.Sprintf(`{"role":"assistant","content":"Noted %d."}`, n), "tool_calls"
	switch interrupted := strings.Contains(told, "INTERRUPTED"); {
	case did == "":
		delta = add
	case did == "state_patch" && interrupted, did == "state_get" && interrupted:
		delta = call("state_get", map[string]any{"path": "/notes"})
	case did == "state_get" && !strings.ContainsAny(told[strings.Index(told, `"value":`):], fmt.Sprint(n)):
		delta = add
	case n == 2 && (did != "facts_propose" || interrupted): // which is refused where it is proposed already
		delta = call("facts_propose", map[string]any{"patch": map[string]any{"two": true}})
	default:
		finish = "stop"
	}
	w.Header().Set("Content-Type", "text/event-stream")
	for _, choice := range []string{`{"index":0,"delta":` + delta + `,"finish_reason":null}`, fmt.Sprintf(`{"index":0,"delta":{},"finish_reason":%q}`, finish)} {
		fmt.Fprintf(w, "data: {\"id\":\"c\",\"object\":\"chat.completion.chunk\",\"created\":1,\"model\":\"m\",\"choices\":[%s]}\n\n", choice)
	}
	fmt.Fprint(w, "data: [DONE]\n\n")
}

// A draftState is what a session tells of its document.
type draftState struct {
	Version uint64
	Notes   []int
	Locked  bool
	Agreed  bool
}

// A killableEdit is an editing session in processes that are killed.
type killableEdit struct {
	t         testing.TB
	dir       string
	confirmed draftState // the most that any process has shown
	waiting   string     // a proposal

	in    io.Writer
	out   *bufio.Scanner
	shown func() // a line was shown
}

func newKillableEdit(t testing.TB) *killableEdit {
	srv := httptest.NewServer(http.HandlerFunc(noteTaker))
	t.Cleanup(srv.Close)
	k := &killableEdit{t: t, dir: t.TempDir()}
	for name, text := range map[string]string{
		"callwright.yaml": "providers:\n  far: {wire: openai, base_url: \"" + srv.URL + "/v1\", api_key: any}\n",
		"book.json":       "{\n  \"title\": \"Winter\",\n  \"notes\": []\n}\n",
	} {
		if err := os.WriteFile(filepath.Join(k.dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return k
}

// An editEvent has what the test looks at.
type editEvent struct {
	Event, Proposal, Of, Text string
	Version                   uint64
	Waiting, Locks            []string
	Value                     json.RawMessage
}

// say gives the session a line, and reads what it shows up to an event of a kind; ok is false where the process has ended before.
func (k *killableEdit) say(line, kind string) (ev editEvent, ok bool) {
	if line != "" {
		_, _ = io.WriteString(k.in, line+"\n") // it may be gone
	}
	for k.out.Scan() {
		k.shown()
		ev = editEvent{}
		if json.Unmarshal(k.out.Bytes(), &ev) != nil {
			continue // it was killed while it wrote
		}
		if ev.Version != 0 && ev.Version < k.confirmed.Version {
			k.t.Errorf("after version %d: %s", k.confirmed.Version, k.out.Text())
		}
		k.confirmed.Version = max(k.confirmed.Version, ev.Version)
		switch ev.Event {
		case "proposal":
			k.waiting = ev.Proposal
		case "open":
			k.waiting = strings.Join(ev.Waiting, "")
		case "error":
			k.t.Errorf("%s: %s", line, ev.Text)
		}
		if ev.Event == kind {
			return ev, true
		}
	}
	return ev, false
}

// look reads what there is, and holds it against what was shown before.
func (k *killableEdit) look() (now draftState, ok bool) {
	if _, ok = k.say("", "open"); !ok {
		return now, false
	}
	locks, ok := k.say(":locks", "locks")
	if !ok {
		return now, false
	}
	facts, ok := k.say(":facts", "value")
	if !ok {
		return now, false
	}
	draft, ok := k.say(":draft", "value")
	if !ok {
		return now, false
	}
	var doc struct{ Notes []int }
	var agreed struct{ Two bool }
	if err := json.Unmarshal(draft.Value, &doc); err != nil {
		k.t.Fatal(err)
	}
	if err := json.Unmarshal(facts.Value, &agreed); err != nil {
		k.t.Fatal(err)
	}
	now = draftState{draft.Version, doc.Notes, slices.Contains(locks.Locks, "/title"), agreed.Two}
	was := k.confirmed
	if len(now.Notes) < len(was.Notes) || !slices.Equal(now.Notes[:len(was.Notes)], was.Notes) || was.Locked && !now.Locked || was.Agreed && !now.Agreed {
		k.t.Errorf("%+v was shown, and there is %+v", was, now)
	}
	text, err := os.ReadFile(filepath.Join(k.dir, "book.json"))
	if err != nil {
		k.t.Fatal(err)
	}
	var file struct{ Notes []int }
	if err := json.Unmarshal(text, &file); err != nil || !slices.Equal(file.Notes, now.Notes) {
		k.t.Errorf("the draft has %v, the file %s", now.Notes, text)
	}
	k.confirmed = now
	return now, true
}

// work does what is not done yet, as a person would after a look; ok is false where the process has ended before.
func (k *killableEdit) work() (ok bool) {
	now, ok := k.look()
	note := func(n int) {
		if ok && !slices.Contains(now.Notes, n) {
			if _, ok = k.say(fmt.Sprintf("Note %d.", n), "final"); ok {
				k.confirmed.Notes = append(k.confirmed.Notes, n)
			}
		}
	}
	note(1)
	if ok && !now.Locked {
		_, ok = k.say(":lock /title", "lock")
		k.confirmed.Locked = ok
	}
	note(2)
	if ok && !now.Agreed && k.waiting == "" { // it was killed before the model proposed it, and the answer was not gone on with
		k.t.Error("nothing is proposed")
		return false
	}
	if ok && !now.Agreed {
		_, ok = k.say(":commit "+k.waiting, "facts")
		k.confirmed.Agreed = ok
	}
	note(3)
	return ok
}

// process is one session, which is killed where until says so, of each line that it prints, or after some time. It reports whether everything was done.
func (k *killableEdit) process(until func(line int) bool, after time.Duration) bool {
	cmd, in, out, wait := startToKill(k.t, k.dir, after, "edit", "book.json", "--json", "--model", "far/m", "--state", "state")
	n := 0
	k.in, k.out, k.shown = in, bufio.NewScanner(out), func() {
		if n++; until != nil && until(n) {
			_ = cmd.Process.Kill()
		}
	}
	done := k.work()
	_ = in.Close()
	if done {
		_, done = k.say("", "end")
	}
	return wait() && done
}

// check looks at what there is in the end: each note once, and a person's word for the fact.
func (k *killableEdit) check() {
	k.t.Helper()
	if !slices.Equal(k.confirmed.Notes, []int{1, 2, 3}) || !k.confirmed.Locked || !k.confirmed.Agreed {
		k.t.Errorf("in the end there is %+v", k.confirmed)
	}
	cmd := exec.Command("callwright", "edit", "book.json", "--json", "--state", "state", ":history 1000")
	cmd.Dir = k.dir
	out, err := cmd.Output()
	if err != nil {
		k.t.Fatal(err)
	}
	if n := strings.Count(string(out), `"kind":"facts.commit","by":{"actor":"person"`); n != 1 {
		k.t.Errorf("%d commits of a person in %s", n, out)
	}
	left, err := filepath.Glob(filepath.Join(k.dir, ".book.json*"))
	if err != nil || left != nil {
		k.t.Errorf("left: %v, %v", left, err)
	}
}

// An editing session whose process is killed at each line that it prints, or at any moment, loses nothing that was shown: the next one goes on.
func TestEditSurvivesKills(t *testing.T) {
	needsLong(t)
	killEverywhere(t, 25, 25, func(t testing.TB) victim { return newKillableEdit(t) })
}

// Processes that edit one file at once all land, in the draft and in the file.
func TestEditTogether(t *testing.T) {
	dir := t.TempDir()
	var all []*exec.Cmd
	const each = 5
	for _, name := range []string{"a", "b"} {
		var lines strings.Builder
		for i := range each {
			fmt.Fprintf(&lines, "Set /%s%d to %d.\n", name, i, i)
		}
		cmd := exec.Command("callwright", "edit", "book.json", "--model", "sim/native", "--state", "state")
		cmd.Dir, cmd.Stdin = dir, strings.NewReader(lines.String())
		cmd.Stderr = new(bytes.Buffer)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		all = append(all, cmd)
	}
	for _, cmd := range all {
		if err := cmd.Wait(); err != nil {
			t.Errorf("%v: %s", err, cmd.Stderr)
		}
	}
	text, err := os.ReadFile(filepath.Join(dir, "book.json"))
	if err != nil {
		t.Fatal(err)
	}
	var got map[string]int
	if err := json.Unmarshal(text, &got); err != nil || len(got) != 2*each {
		t.Errorf("%v: %s", err, text)
	}
}
