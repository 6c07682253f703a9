package outbound

import (
	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/companion"
)

// TooLong is the error of a request that a receiver cannot take whole by any count, nil for others: it is refused
// without being sent, in the words by which clients tell that a conversation has to be made shorter. A limit that is
// only shipped is left to the provider, which may have raised it.
func TooLong(req *callwright.Request, to *Receiver) error {
	limit := to.Caps.MaxContext
	if limit <= 0 || to.Caps.Sources["max_context"] < caps.Discovered {
		return nil
	}
	if b := companion.Of(req).Body; req.Messages == nil && b != nil && len(b.Bytes())/BytesPerToken <= limit {
		return nil
	}
	history, err := req.History()
	if err != nil {
		return err
	}
	n := LeastTokens(history)
	if n <= limit {
		return nil
	}
	return callwright.Errorf("plan", callwright.KindContextLength, "",
		"prompt is too long: at least %d tokens > %d maximum of %s", n, limit, to.ID)
}
