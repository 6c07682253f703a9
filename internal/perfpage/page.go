package main

import (
	"fmt"
	"strings"
)

const sectionEnd = "<!-- end -->\n"

// replace returns the page with a text in place of the content of a section.
func replace(page, name, text string) (string, error) {
	head, rest, ok := strings.Cut(page, "<!-- "+name+" -->\n")
	if !ok {
		return "", fmt.Errorf("the page has no section %s", name)
	}
	_, tail, ok := strings.Cut(rest, sectionEnd)
	if !ok {
		return "", fmt.Errorf("the section %s has no end", name)
	}
	return head + "<!-- " + name + " -->\n" + text + sectionEnd + tail, nil
}

// A table is rows of cells, the first of which are the names of the columns.
type table [][]string

func (t *table) add(cells ...string) { *t = append(*t, cells) }

// String writes the table in Markdown.
func (t table) String() string {
	var b strings.Builder
	for i, row := range t {
		b.WriteString("| " + strings.Join(row, " | ") + " |\n")
		if i == 0 {
			b.WriteString("|" + strings.Repeat("---|", len(row)) + "\n")
		}
	}
	return b.String()
}
