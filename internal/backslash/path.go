package backslash

import "strings"

// afterDrive reports whether the backslash at i follows a drive letter and a colon at the beginning of a path, as in
// C:\new.
func (r *Reader) afterDrive(i int) bool {
	if i < r.last+2 || r.text[i-1] != ':' || !isLetter(r.text[i-2]) || !r.begins(i-2) {
		return false
	}
	switch r.text[i+1] {
	case 'n', 'r', 't': // \n, \r or \t may also follow a colon at the end of a line of Python or YAML
		next := r.after(i)
		return isName(next) || next != ' ' && isUpper(r.text[i-2])
	}
	return true
}

// isServer reports whether a UNC path such as \\server\share begins at i.
func (r *Reader) isServer(i int) bool {
	end := r.serverEnd(i, 2)
	return end > 0 && end+1 < len(r.text) && r.text[end+1] != '\\'
}

// isEscapedServer reports whether an escaped UNC path, with four backslashes before the server name, begins at i.
func (r *Reader) isEscapedServer(i int) bool { return r.serverEnd(i, 4) > 0 }

// serverEnd returns the offset of the backslash after a server name that n backslashes at i precede. It returns 0 if
// there is none.
func (r *Reader) serverEnd(i, n int) int {
	name := i + n
	if !r.begins(i) || name >= len(r.text) || strings.Trim(r.text[i:name], `\`) != "" {
		return 0
	}
	end := name
	for end < len(r.text) && end-name < maxServer && (isName(r.text[end]) || r.text[end] == '$') {
		end++
	}
	if end == name && r.text[end] == '?' {
		end++
	}
	if end >= len(r.text) || r.text[end] != '\\' || end == name || end == name+1 && strings.IndexByte("?.", r.text[name]) < 0 {
		return 0
	}
	return end
}

const (
	maxServer = 255 // maximum length in bytes of a server name
	maxFolder = 48  // maximum length in bytes of the rest of a folder name after its first space
)

// pathEnd returns the offset of the end of the path whose first backslash is at i.
func (r *Reader) pathEnd(i int) int {
	depth := 0
	for i < len(r.text) {
		switch c := r.text[i]; {
		case c == '\\':
			if i+1 >= len(r.text) || strings.IndexByte("\"'`", r.text[i+1]) >= 0 {
				return i
			}
			if r.text[i+1] == '\\' {
				i++
			}
		case c == ' ':
			next := r.folderEnd(i)
			if next < 0 {
				return i
			}
			i = next
			continue
		case c == ':' && i >= 2 && r.text[i-2] == '\\' && strings.HasPrefix(r.text[i+1:], `\`): // the drive in \\?\C:\
		case c < ' ' || strings.IndexByte("\"'`<>|,;:", c) >= 0:
			return i
		case c == '(' || c == '[' || c == '{':
			depth++
		case c == ')' || c == ']' || c == '}':
			if depth--; depth < 0 {
				return i
			}
		}
		i++
	}
	return i
}

// folderEnd returns the offset of the backslash after a folder name whose first space is at i. It returns -1 if the
// path ends before the space. Lower-case words after the space are prose after the path, unless there are at most two
// and a lower-case letter follows the backslash.
func (r *Reader) folderEnd(i int) int {
	if name := r.text[strings.LastIndexByte(r.text[:i], '\\')+1 : i]; isFile(name) {
		return -1
	}
	words, capitals := 0, true
	for end := i; end < min(len(r.text), i+maxFolder); end++ {
		switch c := r.text[end]; {
		case c == '\\':
			before := r.text[end-1]
			if before == ' ' || before == '.' || !capitals && (words > 2 || !isLower(r.after(end))) {
				return -1
			}
			return end
		case c == ' ':
			if end+1 >= len(r.text) {
				return -1
			}
			words++
			first := r.text[end+1]
			if !isLetter(first) && !isDigit(first) && first != '(' && first != '_' {
				return -1
			}
			capitals = capitals && !isLower(first)
		case !isName(c) && c != '(' && c != ')':
			return -1
		}
	}
	return -1
}

// isFile reports whether name ends with a file extension of one to four bytes.
func isFile(name string) bool {
	n := strings.LastIndexByte(name, '.')
	return n > 0 && len(name)-n > 1 && len(name)-n <= 5
}
