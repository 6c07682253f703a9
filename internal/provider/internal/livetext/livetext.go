// Package livetext detects changes of a text that can change, such as an API key in a file.
package livetext

import (
	"hash/maphash"
	"sync/atomic"
)

// A Text is a text that can change. Use New. A nil *Text is a text that does not change. It is safe for concurrent use.
type Text struct {
	get  func() string
	last atomic.Pointer[version]
}

// A version is a text with its hash.
type version struct {
	text   string
	number uint64
}

var seed = maphash.MakeSeed()

// New returns a Text with the value that get returns. It returns nil if get is nil.
func New(get func() string) *Text {
	if get == nil {
		return nil
	}
	return &Text{get: get}
}

// Look returns a hash of the present text, which is never 0. It returns 0 if t is nil. It may read a file.
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

// Last returns the result of the last call of Look, or 0 if there was none.
func (t *Text) Last() uint64 {
	if t == nil {
		return 0
	}
	if v := t.last.Load(); v != nil {
		return v.number
	}
	return 0
}
