package main

import (
	"fmt"
	"strings"
)

const sectionEnd = "<!-- end -->\n"

// replace returns the page with text as the new content of section name.
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

// A table contains rows of cells. The first row has the column names.
type table [][]string

func (t *table) add(cells ...string) { *t = append(*t, cells) }

// String returns the table in Markdown.
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
