package simulate

import (
	"encoding/base64"
	"strings"
)

// signature returns the opaque text with which a server signs its model's reasoning. Equal texts get equal signatures
// in an API, and another API's are of no use.
func signature(wire string, about ...string) string {
	return base64.StdEncoding.EncodeToString([]byte(signaturePrefix(wire) + digest(about...)))
}

func signaturePrefix(wire string) string { return "sim:" + wire + ":" }

// signedHere reports whether a signature comes from this wire. Google's clients may write it in the other alphabet of
// base64.
func signedHere(wire, sign string) bool {
	plain, err := base64.StdEncoding.DecodeString(strings.NewReplacer("-", "+", "_", "/").Replace(sign))
	return err == nil && strings.HasPrefix(string(plain), signaturePrefix(wire))
}
