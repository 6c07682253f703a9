//go:build (race || poison) && !linux

package pool

func lend(room int) []byte { return make([]byte, 0, room) }

func takeBack(b []byte) {
	b = b[:cap(b)]
	for i := range b {
		b[i] = Poison
	}
}
