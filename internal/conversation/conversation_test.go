package conversation_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/conversation"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// same writes what write writes, reads it, and expects no difference.
func same[T any](t *rapid.T, x T, write func(T) ([]byte, error), read func([]byte) (T, error)) {
	b, err := write(x)
	if err != nil {
		t.Fatal(err)
	}
	if bytes.ContainsAny(b, "\n\r") {
		t.Fatalf("more than one line: %s", b)
	}
	back, err := read(b)
	if err != nil {
		t.Fatalf("%v\n%s", err, b)
	}
	if diff := cmp.Diff(x, back); diff != "" {
		t.Fatalf("%s\n%s", b, diff)
	}
	again, err := write(back)
	if err != nil || !bytes.Equal(b, again) {
		t.Fatalf("written again (%v)\n%s\n%s", err, b, again)
	}
}

// TestRoundTrip: what is written reads back equal, with every kind of part.
func TestRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := &conversation.Conversation{Model: "p/m", Messages: listOf(t, anyMessage), Tools: listOf(t, anyTool)}
		same(t, c, conversation.Marshal, conversation.Unmarshal)
		if b, _ := conversation.Marshal(c); !conversation.IsConversation(b) {
			t.Fatal("the mark is not found")
		}
	})
}

// TestRoundTripSingle is TestRoundTrip for what stands alone.
func TestRoundTripSingle(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		call, tool := anyCall.Draw(t, "call"), anyTool.Draw(t, "tool")
		same(t, rapid.SliceOfN(anyMessage, 0, 3).Draw(t, "messages"), conversation.MarshalMessages, conversation.UnmarshalMessages)
		same(t, &call, conversation.MarshalCall, conversation.UnmarshalCall)
		same(t, &tool, conversation.MarshalTool, conversation.UnmarshalTool)
		same(t, anyResponse.Draw(t, "response"), conversation.MarshalResponse, conversation.UnmarshalResponse)
		same(t, anyRequest.Draw(t, "request"), conversation.MarshalRequest, conversation.UnmarshalRequest)
	})
}

// TestBroken: what is not of the form is refused, with the place.
func TestBroken(t *testing.T) {
	for _, c := range []struct{ doc, path, says string }{
		{``, "", "end of text"},
		{`[]`, "", "expected an object, got an array"},
		{`{}`, "/callwright", "missing"},
		{`{"callwright":2,"future":1}`, "/callwright", "expected version 1, got 2"},
		{`{"callwright":"1"}`, "/callwright", "expected a number, got a string"},
		{`{"callwright":1,"other":1}`, "/other", "not known"},
		{`{"callwright":1,"a/b~":1}`, "/a~1b~0", "not known"},
		{`{"callwright":1,"model":"a","model":"b"}`, "/model", "twice"},
		{`{"callwright":1,"messages":null}`, "/messages", "expected an array, got null"},
		{`{"callwright":1,"messages":[{}]}`, "/messages/0/role", `got ""`},
		{`{"callwright":1,"messages":[{"role":"user"},{"role":"developer"}]}`, "/messages/1/role", `got "developer"`},
		{`{"callwright":1,"messages":[{"role":"user","parts":[1]}]}`, "/messages/0/parts/0", "expected an object"},
		{`{"callwright":1,"messages":[{"role":"user","parts":[{"text":"a"}]}]}`, "/messages/0/parts/0/type", "missing"},
		{`{"callwright":1,"messages":[{"role":"user","parts":[{"type":"audio"}]}]}`, "/messages/0/parts/0/type", `"audio"`},
		{`{"callwright":1,"messages":[{"role":"user","parts":[{"type":"text","txt":"a"}]}]}`, "/messages/0/parts/0/txt", "not known"},
		{`{"callwright":1,"messages":[{"role":"tool","parts":[{"type":"result","parts":[{"type":"result"}]}]}]}`, "/messages/0/parts/0/parts/0/type", "cannot hold"},
		{`{"callwright":1,"messages":[{"role":"user","parts":[{"type":"call","arguments":1,"arguments_text":"1"}]}]}`, "/messages/0/parts/0/arguments_text", "twice"},
		{`{"callwright":1,"tools":[{"name":"a","strict":"yes"}]}`, "/tools/0/strict", "expected a boolean, got a string"},
		{`{"callwright":1,"tools":[{"name":"a","tool_type":"function"}]}`, "/tools/0/tool_type", `got "function"`},
	} {
		_, err := conversation.Unmarshal([]byte(c.doc))
		expect(t, c.doc, err, c.path, c.says)
	}
}

// TestBrokenSingle is TestBroken for what stands alone.
func TestBrokenSingle(t *testing.T) {
	_, err := conversation.UnmarshalCall([]byte(`{"type":"text"}`))
	expect(t, "call", err, "/type", `expected "call"`)
	_, err = conversation.UnmarshalMessages([]byte(`{}`))
	expect(t, "messages", err, "", "expected an array")
	_, err = conversation.UnmarshalRequest([]byte(`{"conversation":{"callwright":7}}`))
	expect(t, "request", err, "/conversation/callwright", "expected version 1, got 7")
	for doc, path := range map[string]string{
		`{"usage":{"input":1.5}}`:                         "/usage/input",
		`{"raw":{"base64":"?"}}`:                          "/raw/base64",
		`{"report":{"attempts":[{"usage":1}]}}`:           "/report/attempts/0/usage",
		`{"report":{"attempts":[{"other":1}]}}`:           "/report/attempts/0",
		`{"report":{"notes":[{"rule":"a","other":"b"}]}}`: "/report",
		`{"confidence":1e999}`:                            "/confidence",
	} {
		_, err := conversation.UnmarshalResponse([]byte(doc))
		expect(t, doc, err, path, "")
	}
}

// TestNoPart: a part that is none of the vocabulary's kinds is not written.
func TestNoPart(t *testing.T) {
	for path, m := range map[string]callwright.Message{
		"/0/parts/1":           {Role: callwright.RoleUser, Parts: []callwright.Part{callwright.Text{}, nil}},
		"/0/parts/0":           {Role: callwright.RoleUser, Parts: []callwright.Part{&callwright.Text{}}},
		"/0/parts/0/parts/0":   {Role: callwright.RoleTool, Parts: []callwright.Part{callwright.Result{Parts: []callwright.Part{callwright.Call{}}}}},
		"/0/role":              {},
		"/0/parts/0/tool_type": {Role: callwright.RoleAssistant, Parts: []callwright.Part{callwright.Call{Type: "other"}}},
	} {
		_, err := conversation.MarshalMessages([]callwright.Message{m})
		expect(t, path, err, path, "")
	}
}

func expect(t *testing.T, doc string, err error, path, says string) {
	t.Helper()
	e, ok := errors.AsType[*callwright.Error](err)
	if !ok || e.Kind != callwright.KindInvalid || e.Path != path || !strings.Contains(e.Message, says) {
		t.Errorf("%s: %v at %q, want %q at %q", doc, err, e.Path, says, path)
	}
}

// TestIsConversation: the form is told by its mark.
func TestIsConversation(t *testing.T) {
	for doc, want := range map[string]bool{
		` {"callwright":1}`: true, `{"model":"a","callwright":2}`: true, `{"callwright":"1"}`: false, `{"messages":[]}`: false, `[]`: false, ``: false, `{"callwright`: false,
	} {
		if got := conversation.IsConversation([]byte(doc)); got != want {
			t.Errorf("%s: %t", doc, got)
		}
	}
}

// TestFile: the form of every part, as it stands in a file.
func TestFile(t *testing.T) {
	const name = "testdata/weather.json"
	want, err := os.ReadFile(filepath.FromSlash(name))
	if err != nil {
		t.Fatal(err)
	}
	c, err := conversation.Unmarshal(want)
	if err != nil {
		t.Fatal(err)
	}
	got, err := conversation.Marshal(c)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(strings.ReplaceAll(string(want), "\n", ""), string(got)); diff != "" {
		t.Error(diff)
	}
}

// FuzzUnmarshal: whatever is read does not panic, and what reads without an error is written and read again as the same.
func FuzzUnmarshal(f *testing.F) {
	f.Fuzz(func(t *testing.T, b []byte) {
		_, _ = conversation.UnmarshalMessages(b)
		_, _ = conversation.UnmarshalResponse(b)
		_, _ = conversation.UnmarshalRequest(b)
		_ = conversation.IsConversation(b)
		c, err := conversation.Unmarshal(b)
		if err != nil {
			return
		}
		again, err := conversation.Marshal(c)
		if err != nil {
			t.Fatal(err)
		}
		back, err := conversation.Unmarshal(again)
		if err != nil {
			t.Fatalf("%v\n%s", err, again)
		}
		if diff := cmp.Diff(c, back); diff != "" {
			t.Fatal(diff)
		}
	})
}
