package repair

// The kinds of open brackets. The last kind is a doubled opening brace, which is not written to the output.
const (
	brace        = '{'
	bracket      = '['
	paren        = '('
	doubledBrace = 'g'
)

// frames is the stack of open brackets.
type frames struct {
	kinds []byte
	count [3]int // number of open braces (including doubled ones), brackets and parentheses
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

// opens returns the kind of bracket that the closing bracket c closes.
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

// closes returns the closing bracket for a kind.
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

// top returns the kind of the innermost open bracket, 0 if none is open.
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

// has reports whether a bracket that c closes is open.
func (f *frames) has(c byte) bool { return f.count[slot(opens(c))] > 0 }

// under returns the stack depth after c closes its bracket, if the stack has depth d. It returns -1 if none of the 8
// innermost brackets has the right kind.
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
