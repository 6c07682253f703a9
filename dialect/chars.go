package dialect

// maxName bounds the length of a name as written.
const maxName = 160

func isNameByte(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '_' || c == '-' || c == '.' || c == ':' || c == '\\' || c == '/'
}

func isJoint(c byte) bool { return c == '.' || c == ':' || c == '/' }
