package callshape

import (
	"strings"

	"github.com/callwright/callwright/internal/callkey"
)

// MarkupArgs finds arguments in XML elements inside the JSON object of a call, as in "arguments": <a>1</a>, and
// converts them with read. ok is false if there are none.
func MarkupArgs(text string, read func(elements string) (json []byte, ok bool)) (json []byte, ok bool) {
	for _, key := range callkey.Arguments {
		_, rest, ok := strings.Cut(text, `"`+key+`"`)
		rest, colon := strings.CutPrefix(strings.TrimLeft(rest, " \t\r\n"), ":")
		rest = strings.TrimLeft(rest, " \t\r\n{")
		end := strings.LastIndexByte(rest, '>')
		if !ok || !colon || end < 0 || rest[0] != '<' || strings.Trim(rest[end+1:], "} \t\r\n") != "" {
			continue
		}
		if json, ok := read(rest[:end+1]); ok {
			return json, true
		}
	}
	return nil, false
}
