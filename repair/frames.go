package repair

// The kinds of open brackets. A ghost is a doubled opening brace, read and not written.
const (
	brace   = '{'
	bracket = '['
	paren   = '('
	ghost   = 'g'
)

// frames is the stack of open brackets.
type frames struct {
	kinds []byte
	count [3]int // open braces (with ghosts), brackets, parentheses
}

func slot(kind byte) int {
	switch kind {
	case bracket:
		return 1
	case paren:
		return 2
	default:
		return 0
	}
}

// opens returns the kind that a closing bracket closes.
func opens(c byte) byte {
	switch c {
	case ']':
		return bracket
	case ')':
		return paren
	default:
		return brace
	}
}

// closes returns the bracket that closes a kind.
func closes(kind byte) byte {
	switch kind {
	case bracket:
		return ']'
	case paren:
		return ')'
	default:
		return '}'
	}
}

func isOpener(c byte) bool { return c == '{' || c == '[' || c == '(' }
func isCloser(c byte) bool { return c == '}' || c == ']' || c == ')' }

func (f *frames) depth() int { return len(f.kinds) }

// top is the kind of the innermost open bracket, 0 when none is open.
func (f *frames) top() byte {
	if len(f.kinds) == 0 {
		return 0
	}
	return f.kinds[len(f.kinds)-1]
}

func (f *frames) push(kind byte) {
	f.kinds = append(f.kinds, kind)
	f.count[slot(kind)]++
}

func (f *frames) pop() byte {
	kind := f.top()
	f.kinds = f.kinds[:len(f.kinds)-1]
	f.count[slot(kind)]--
	return kind
}

// has reports whether a bracket is open that this one closes.
func (f *frames) has(c byte) bool { return f.count[slot(opens(c))] > 0 }

// under returns the depth that is left after c closes its frame, seen from depth d; -1 when none of the nearest
// frames is of its kind.
func (f *frames) under(c byte, d int) int {
	const near = 8
	want := slot(opens(c))
	for i := d - 1; i >= 0 && i >= d-near; i-- {
		if slot(f.kinds[i]) == want {
			return i
		}
	}
	return -1
}

func (f *frames) reset() {
	f.kinds = f.kinds[:0]
	f.count = [3]int{}
}
