// Package livetext tells whether a text that may change, such as a key in a file, is still the same.
package livetext

import (
	"hash/maphash"
	"sync/atomic"
)

// A Text is a text that may change. Use New. Nil stands for one that does not. It is safe for concurrent use.
type Text struct {
	get  func() string
	last atomic.Pointer[version]
}

// A version is a text with its number.
type version struct {
	text   string
	number uint64
}

var seed = maphash.MakeSeed()

// New returns the Text that get returns, nil for nil.
func New(get func() string) *Text {
	if get == nil {
		return nil
	}
	return &Text{get: get}
}

// Look returns a number that is another one for each text, 0 for nil alone. It may read a file.
func (t *Text) Look() uint64 {
	if t == nil {
		return 0
	}
	text := t.get()
	if v := t.last.Load(); v != nil && v.text == text {
		return v.number
	}
	v := &version{text, maphash.String(seed, text) | 1}
	t.last.Store(v)
	return v.number
}

// Last returns the number that Look returned last, 0 before the first.
func (t *Text) Last() uint64 {
	if t == nil {
		return 0
	}
	if v := t.last.Load(); v != nil {
		return v.number
	}
	return 0
}
