package servicemanager

import (
	"os"
	"strconv"
	"testing"
	"time"
)

// Signs of life are given twice in the time that systemd allows, by the process that it means or the one that takes its place.
func TestInterval(t *testing.T) {
	self, other := strconv.Itoa(os.Getpid()), strconv.Itoa(os.Getpid()+1)
	for name, tc := range map[string]struct {
		env        map[string]string
		handedOver bool
		want       time.Duration
	}{
		"this process":       {map[string]string{envSocket: "/run/n", envInterval: "30000000", envWatched: self}, false, 15 * time.Second},
		"any process":        {map[string]string{envSocket: "/run/n", envInterval: "30000000"}, false, 15 * time.Second},
		"another process":    {map[string]string{envSocket: "/run/n", envInterval: "30000000", envWatched: other}, false, 0},
		"in another's place": {map[string]string{envSocket: "/run/n", envInterval: "30000000", envWatched: other}, true, 15 * time.Second},
		"no socket":          {map[string]string{envInterval: "30000000"}, false, 0},
		"no interval":        {map[string]string{envSocket: "/run/n"}, false, 0},
		"no number":          {map[string]string{envSocket: "/run/n", envInterval: "soon"}, false, 0},
		"zero":               {map[string]string{envSocket: "/run/n", envInterval: "0"}, false, 0},
	} {
		env := func(name string) (string, bool) { v, ok := tc.env[name]; return v, ok }
		if got := Open(env, tc.handedOver, nil).interval; got != tc.want {
			t.Errorf("%s: got %s, want %s", name, got, tc.want)
		}
	}
}
