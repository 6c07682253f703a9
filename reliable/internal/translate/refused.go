package translate

import (
	"slices"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/toolserver"
	"github.com/callwright/callwright/reliable/internal/judge"
)

// LeftOutRule is the rule of notes about tools that are not sent because the provider rejects them. Disabling it sends
// them.
const LeftOutRule = "tools.left_out"

// briefDescription is the maximum length of a tool description, in bytes, if the provider rejected a longer one:
// https://github.com/getsentry/sentry-mcp/issues/106.
const briefDescription = 1024

// leaveOut records that the tool at index place is not sent.
func (m *maker) leaveOut(place int, t *callwright.Tool) {
	m.out.Left = append(m.out.Left, place)
	m.out.Notes = append(m.out.Notes, callwright.Note{Rule: LeftOutRule, Stage: callwright.StageOutbound, Call: t.Name, Was: t.Name,
		Why: toolserver.Describe(t.Name) + " is refused by the provider in every form"}.Classify())
}

// cut truncates the description of a tool at the end of a word, if it exceeds briefDescription. path is the JSON
// pointer for the note.
func (m *maker) cut(t *callwright.Tool, path string) {
	if len(t.Description) <= briefDescription {
		return
	}
	end := briefDescription - len("...")
	if space := strings.LastIndexByte(t.Description[:end], ' '); space > end/2 {
		end = space
	}
	m.out.Notes = append(m.out.Notes, callwright.Note{Rule: "tools.description_cut", Stage: callwright.StageOutbound, Path: path, Call: t.Name,
		Why: "the provider refuses a description of this length"}.Classify())
	t.Description = jsonx.Clip(t.Description, end) + "..."
}

// WithAllSent returns a copy of w that ignores which tools the provider rejected.
func (w Want) WithAllSent() Want {
	w.refused = ""
	return w
}

// WithoutLeft returns the indexes of the tools to send: the indexes in sent except those in t.Left. total is the
// number of tools. A nil sent means all tools.
func (t *Tools) WithoutLeft(total int, sent []int) []int {
	if t.Left == nil {
		return sent
	}
	out := make([]int, 0, total)
	if sent == nil {
		for i := range total {
			out = append(out, i)
		}
	} else {
		out = append(out, sent...)
	}
	return slices.DeleteFunc(out, func(i int) bool { return slices.Contains(t.Left, i) })
}

// ChoiceWithout removes the tools in t.Left from a tool choice. It returns an error if the choice requires a call of a
// tool that is not sent.
func (t *Tools) ChoiceWithout(c callwright.Choice, s *judge.Toolset, to callwright.ModelID) (callwright.Choice, error) {
	if t.Left == nil || c.Mode == callwright.ChoiceNone {
		return c, nil
	}
	isLeft := func(name string) bool {
		return slices.ContainsFunc(t.Left, func(i int) bool { return s.Tools[i].Name == name })
	}
	kept := slices.DeleteFunc(slices.Clone(c.Names), isLeft)
	switch {
	case len(kept) == 0 && c.IsForced() && (len(c.Names) > 0 || len(t.Left) == len(s.Tools)):
		left := c.Names
		if len(left) == 0 {
			left = []string{s.Tools[t.Left[0]].Name}
		}
		return c, callwright.Errorf("plan", callwright.KindUnsupported, "/tool_choice",
			"a call of %s is required, but %s refuses this tool, so it is not sent",
			toolserver.Describe(left[0]), to)
	case len(kept) == 0 && len(c.Names) > 0:
		return callwright.Choice{Mode: callwright.ChoiceNone}, nil
	}
	c.Names = kept
	return c, nil
}
