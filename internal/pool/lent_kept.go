//go:build !race && !poison

package pool

func lend(room int) []byte { return make([]byte, 0, room) }

func takeBack([]byte) {}
