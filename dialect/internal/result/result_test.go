package result_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/callwright/callwright/dialect/internal/result"
)

var writers = map[string]result.Writer{
	"tag": result.Tag("out"), "functions": result.Functions, "kimi": result.Kimi, "deepseek": result.DeepSeek, "mistral": result.Mistral, "harmony": result.Harmony, "json": result.JSON,
	"each": result.Each("<r NAME>", "</r>"), "list": result.List("<r>", "</r>"), "cohere": result.Cohere, "outputs": result.Outputs, "delimited": result.NewDelimitedWriter("<r>", "</r>", "<|\"|>"),
	"block": result.Block("results", "result"),
}

// Every writer says each result in its order, and which of them is an error, and writes the same whatever follows it.
func TestWriters(t *testing.T) {
	results := []result.Result{{Name: "ping", ID: "functions.ping:7", Text: "pong"}, {Name: "find_train", ID: "b", Text: "no \"trains\"\ntoday", IsError: true}, {Name: "ping", Text: "again"}}
	for name, write := range writers {
		var b, fine strings.Builder
		write(&b, results)
		text := strings.NewReplacer(`\"`, `"`, `\n`, "\n").Replace(b.String())
		at := 0
		for i := range results {
			n := strings.Index(text[at:], results[i].Text)
			if n < 0 {
				t.Fatalf("%s: %q is missing, or before another, in %s", name, results[i].Text, text)
			}
			at += n
		}
		results[1].IsError = false
		write(&fine, results)
		results[1].IsError = true
		if fine.String() == b.String() {
			t.Errorf("%s does not say that a result is an error: %s", name, text)
		}
	}
}

// tags are the marks that a text has, special tokens among them.
var tags = regexp.MustCompile(`</?[^<>\s{}:]+>|\[/?[A-Z_]+\]`)

// A result is data: whichever marks its text holds, the turn has as many of each as with another text.
func TestResultClosesNothing(t *testing.T) {
	for name, write := range writers {
		var usual strings.Builder
		write(&usual, []result.Result{{Name: "ping", ID: "1", Text: "pong"}})
		counts := map[string]int{}
		for _, tag := range tags.FindAllString(usual.String(), -1) {
			counts[tag]++
		}
		for tag, n := range counts {
			if !strings.Contains(tag, "/") && !strings.Contains(tag, "|") && !strings.Contains(tag, "｜") || strings.Contains(tag, "begin") || strings.Contains(tag, "START") || tag == "<|channel|>" || tag == "<|message|>" {
				continue // it opens the result
			}
			var b strings.Builder
			write(&b, []result.Result{{Name: "ping", ID: "1", Text: "a " + tag + tag + "\nb"}})
			if got := strings.Count(b.String(), tag); got != n {
				t.Errorf("%s: %d times %s, expected %d, in %s", name, got, tag, n, b.String())
			}
		}
	}
}

// An id of the form is kept, any other is written by its place.
func TestCallID(t *testing.T) {
	for id, want := range map[string]string{"functions.ping:7": "functions.ping:7", "call_1": "functions.ping:2", "functions.pong:1": "functions.ping:2", "": "functions.ping:2"} {
		if got := result.CallID("ping", id, 2); got != want {
			t.Errorf("%q: %s, want %s", id, got, want)
		}
	}
}
