package dialect_test

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/callwright/callwright/dialect"
	"github.com/callwright/callwright/internal/prompt"
)

const page = "../docs/dialects.md"

// generated stands between what people write on the page and what the table says.
const generated = "<!-- below: written by go test ./dialect -run TestPage -update -->\n"

// The page on dialects says what the table says. With -update it is written anew, below its introduction.
func TestPage(t *testing.T) {
	now, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	intro, _, ok := strings.Cut(string(now), generated)
	if !ok {
		t.Fatalf("%s lacks the line %s", page, generated)
	}
	want := intro + generated + sections(dialect.Formats())
	if flag.Lookup("update").Value.String() == "true" {
		if err := os.WriteFile(page, []byte(want), 0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
	if d := cmp.Diff(want, string(now)); d != "" {
		t.Errorf("%s is stale; go test ./dialect -run TestPage -update writes it. Want (-) got (+):\n%s", page, d)
	}
}

// sections are an overview and a section for every format.
func sections(formats []dialect.Format) string {
	var b strings.Builder
	fmt.Fprintf(&b, "\n%d formats, in matching order. The column `class` is the [failure class](reports.md#faults) in notes about calls in the format.\n\n| format | models | use | class |\n|---|---|---|---|\n", len(formats))
	for i := range formats {
		f := &formats[i]
		fmt.Fprintf(&b, "| [`%s`](#%s) | %s | %s | %s |\n", f.Name, f.Name, families(f), map[bool]string{true: "prompts and parsing", false: "parsing"}[f.Renders()], f.Fault)
	}
	for i := range formats {
		writeSection(&b, &formats[i])
	}
	return b.String()
}

func writeSection(b *strings.Builder, f *dialect.Format) {
	fmt.Fprintf(b, "\n## %s\n\n%s", f.Name, f.Doc)
	if f.Families != "" {
		fmt.Fprintf(b, " Used in prompts for model names that contain %s.", oneOf(families(f)))
	}
	b.WriteString("\n")
	if f.Example != "" {
		fmt.Fprintf(b, "\n~~~\n%s\n~~~\n", strings.Trim(f.Example, "\n"))
	}
	b.WriteString(wordings(f))
	if f.Repairs != "" {
		fmt.Fprintf(b, "\nRepairs: %s\n", lowerFirst(f.Repairs))
	}
	if m := markList(f.Marks); m != "" {
		fmt.Fprintf(b, "\n%s", m)
	}
}

// wordings are the sources of the words in which models are asked for a format, where they are those of a family.
func wordings(f *dialect.Format) string {
	var list []string
	for _, t := range prompt.Texts() {
		if t.Source != "" && slices.Contains(strings.Fields(t.Formats), f.Name) {
			list = append(list, "["+t.Name+"]("+t.Source+")")
		}
	}
	if len(list) == 0 {
		return ""
	}
	return "\nThe prompt follows " + strings.Join(list, ", ") + ".\n"
}

// oneOf writes a list with "or" before its last element.
func oneOf(list string) string {
	if i := strings.LastIndex(list, ", "); i >= 0 {
		return list[:i] + " or " + list[i+2:]
	}
	return list
}

func families(f *dialect.Format) string {
	var names []string
	for name := range strings.FieldsSeq(f.Families) {
		names = append(names, "`"+name+"`")
	}
	return strings.Join(names, ", ")
}

// roles are what marks do, in the order in which the page lists them.
var roles = []struct {
	role dialect.Role
	what string
}{
	{dialect.Wrap, "around calls"},
	{dialect.Section, "around calls, special tokens"},
	{dialect.Separate, "between the parts of a call"},
	{dialect.Key, "around a key"},
	{dialect.Value, "around a value"},
	{dialect.Prefix, "before every tag"},
	{dialect.Channel, "message tokens"},
	{dialect.Think, "around reasoning"},
	{dialect.Result, "around results"},
	{dialect.Cite, "around citations"},
	{dialect.Aside, "around removed text"},
	{dialect.Noise, "removed"},
}

// markList lists marks by what they do.
func markList(marks []dialect.Mark) string {
	var b strings.Builder
	for _, r := range roles {
		var spelled []string
		for _, m := range marks {
			if m.Role != r.role {
				continue
			}
			spelled = append(spelled, codeSpan(m.Open))
			if m.Close != "" {
				spelled[len(spelled)-1] += " " + codeSpan(m.Close)
			}
		}
		if len(spelled) > 0 {
			fmt.Fprintf(&b, "- %s: %s\n", r.what, strings.Join(spelled, ", "))
		}
	}
	return b.String()
}

// codeSpan writes a mark as code, with line breaks visible.
func codeSpan(mark string) string {
	return "`" + strings.ReplaceAll(mark, "\n", `\n`) + "`"
}

func lowerFirst(s string) string {
	if len(s) > 1 && s[1] >= 'A' && s[1] <= 'Z' { // an abbreviation
		return s
	}
	return strings.ToLower(s[:1]) + s[1:]
}

// Every role that a mark of the table has is one the page can name.
func TestPageRoles(t *testing.T) {
	known := map[dialect.Role]bool{}
	for _, r := range roles {
		known[r.role] = true
	}
	for _, f := range dialect.Formats() {
		for _, m := range f.Marks {
			if !known[m.Role] {
				t.Errorf("%s: the page has no words for what %s does", f.Name, m.Open)
			}
		}
	}
}
