package markup

import (
	"github.com/callwright/callwright/dialect/internal/chars"
	"github.com/callwright/callwright/dialect/internal/tristate"
)

// LabelAt decides whether the name of a declared tool stands after <tool: in t[i:], and a text after that: <tool: name
// text </tool>. The name begins at at. It is the short form of
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
