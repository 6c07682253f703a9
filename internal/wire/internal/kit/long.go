package kit

import "github.com/callwright/callwright/internal/jsonx"

// longValues has the long values of a JSON text, of 256 bytes or more each. A walk skips a long value in one step.
// Values are found by their start offset.
type longValues struct {
	list  []jsonx.LongValue
	first []int32 // for each block: index in list of the first value that starts in it or later
}

// blockSize is the size in bytes of a block of the text. Few long values start in one block.
const blockSize = 1 << 10

// newLongValues returns the longValues of a text of size bytes. list must be in ascending order.
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

// at returns the long value that starts at offset i, nil if there is none.
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
