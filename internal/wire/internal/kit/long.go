package kit

import "github.com/callwright/callwright/internal/jsonx"

// longValues are the long values of a body, found by where they begin.
type longValues struct {
	list  []jsonx.LongValue
	first []int32 // by block: the first of the list that begins in it or later
}

// blockSize is how many bytes of a body are a block. Few long values begin in one.
const blockSize = 1 << 10

// newLongValues is the list, which is in order, of a body of so many bytes.
func newLongValues(list []jsonx.LongValue, size int) longValues {
	if len(list) == 0 {
		return longValues{}
	}
	first, n := make([]int32, size/blockSize+1), 0
	for block := range first {
		for n < len(list) && list[n].From < block*blockSize {
			n++
		}
		first[block] = int32(n)
	}
	return longValues{list, first}
}

// at is the long value that begins at i, nil where none does.
func (l *longValues) at(i int) *jsonx.LongValue {
	if block := i / blockSize; i >= 0 && block < len(l.first) {
		for n := int(l.first[block]); n < len(l.list) && l.list[n].From <= i; n++ {
			if l.list[n].From == i {
				return &l.list[n]
			}
		}
	}
	return nil
}
