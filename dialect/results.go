package dialect

import (
	"fmt"
	"strings"

	"github.com/callwright/callwright/internal/jsonx"
)

// tagResults writes each result in a tag.
func tagResults(tag string) func(*strings.Builder, []RenderedResult) {
	return func(b *strings.Builder, results []RenderedResult) {
		for i, r := range results {
			if i > 0 {
				b.WriteByte('\n')
			}
			b.WriteString("<" + tag + ">\n")
			b.Write(resultJSON(&r))
			b.WriteString("\n</" + tag + ">")
		}
	}
}

// resultJSON is a result as an object that names the call it belongs to.
func resultJSON(r *RenderedResult) []byte {
	b := append([]byte(`{"name": `), jsonx.AppendQuote(nil, r.Name)...)
	key := `, "content": `
	if r.IsError {
		key = `, "error": `
	}
	b = jsonx.AppendQuote(append(b, key...), r.Text)
	return append(b, '}')
}

func functionResults(b *strings.Builder, results []RenderedResult) {
	b.WriteString("<function_results>\n")
	for _, r := range results {
		tag := "output"
		if r.IsError {
			tag = "error"
		}
		fmt.Fprintf(b, "<result>\n<tool_name>%s</tool_name>\n<%s>%s</%s>\n</result>\n", r.Name, tag, r.Text, tag)
	}
	b.WriteString("</function_results>")
}

func kimiResults(b *strings.Builder, results []RenderedResult) {
	for i := range results {
		r := &results[i]
		if i > 0 {
			b.WriteByte('\n')
		}
		c := RenderedCall{Name: r.Name, ID: r.ID}
		fmt.Fprintf(b, "## Return of %s\n%s", headID(&c, i), spoken(r))
	}
}

func spoken(r *RenderedResult) string {
	if r.IsError {
		return "Error: " + r.Text
	}
	return r.Text
}

func deepseekResults(b *strings.Builder, results []RenderedResult) {
	b.WriteString("<｜tool▁outputs▁begin｜>")
	for i := range results {
		b.WriteString("<｜tool▁output▁begin｜>" + spoken(&results[i]) + "<｜tool▁output▁end｜>")
	}
	b.WriteString("<｜tool▁outputs▁end｜>")
}

func mistralResults(b *strings.Builder, results []RenderedResult) {
	for i := range results {
		fmt.Fprintf(b, `[TOOL_RESULTS] {"content": %s, "call_id": %s}[/TOOL_RESULTS]`, jsonx.AppendQuote(nil, spoken(&results[i])), jsonx.AppendQuote(nil, results[i].ID))
	}
}

func harmonyResults(b *strings.Builder, results []RenderedResult) {
	for i := range results {
		fmt.Fprintf(b, "<|start|>functions.%s to=assistant<|channel|>commentary<|message|>%s<|end|>", results[i].Name, spoken(&results[i]))
	}
}

func jsonResults(b *strings.Builder, results []RenderedResult) {
	for i := range results {
		if i > 0 {
			b.WriteByte('\n')
		}
		b.Write(resultJSON(&results[i]))
	}
}
