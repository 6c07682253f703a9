package simulate

import (
	"encoding/base64"
	"strings"
)

// signature returns a signature for a model's reasoning. about has the texts to sign. Equal texts get equal signatures;
// signatures of different wires differ.
func signature(wire string, about ...string) string {
	return base64.StdEncoding.EncodeToString([]byte(signaturePrefix(wire) + digest(about...)))
}

func signaturePrefix(wire string) string { return "sim:" + wire + ":" }

// signedHere reports whether the server created the signature for this wire. It accepts both base64 alphabets, because
// Google's clients use the URL alphabet.
func signedHere(wire, sign string) bool {
	plain, err := base64.StdEncoding.DecodeString(strings.NewReplacer("-", "+", "_", "/").Replace(sign))
	return err == nil && strings.HasPrefix(string(plain), signaturePrefix(wire))
}
