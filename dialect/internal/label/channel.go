package label

import (
	"strings"

	tri "github.com/callwright/callwright/dialect/internal/tristate"
)

// A ChannelLabel is the word after the marker that opens a channel in Gemma's format, as in <|channel>thought.
type ChannelLabel struct {
	Size     int  // size of the word with its newline in bytes; 0 if there is none
	IsAnswer bool // the channel has the response text rather than reasoning
}

// channelLabels are the known labels. The first one is that of reasoning.
var channelLabels = [...]string{"thought", "response", "final"}

// Channel parses the label at the beginning of text, which must be alone on its line or before the next marker. found
// is maybe if more text is needed.
func Channel(text string, ended bool) (l ChannelLabel, found tri.State) {
	for i, word := range channelLabels {
		if len(text) <= len(word) && strings.HasPrefix(word, text) && !ended {
			return l, tri.Maybe
		}
		rest, ok := strings.CutPrefix(text, word)
		if !ok {
			continue
		}
		line := strings.TrimLeft(rest, " \t\r")
		l.Size, l.IsAnswer = len(text)-len(line), i > 0
		switch {
		case line == "" && len(rest) <= MaxGap:
			return l, tri.AtEnd(ended)
		case line != "" && line[0] == '\n':
			l.Size++
			return l, tri.Yes
		case line != "" && line[0] == '<':
			return l, tri.Yes
		}
	}
	return ChannelLabel{}, tri.No
}
