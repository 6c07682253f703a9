package items

import "strings"

// Pieces is a text that comes in pieces. It grows block by block, so that nothing is copied twice. The zero Pieces is
// the empty text.
type Pieces struct {
	blocks []string
	last   strings.Builder // the block that grows
	len    int
}

// A block is at least as long as all before it together, between these bounds.
const (
	firstBlock   = 64
	longestBlock = 1 << 20
)

// Add adds a piece, which is copied.
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

// Len returns the length of the text.
func (p *Pieces) Len() int { return p.len }

// String returns the text.
func (p *Pieces) String() string {
	if len(p.blocks) == 0 {
		return p.last.String()
	}
	return strings.Join(p.blocks, "") + p.last.String()
}

// Rest returns the rest of another text after this one; ok is false for one that begins otherwise.
func (p *Pieces) Rest(whole string) (rest string, ok bool) {
	rest = whole
	for _, b := range p.blocks {
		if rest, ok = strings.CutPrefix(rest, b); !ok {
			return whole, false
		}
	}
	return strings.CutPrefix(rest, p.last.String())
}
