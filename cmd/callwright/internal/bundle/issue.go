package bundle

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/cmd/callwright/internal/bundle/internal/side"
	"github.com/callwright/callwright/cmd/callwright/internal/finding"
	"github.com/callwright/callwright/internal/outcome"
	"github.com/callwright/callwright/internal/trace/story"
)

// NotCertain is the text that replaces the side that broke a request if it is not certain.
const NotCertain = "not certain"

// sideWords maps the side that broke a request to words, such as "the client".
var sideWords = map[side.Side]string{
	side.Model: "the model", side.Engine: "the engine that runs the model", side.Provider: "the provider",
	side.Client: "the client", side.Gateway: "callwright",
}

// Who returns the side that broke the request in words, such as "the model" or NotCertain.
func (b *Bundle) Who() string {
	v := &b.Verdict
	switch {
	case v.Side != "":
		return sideWords[v.Side]
	case !v.IsBroken():
		return "no fault was found"
	case len(v.Candidates) < 2:
		return NotCertain
	}
	var all []string
	for _, s := range v.Candidates {
		all = append(all, sideWords[s])
	}
	return NotCertain + ": " + strings.Join(all[:len(all)-1], ", ") + " or " + all[len(all)-1]
}

// Reasons returns the distinct texts of the reasons that decide which side broke the request.
func (b *Bundle) Reasons() (out []string) {
	for _, r := range b.Verdict.Reasons[:b.Verdict.Decided] {
		if !slices.Contains(out, r.Says) {
			out = append(out, r.Says)
		}
	}
	return out
}

// caseText returns the text in front of the sections of a case file.
func (b *Bundle) caseText() string {
	var t strings.Builder
	fmt.Fprintf(&t, "request   %s to %s\nfinding   %s\nbroken by %s\n", b.ID, b.Case.Head.Model, b.Case.Finding.String(), b.Who())
	for _, r := range b.Reasons() {
		fmt.Fprintf(&t, "  %s\n", r)
	}
	fmt.Fprintf(&t, "replay    callwright replay %s\n%s", CaseName, b.describeReduction())
	return t.String()
}

// describeReduction returns a sentence about the size of the case and its reduction.
func (b *Bundle) describeReduction() string {
	r := &b.Replay.Reduction
	switch {
	case b.Replay.Why != "":
		return "The case contains the whole request. It cannot be replayed: " + b.Replay.Why + "."
	case r.After == 0:
		return "The case contains the whole request: no part could be omitted, or there is no fault."
	}
	text := fmt.Sprintf("The case was reduced from %d to %d bytes in %d replays.", r.Before, r.After, r.Replays)
	if r.Stopped {
		text += " The limit of replays ended the search: a smaller case may exist."
	}
	return text
}

// issue returns the text of issue.md, a bug report in Markdown.
func (m *maker) issue(b *Bundle) string {
	var t strings.Builder
	fmt.Fprintf(&t, "# %s: %s\n\n", code(string(m.asked.Model)), m.title(b))
	fmt.Fprintf(&t, "**Broken by: %s.**\n\n", b.Who())
	m.sides(&t, b)
	if told := story.Of(m.entries); told != "" {
		fmt.Fprintf(&t, "## What happened\n\n%s\n\n", told)
	}
	m.findings(&t, b)
	v := m.versions()
	fmt.Fprintf(&t, "## Versions\n\n| program | version |\n|---|---|\n| callwright | %s %s |\n| Go, platform | %s, %s |\n",
		v.Callwright.Version, v.Callwright.Commit, v.Callwright.Go, v.Callwright.Platform)
	if v.Client != "" {
		fmt.Fprintf(&t, "| client | %s |\n", cell(v.Client))
	}
	for _, name := range slices.Sorted(maps.Keys(v.Engines)) {
		fmt.Fprintf(&t, "| server of %s | %s |\n", cell(name), cell(v.Engines[name]))
	}
	t.WriteString("\n## Replay\n\n")
	if b.Case != nil {
		fmt.Fprintf(&t, "```sh\ncallwright replay %s\n```\n\n", CaseName)
	}
	fmt.Fprintf(&t, "%s\n\n", b.replayText())
	t.WriteString("## Secrets\n\n")
	if len(b.Removed) == 0 {
		t.WriteString("No secret was found. Read the files before you publish them: a secret without a known form or name is not found.\n")
		return t.String()
	}
	t.WriteString("Secrets were replaced by `[redacted]`. Read the files before you publish them: a secret without a known form or name is not found.\n\n| kind | place | removed |\n|---|---|---|\n")
	for _, r := range b.Removed {
		fmt.Fprintf(&t, "| %s | %s | %d |\n", cell(r.Kind), cell(r.Place), r.Count)
	}
	return t.String()
}

// title returns the fault of the request in a few words.
func (m *maker) title(b *Bundle) string {
	switch {
	case len(b.Finding.Broken) > 0:
		return "a guarantee of the gateway is broken"
	case b.Finding.Kind != "":
		return strings.ReplaceAll(string(b.Finding.Kind), "_", " ")
	}
	if class := m.class(b); class != "" {
		return outcome.Words(class)
	}
	return string(b.Finding.Outcome)
}

// class returns the failure class of the first deciding finding, from its note; "" if there is none.
func (m *maker) class(b *Bundle) string {
	if m.end == nil {
		return ""
	}
	rep, _ := finding.Report(m.end)
	for _, r := range b.Verdict.Reasons[:b.Verdict.Decided] {
		if rep == nil {
			break
		}
		for _, n := range rep.Notes {
			if n.Rule == r.Finding && n.Fault != "" {
				return n.Fault
			}
		}
	}
	return ""
}

// sides writes the reasons of the verdict as a Markdown list.
func (m *maker) sides(t *strings.Builder, b *Bundle) {
	for _, r := range b.Reasons() {
		fmt.Fprintf(t, "- %s\n", r)
	}
	for _, name := range b.Verdict.Unknown {
		fmt.Fprintf(t, "- %s: the side that breaks this is unknown\n", code(name))
	}
	if len(b.Verdict.Reasons)+len(b.Verdict.Unknown) > 0 {
		t.WriteString("\n")
	}
}

// findings writes a Markdown table of the faults with the side that caused each.
func (m *maker) findings(t *strings.Builder, b *Bundle) {
	fmt.Fprintf(t, "## Findings\n\nThe request is %s.\n\n", code(string(b.Finding.Outcome)))
	if len(b.Verdict.Reasons) == 0 {
		return
	}
	t.WriteString("| finding | meaning | side |\n|---|---|---|\n")
	for _, r := range b.Verdict.Reasons {
		doc := callwright.RuleOf(r.Finding).Doc
		for _, c := range finding.Checks {
			if c.Name == r.Finding {
				doc = "broken: " + c.Says
			}
		}
		who := cmp.Or(string(r.Side), "none")
		if r.Side == "" && len(r.Or) > 0 {
			var all []string
			for _, s := range r.Or {
				all = append(all, string(s))
			}
			who = NotCertain + ": " + strings.Join(all, ", ")
		}
		fmt.Fprintf(t, "| %s | %s | %s |\n", code(r.Finding), cell(doc), cell(who))
	}
	t.WriteString("\n")
}

// replayText returns sentences about the result of replaying the request.
func (b *Bundle) replayText() string {
	if b.Case == nil {
		return "The request cannot be replayed: " + b.Replay.Why + "."
	}
	text := b.describeReduction()
	if b.Replay.Same {
		text = fmt.Sprintf("The replay has the recorded finding: `%s`. %s", b.Case.Finding.String(), text)
	}
	return text
}

// code returns a text as Markdown code.
func code(s string) string { return "`" + strings.ReplaceAll(cell(s), "`", "'") + "`" }

// cell escapes a text for a cell of a Markdown table.
func cell(s string) string {
	return strings.NewReplacer("|", "\\|", "\n", " ", "\r", " ", "<", "&lt;").Replace(s)
}
