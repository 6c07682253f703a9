package mcptool

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
)

// maxToolName is the maximum length in bytes of a tool name with its server prefix.
const maxToolName = 128

// toolName returns the name of a server's tool for models, such as "files:read". If characters had to be replaced or
// the name was too long, it ends with a hash of the original, so that it does not depend on the server's other tools.
func toolName(server, tool string) string {
	const hashed = 8
	most := maxToolName - len(server) - 1
	clean := cleanName(tool, most)
	if clean == tool {
		return server + ":" + tool
	}
	sum := sha256.Sum256([]byte(tool))
	return server + ":" + cleanName(tool, most-hashed-1) + "_" + hex.EncodeToString(sum[:])[:hashed]
}

// cleanName returns at most n bytes of a name, with '_' in place of invalid characters.
func cleanName(name string, n int) string {
	var b strings.Builder
	for _, r := range name {
		if b.Len() == n {
			break
		}
		if !nameRune(r) {
			r = '_'
		}
		b.WriteRune(r)
	}
	return b.String()
}

func nameRune(r rune) bool {
	return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || r == '_' || r == '-' || r == '.'
}
