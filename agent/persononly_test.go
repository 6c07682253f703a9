package agent_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/agent"
)

// A call of a tool for persons is refused without a reliable client too, whoever offers the tool and whatever else is allowed, and no list of
// tools has it.
func TestPersonOnlyOfAnyModel(t *testing.T) {
	fromServer := tool("git:facts_commit", func(context.Context) (string, error) { return "committed", nil })
	for name, c := range map[string]struct {
		opts    []agent.Option
		call    string
		results []string
	}{
		"by its name":       {[]agent.Option{agent.Tools(personTool(t))}, "facts_commit", []string{"NOT_ALLOWED"}},
		"in another case":   {[]agent.Option{agent.Tools(personTool(t))}, "workspace.FactsCommit", []string{"NOT_ALLOWED"}},
		"of a source":       {[]agent.Option{agent.From(given{personTool(t)})}, "facts-commit", []string{"NOT_ALLOWED"}},
		"allowed by name":   {[]agent.Option{agent.Tools(personTool(t)), agent.WithAllowed("facts_commit")}, "facts_commit", []string{"NOT_ALLOWED"}},
		"with a yes to all": {[]agent.Option{agent.Tools(personTool(t)), agent.WithApproveAll()}, "facts_commit", []string{"NOT_ALLOWED"}},
		"without any tools": {[]agent.Option{agent.Tools(personTool(t)), agent.WithMode(agent.ModeDisabled)}, "facts_commit", []string{"NOT_ALLOWED"}},
		"another tool":      {[]agent.Option{agent.Tools(personTool(t))}, "facts_revert", []string{"UNKNOWN_TOOL"}},
		"a server's own":    {[]agent.Option{agent.Tools(personTool(t)), agent.From(given{fromServer})}, "git:facts_commit", []string{`"committed"`}},
		"one spelled like it": {[]agent.Option{agent.Tools(personTool(t)), agent.From(given{tool("FactsCommit", func(context.Context) (string, error) {
			t.Error("it was run")
			return "", nil
		})})}, "FactsCommit", []string{"NOT_ALLOWED"}},
	} {
		t.Run(name, func(t *testing.T) {
			m := &script{answers: []any{calls(c.call, `{}`), "Done."}}
			res, err := agent.New(m, append(c.opts, agent.Tools(weather(new([]string))))...).Run(t.Context(), callwright.UserText("Commit it."))
			if err != nil {
				t.Fatal(err)
			}
			if got := results(res.Messages); !slices.Equal(got, c.results) {
				t.Errorf("the model was told %q", got)
			}
			noted := slices.ContainsFunc(res.Notes, func(n callwright.Note) bool { return n.Rule == "loop.person_only" && n.Call == c.call })
			if noted != (c.results[0] == "NOT_ALLOWED") {
				t.Errorf("notes %+v", res.Notes)
			}
			for _, req := range m.asked {
				if slices.ContainsFunc(req.Tools, func(t callwright.Tool) bool {
					return strings.EqualFold(strings.ReplaceAll(t.Name, "_", ""), "factscommit")
				}) {
					t.Errorf("offered: %+v", req.Tools)
				}
			}
			if listed := fmt.Sprint(res.Messages[:min(3, len(res.Messages))]); c.results[0] == "UNKNOWN_TOOL" && strings.Contains(listed, "facts_commit") {
				t.Errorf("listed: %s", listed)
			}
		})
	}
}

// Two tools that a model could not tell apart are refused where a person alone may use one.
func TestPersonOnlyIsToldApart(t *testing.T) {
	m := &script{answers: []any{"x"}}
	for want, tools := range map[string][]agent.Tool{
		"": {personTool(t), tool("git:facts_commit", nil)},
		`agent.tools: the name of the tool "facts-commit" is too similar to "facts_commit", which only a person may use: rename it`: {personTool(t), tool("facts-commit", nil)},
		`agent.tools: the name of the tool "CommitFacts" is too similar to "commit_facts", which only a person may use: rename it`:  {tool("CommitFacts", nil), personTool(t)},
		`agent.check_tool: /aliases: tool "x": expected valid names of tools`:                                                       {{Name: "x", PersonOnly: true, Aliases: []string{"a b"}}},
	} {
		_, err := agent.New(m, agent.Tools(tools...)).Run(t.Context(), callwright.UserText("x"))
		if got := errorText(err); got != want {
			t.Errorf("error %q, expected %q", got, want)
		}
	}
}

// errorText is the text of an error, "" for none.
func errorText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// personTool is a tool that must not be run.
func personTool(t *testing.T) agent.Tool {
	return agent.Func("facts_commit", "This is never offered.", func(context.Context, struct{ ID string }) (string, error) {
		t.Error("a model has used a tool for persons")
		return "", nil
	}, agent.PersonOnly("commit_facts"))
}
