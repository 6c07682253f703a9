// Package excerpt shows places of texts.
package excerpt

import (
	"fmt"
	"strings"
)

// most bounds the runes of a line that an excerpt shows.
const most = 160

// Of shows a line of a text, which count from 1, with a mark below the column; "" for a line that there is not. Secrets
// in it are masked.
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
