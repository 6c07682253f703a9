package markup

import (
	"strings"

	"github.com/callwright/callwright/dialect/internal/chars"
	"github.com/callwright/callwright/dialect/internal/tristate"
)

// ReadAssignedValue reads the value of a tag <function=value> at t[i:] and the end of the tag. The closing bracket may
// be missing at the end of the line or before a JSON body. alone reports a tag <function=value/>.
func ReadAssignedValue(t string, i int, ended bool) (value string, end int, alone bool, found tristate.State) {
	limit := min(len(t), chars.MaxTag)
	for j := i; j < limit; j++ {
		switch t[j] {
		case '>':
			value, alone = strings.CutSuffix(t[i:j], "/")
			end = j + 1
		case '\n', '{', '<':
			if end = j; strings.IndexByte(t[i:j], '=') > 0 { // an equals sign in place of the bracket
				j = i + strings.IndexByte(t[i:j], '=')
				end = j + 1
			}
			value = t[i:j]
		default:
			continue
		}
		value = strings.Trim(value, " \"'")
		return value, end, alone, tristate.YesIf(value != "")
	}
	return "", 0, false, tristate.Unless(ended || limit == chars.MaxTag)
}
