package gateway

import (
	"fmt"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/wire/codecs"
)

// Limits bound a request. A zero member stands for its default.
type Limits struct {
	Body     int64 // bytes: 32 MiB
	Messages int   // messages or items of a conversation: 20,000
	Parts    int   // parts of messages, all together: 100,000
	Tools    int   // declared tools: 20,000
}

func (l Limits) orDefault() Limits {
	if l.Body == 0 {
		l.Body = 32 << 20
	}
	for _, d := range []struct {
		at   *int
		want int
	}{{&l.Messages, 20_000}, {&l.Parts, 100_000}, {&l.Tools, 20_000}} {
		if *d.at == 0 {
			*d.at = d.want
		}
	}
	return l
}

// check returns an error for a body with more than the limits.
func (l *Limits) check(body []byte) error {
	what, limit, exceeds := codecs.Exceeds(body, codecs.Size{Messages: l.Messages, Parts: l.Parts, Tools: l.Tools})
	if !exceeds {
		return nil
	}
	return &callwright.Error{Kind: callwright.KindTooLarge, Message: fmt.Sprintf("expected at most %d %s in a request, got more", limit, what)}
}
