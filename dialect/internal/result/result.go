// Package result writes the results of tools the way model families are used to.
package result

import (
	"fmt"
	"strings"

	"github.com/callwright/callwright/internal/jsonx"
)

// A Result is the outcome of one call.
type Result struct {
	Name, ID string
	Text     string
	IsError  bool
}

// A Writer writes results as the text of the turn that follows their calls.
type Writer func(b *strings.Builder, results []Result)

// Tag writes each result in a tag.
func Tag(tag string) Writer {
	return func(b *strings.Builder, results []Result) {
		for i, r := range results {
			if i > 0 {
				b.WriteByte('\n')
			}
			b.WriteString("<" + tag + ">\n")
			b.Write(object(&r, closerOf(tag)))
			b.WriteString("\n</" + tag + ">")
		}
	}
}

// object is a result as an object that names the call it belongs to, without these marks in its text.
func object(r *Result, marks ...string) []byte {
	b := append([]byte(`{"name": `), jsonx.AppendQuote(nil, r.Name)...)
	key := `, "content": `
	if r.IsError {
		key = `, "error": `
	}
	b = append(append(b, key...), quoteWithoutMarks(r.Text, marks...)...)
	return append(b, '}')
}

// Functions writes the results in one block, each with the name of its tool.
func Functions(b *strings.Builder, results []Result) {
	b.WriteString("<function_results>\n")
	for _, r := range results {
		tag := "output"
		if r.IsError {
			tag = "error"
		}
		fmt.Fprintf(b, "<result>\n<tool_name>%s</tool_name>\n<%s>%s</%s>\n</result>\n", r.Name, tag,
			plain(r.Text, closerOf(tag), "</tool_name", "</result", "</function_results"), tag)
	}
	b.WriteString("</function_results>")
}

// CallID is the id under which the i-th call of an answer is written: its own when it has the form
// functions.NAME:INDEX.
func CallID(name, id string, i int) string {
	if strings.HasPrefix(id, "functions."+name+":") {
		return id
	}
	return fmt.Sprintf("functions.%s:%d", name, i)
}

// Kimi writes each result below the id of its call.
func Kimi(b *strings.Builder, results []Result) {
	for i := range results {
		r := &results[i]
		if i > 0 {
			b.WriteByte('\n')
		}
		fmt.Fprintf(b, "## Return of %s\n%s", CallID(r.Name, r.ID, i), textOf(r))
	}
}

// textOf is the text of a result, marked where it is an error.
func textOf(r *Result) string {
	if r.IsError {
		return "Error: " + r.Text
	}
	return r.Text
}

// DeepSeek writes each result between special tokens, all between two more.
func DeepSeek(b *strings.Builder, results []Result) {
	b.WriteString("<｜tool▁outputs▁begin｜>")
	for i := range results {
		b.WriteString("<｜tool▁output▁begin｜>" + plain(textOf(&results[i]), "<｜tool▁output▁end｜>", "<｜tool▁outputs▁end｜>") + "<｜tool▁output▁end｜>")
	}
	b.WriteString("<｜tool▁outputs▁end｜>")
}

// Mistral writes each result as an object with the id of its call, between two marks.
func Mistral(b *strings.Builder, results []Result) {
	for i := range results {
		fmt.Fprintf(b, `[TOOL_RESULTS] {"content": %s, "call_id": %s}[/TOOL_RESULTS]`,
			quoteWithoutMarks(textOf(&results[i]), "[/TOOL_RESULTS]"), jsonx.AppendQuote(nil, results[i].ID))
	}
}

// Harmony writes each result as a message of its tool.
func Harmony(b *strings.Builder, results []Result) {
	for i := range results {
		fmt.Fprintf(b, "<|start|>functions.%s to=assistant<|channel|>commentary<|message|>%s<|end|>", results[i].Name,
			plain(textOf(&results[i]), "<|end|>", "<|start|>", "<|call|>", "<|return|>"))
	}
}

// JSON writes each result as an object, one a line.
func JSON(b *strings.Builder, results []Result) {
	for i := range results {
		if i > 0 {
			b.WriteByte('\n')
		}
		b.Write(object(&results[i]))
	}
}

// Each writes each result between two marks, of which open may have a place for the tool's name.
func Each(open, shut string) Writer {
	return func(b *strings.Builder, results []Result) {
		for i := range results {
			b.WriteString(strings.ReplaceAll(open, "NAME", results[i].Name) + plain(textOf(&results[i]), shut) + shut)
		}
	}
}

// List writes all results as one JSON list between two marks.
func List(open, shut string) Writer {
	var marks []string
	if shut != "" {
		marks = []string{shut}
	}
	return func(b *strings.Builder, results []Result) {
		b.WriteString(open + "[")
		for i := range results {
			if i > 0 {
				b.WriteString(", ")
			}
			b.Write(object(&results[i], marks...))
		}
		b.WriteString("]" + shut)
	}
}

// Cohere writes one JSON list in which each result carries the running number of its call.
func Cohere(b *strings.Builder, results []Result) {
	b.WriteString("<|START_TOOL_RESULT|>[")
	for i := range results {
		if i > 0 {
			b.WriteString(", ")
		}
		fmt.Fprintf(b, `{"tool_call_id": "%d", "results": {"0": %s}, "is_error": %t}`, i,
			object(&results[i], "<|END_TOOL_RESULT|>"), results[i].IsError)
	}
	b.WriteString("]<|END_TOOL_RESULT|>")
}

// Outputs writes each result as an object with its output.
func Outputs(b *strings.Builder, results []Result) {
	for i := range results {
		if i > 0 {
			b.WriteByte('\n')
		}
		fmt.Fprintf(b, `{"output": %s}`, jsonx.AppendQuote(nil, textOf(&results[i])))
	}
}

// NewDelimitedWriter writes each result as the word response, the tool's name and a literal with delimiters around
// strings.
func NewDelimitedWriter(open, shut, quote string) Writer {
	return func(b *strings.Builder, results []Result) {
		for i := range results {
			key := "result"
			if results[i].IsError {
				key = "error"
			}
			b.WriteString(open + "response:" + results[i].Name + "{" + key + ":" + quote + plain(results[i].Text, quote, shut) + quote + "}" + shut)
		}
	}
}

// Block writes the results in one block, each in a tag of its own.
func Block(block, tag string) Writer {
	return func(b *strings.Builder, results []Result) {
		b.WriteString("<" + block + ">\n")
		for i := range results {
			b.WriteString("<" + tag + ">" + plain(textOf(&results[i]), closerOf(tag), closerOf(block)) + "</" + tag + ">\n")
		}
		b.WriteString("</" + block + ">")
	}
}
