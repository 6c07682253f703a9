package outbound

import (
	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/companion"
)

// TooLong returns an error of kind KindContextLength if a request certainly exceeds the context limit of the receiver,
// otherwise nil. Such a request is not sent. Clients recognize the message and shorten the conversation. Only a limit
// that was discovered, learned or configured counts. A limit from the built-in table does not, because the provider
// may have raised it.
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
