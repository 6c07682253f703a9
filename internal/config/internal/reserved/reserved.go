// Package reserved decides which members of a request body a configuration must not set.
package reserved

import (
	"fmt"
	"slices"
	"strings"

	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/wire/codecs"
)

// Check returns an error if the configuration key key must not set the member at path to value. A nil value removes the
// member. The gateway reads these members, such as tools, from the client's request.
func Check(key string, path []string, value []byte) error {
	for _, r := range codecs.ReservedPaths() {
		n := min(len(r), len(path))
		if !slices.Equal(r[:n], path[:n]) {
			continue
		}
		if _, inside := jsonx.Lookup(value, r[n:]...); len(path) < len(r) && jsonx.KindOf(value) == jsonx.Object && len(value) > 2 && !inside {
			continue // value sets other members of the same object
		}
		return fmt.Errorf("%s cannot be set in %s: only the client may set it", strings.Join(r, "."), key)
	}
	return nil
}
