package items

import "strings"

// Pieces is a text to which deltas are appended. It grows in blocks, so that growing copies nothing. The zero Pieces is
// the empty text.
type Pieces struct {
	blocks []string
	last   strings.Builder // the block that is being filled
	len    int
}

// Minimum and maximum length of a block in bytes. In between, a block is at least as long as all earlier ones together.
const (
	firstBlock   = 64
	longestBlock = 1 << 20
)

// Add appends a copy of s.
func (p *Pieces) Add(s string) {
	for p.len += len(s); s != ""; {
		room := p.last.Cap() - p.last.Len()
		if room == 0 {
			if p.last.Len() > 0 {
				p.blocks = append(p.blocks, p.last.String())
				p.last.Reset()
			}
			room = min(max(p.len-len(s), len(s), firstBlock), longestBlock)
			p.last.Grow(room)
		}
		n := min(room, len(s))
		p.last.WriteString(s[:n])
		s = s[n:]
	}
}

// Len returns the length of the text in bytes.
func (p *Pieces) Len() int { return p.len }

// String returns the text.
func (p *Pieces) String() string {
	if len(p.blocks) == 0 {
		return p.last.String()
	}
	return strings.Join(p.blocks, "") + p.last.String()
}

// Rest returns the part of whole after the text. ok is false if whole does not begin with the text.
func (p *Pieces) Rest(whole string) (rest string, ok bool) {
	rest = whole
	for _, b := range p.blocks {
		if rest, ok = strings.CutPrefix(rest, b); !ok {
			return whole, false
		}
	}
	return strings.CutPrefix(rest, p.last.String())
}
