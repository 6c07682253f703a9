package reliable

import (
	"encoding/hex"
	"fmt"
	"hash"
	"hash/fnv"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/fingerprint"
	"github.com/callwright/callwright/reliable/internal/judge"
	"github.com/cespare/xxhash/v2"
)

// A configured is a Model whose settings change requests. AddTo adds these settings to a hash.
type configured interface{ AddTo(h hash.Hash) }

// digest returns a hash of the options and models, as far as they affect the processing of requests.
func (o *options) digest(m callwright.Model) []byte {
	h := fnv.New128a()
	fmt.Fprint(h, o.policy, o.dialect, o.streamCalls, o.strictTools, o.constrain, o.modes, o.rules, o.maxCorrections, o.oneMode,
		o.textCallsOff, o.strictJSON, o.marks, o.overLimit)
	for _, f := range o.facts {
		fmt.Fprint(h, f.Key, f.Value)
	}
	o.transformSet.AddTo(h)
	for _, m := range append([]callwright.Model{m}, o.fallbacks...) {
		fmt.Fprintln(h, idOf(m))
		if m, ok := m.(configured); ok {
			m.AddTo(h)
		}
	}
	return h.Sum(nil)
}

// fingerprint returns a hash of everything that affects the processing of req apart from the conversation. See
// Report.Fingerprint.
func (c *Client) fingerprint(req *callwright.Request, tools *judge.Toolset) string {
	h := xxhash.New() // faster than FNV (1 ns per byte) for long instructions
	_, _ = h.Write(c.digest)
	_, _ = h.WriteString(tools.Digest)
	var room [256]byte
	_, _ = h.Write(fingerprint.AppendSettings(room[:0], req))
	for text := range fingerprint.Instructions(req) {
		_, _ = h.Write(text)
	}
	var sum [8]byte
	return hex.EncodeToString(h.Sum(sum[:0]))
}
