package markup

import (
	"github.com/callwright/callwright/dialect/internal/chars"
	"github.com/callwright/callwright/dialect/internal/tristate"
)

// LabelAt reports whether t[i:], after "<tool:", has a declared tool name and further text, as in <tool: name text
// </tool>. at is the start of the name. The format is that of
// https://github.com/vllm-project/vllm/blob/main/vllm/tool_parsers/cwm_tool_parser.py.
func LabelAt(t string, i int, ended bool, declared func(name string) bool) (at int, found tristate.State) {
	at = chars.SpaceEnd(t, i)
	end := chars.WordEnd(t, at)
	next := chars.SpaceEnd(t, end)
	if next == len(t) {
		return at, tristate.Unless(ended)
	}
	return at, tristate.YesIf(next > end && t[next] != '>' && declared(t[at:end]))
}
