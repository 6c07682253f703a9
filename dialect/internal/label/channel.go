package label

import (
	"strings"

	tri "github.com/callwright/callwright/dialect/internal/tristate"
)

// A ChannelLabel is the word behind the mark that opens a channel in Gemma's format, which names the content of the
// channel.
type ChannelLabel struct {
	Size     int  // of the word and its line end; 0 where there is no label
	IsAnswer bool // the channel holds the answer, not reasoning
}

// channelLabels are the words. Reasoning stands first.
var channelLabels = [...]string{"thought", "response", "final"}

// Channel reads the label at the beginning of a text, which stands on a line of its own or before the next mark. found
// is maybe while more text is needed.
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
