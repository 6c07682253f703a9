package kit

import (
	"crypto/sha256"
	"encoding/binary"
	"strings"

	"github.com/callwright/callwright/caps"
)

// IDs maps the tool call ids of one conversation to ids that a provider accepts. A valid id stays unchanged. Another id
// is replaced by an id derived from its hash, which is the same in each request with the same history and differs from
// all other ids. The zero IDs accepts every id. Not safe for concurrent use.
type IDs struct {
	rule  caps.IDRule
	names map[string]string // original id -> id to send
	taken map[string]bool   // ids that are already in use
}

// NewIDs returns IDs for a provider that accepts the tool call ids that satisfy rule.
func NewIDs(rule caps.IDRule) *IDs { return &IDs{rule: rule} }

// mintedChars is the length of a derived call id without its prefix: 22 base-62 digits hold 128 bits.
const mintedChars = 22

// mintedPrefix is the prefix of derived call ids, if the rule allows the length and the underscore.
const mintedPrefix = "call_"

// Map returns the tool call id to send to the provider in place of id. The empty id stays empty.
func (m *IDs) Map(id string) string {
	if id == "" || m.rule == (caps.IDRule{}) {
		return id
	}
	if name, ok := m.names[id]; ok {
		return name
	}
	name := id
	for try := uint64(0); try == 0 && !m.rule.Accepts(name) || m.taken[name]; try++ {
		name = mint(m.rule, id, try)
	}
	if m.names == nil {
		m.names, m.taken = map[string]string{}, map[string]bool{}
	}
	m.names[id], m.taken[name] = name, true
	return name
}

const base62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

// mint derives a tool call id that satisfies rule from the hash of id and try. Each value of try gives another id.
func mint(rule caps.IDRule, id string, try uint64) string {
	prefix, chars := mintedPrefix, mintedChars
	underscore := rule.Extra == "*" || strings.Contains(rule.Extra, "_")
	if rule.Exact > 0 || rule.Max > 0 && rule.Max < len(prefix)+chars || !underscore {
		prefix = ""
	}
	switch {
	case rule.Exact > 0:
		chars = rule.Exact
	case rule.Max > 0:
		chars = min(chars, rule.Max)
	}
	out := append(make([]byte, 0, len(prefix)+chars), prefix...)
	for block := uint64(0); len(out) < len(prefix)+chars; block++ {
		seed := binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(nil, try), block)
		sum := sha256.Sum256(append(seed, id...))
		for i := 0; i < len(sum) && len(out) < len(prefix)+chars; i++ {
			out = append(out, base62[int(sum[i])%len(base62)])
		}
	}
	return string(out)
}
