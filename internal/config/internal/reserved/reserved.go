// Package reserved knows which members of a request no configuration may set.
package reserved

import (
	"fmt"
	"slices"
	"strings"

	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/wire/codecs"
)

// Check returns why the member at a path below a key may not be set to that value, nil for none that removes it; nil
// where it may.
func Check(key string, path []string, value []byte) error {
	for _, r := range codecs.ReservedPaths() {
		n := min(len(r), len(path))
		if !slices.Equal(r[:n], path[:n]) {
			continue
		}
		if _, inside := jsonx.Lookup(value, r[n:]...); len(path) < len(r) && jsonx.KindOf(value) == jsonx.Object && len(value) > 2 && !inside {
			continue // another part of what holds it
		}
		return fmt.Errorf("%s is not for %s to set: it is the client's, and answers are judged by it", strings.Join(r, "."), key)
	}
	return nil
}
