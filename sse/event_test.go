package sse_test

import (
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/callwright/callwright/sse"
)

func TestAppend(t *testing.T) {
	for _, c := range []struct {
		name string
		data []byte
		want string
	}{
		{"", []byte("{}"), "data: {}\n\n"},
		{"ping", []byte("{}"), "event: ping\ndata: {}\n\n"},
		{"ping", nil, "event: ping\n\n"},
		{"", []byte{}, "data: \n\n"},
		{"", []byte("a\nb\r\nc\rd\n"), "data: a\ndata: b\ndata: c\ndata: d\ndata: \n\n"},
		{"a\ndata: forged", []byte("x"), "event: a\ndata: x\n\n"},
	} {
		if got := string(sse.Append([]byte("> "), c.name, c.data)); got != "> "+c.want {
			t.Errorf("Append(%q, %q): got %q, want %q", c.name, c.data, got, c.want)
		}
	}
}

func TestAppendComment(t *testing.T) {
	for text, want := range map[string]string{
		"wait":    ": wait\n\n",
		"":        ": \n\n",
		"a\ndata": ": a\n: data\n\n",
	} {
		if got := string(sse.AppendComment(nil, text)); got != want {
			t.Errorf("AppendComment(%q): got %q, want %q", text, got, want)
		}
	}
}

func ExampleReader() {
	stream := ": hello\n\nevent: delta\ndata: {\"text\":\"Hi\"}\n\ndata: [DONE]\n\n"
	r := sse.NewReader(strings.NewReader(stream))
	for {
		ev, err := r.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			fmt.Println(err)
			return
		}
		if ev.Data != nil {
			fmt.Printf("%q %s\n", ev.Name, ev.Data)
		}
	}
	// Output:
	// "delta" {"text":"Hi"}
	// "" [DONE]
}

func ExampleNewLineReader() {
	r := sse.NewLineReader(strings.NewReader("{\"done\":false}\n{\"done\":true}\n"))
	for ev, err := r.Next(); err == nil; ev, err = r.Next() {
		fmt.Printf("%s\n", ev.Data)
	}
	// Output:
	// {"done":false}
	// {"done":true}
}

func ExampleAppend() {
	fmt.Printf("%q\n", sse.Append(nil, "message_stop", []byte(`{"type":"message_stop"}`)))
	// Output: "event: message_stop\ndata: {\"type\":\"message_stop\"}\n\n"
}

func ExampleAppendComment() {
	fmt.Printf("%q\n", sse.AppendComment(nil, "working"))
	// Output: ": working\n\n"
}
