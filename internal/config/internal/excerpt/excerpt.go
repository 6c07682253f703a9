// Package excerpt shows a line of a text with a position in it, for errors.
package excerpt

import (
	"fmt"
	"strings"
)

// most is the maximum number of characters of a line in an excerpt.
const most = 160

// Of returns the line with the number at, and below it a mark at the character column. Both count from 1. Secrets are
// masked. Of returns "" if there is no such line.
func Of(lines []string, at, column int, secrets []string) string {
	if at < 1 || at > len(lines) {
		return ""
	}
	line := strings.TrimRight(lines[at-1], "\r\n")
	for _, s := range secrets {
		line = strings.ReplaceAll(line, s, strings.Repeat("*", len([]rune(s))))
	}
	shown := []rune(strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return ' '
		}
		return r
	}, line))
	if len(shown) > most {
		shown = append(shown[:most], '…')
	}
	head := fmt.Sprintf("%5d | ", at)
	mark := min(max(column-1, 0), len(shown))
	return head + string(shown) + "\n" + strings.Repeat(" ", len(head)-2) + "| " + strings.Repeat(" ", mark) + "^"
}
