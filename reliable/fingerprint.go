package reliable

import (
	"encoding/hex"
	"fmt"
	"hash/fnv"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/reliable/internal/judge"
)

// fingerprint identifies what decides how a request is treated and answered, but for the conversation.
func fingerprint(req *callwright.Request, tools *judge.Toolset, o *options) string {
	h := fnv.New64a()
	fmt.Fprint(h, o.policy, o.dialect, o.streamCalls, o.modes, tools.Digest)
	for _, f := range o.facts {
		fmt.Fprint(h, f.Key, f.Value)
	}
	req.AddTo(h)
	return hex.EncodeToString(h.Sum(nil))
}
