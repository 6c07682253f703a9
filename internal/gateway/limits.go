package gateway

import (
	"fmt"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/wire/codecs"
)

// Limits are the limits of a request. A zero field means its default.
type Limits struct {
	Body     int64 // bytes; default 32 MiB
	Messages int   // messages or items of a conversation; default 20,000
	Parts    int   // parts of all messages; default 100,000
	Tools    int   // declared tools; default 20,000
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

// check returns an error if a request body exceeds a limit of messages, parts or tools.
func (l *Limits) check(body []byte) error {
	what, limit, exceeds := codecs.Exceeds(body, codecs.Size{Messages: l.Messages, Parts: l.Parts, Tools: l.Tools})
	if !exceeds {
		return nil
	}
	return &callwright.Error{Kind: callwright.KindTooLarge, Message: fmt.Sprintf("expected at most %d %s in a request, got more", limit, what)}
}
