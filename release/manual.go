package main

import (
	"context"
	"encoding/json"
	"regexp"
	"strings"
)

// commandLine matches a row in the list of commands in the program's help.
var commandLine = regexp.MustCompile(`(?m)^  ([a-z]+) {2,}\S`)

// manualPage returns the manual page in troff. It contains the help texts of the program and its commands.
func (r *release) manualPage(ctx context.Context, program string) ([]byte, error) {
	env := []string{"COLUMNS=80", "NO_COLOR=1"}
	help, err := output(ctx, r.work, env, program, "--help")
	if err != nil {
		return nil, err
	}
	var page strings.Builder
	page.WriteString(`.TH CALLWRIGHT 1 "` + r.date.Format("2006-01-02") + `" "callwright ` + r.version + `" "User Commands"` + "\n")
	page.WriteString(".SH NAME\ncallwright \\- reliable tool calls on every language model\n")
	section(&page, "DESCRIPTION", help)
	_, commands, _ := strings.Cut(help, "Commands:")
	for _, m := range commandLine.FindAllStringSubmatch(commands, -1) {
		text, err := output(ctx, r.work, env, program, m[1], "--help")
		if err != nil {
			return nil, err
		}
		section(&page, "CALLWRIGHT "+strings.ToUpper(m[1]), text)
	}
	return []byte(page.String()), nil
}

// section writes a section of preformatted text in troff. It escapes backslashes, hyphens and leading periods.
func section(w *strings.Builder, title, text string) {
	w.WriteString(".SH " + title + "\n.nf\n")
	escape := strings.NewReplacer(`\`, `\e`, "-", `\-`)
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, ".") || strings.HasPrefix(line, "'") {
			w.WriteString(`\&`)
		}
		w.WriteString(escape.Replace(line))
	}
	w.WriteString("\n.fi\n")
}

// jsonOf returns a value as indented JSON with a final newline.
func jsonOf(v any) ([]byte, error) {
	text, err := json.MarshalIndent(v, "", "  ")
	return append(text, '\n'), err
}
