package trace

import "encoding/binary"

// The keys of an index stand beside it: for each line of the index, in order, one record of keyBytes bytes behind a
// first line that names the form, so that the lines are found that a query may match, and that of an id, without
// reading the others. Numbers are little-endian:
//
//	began int64, hash of the id uint64, offset of the line uint64, its length uint32, mark uint8, outcome uint8, 2 bytes of zero, words 3 x uint64
//
// Began, outcome and words are those of the Sketch. A match of a key is verified with its line. Lines without a key, as
// a crash leaves them, stand at the end of the index and are read one by one.
const keysForm = "callwright trace keys 3\n"

// keyBytes is the size of a key.
const keyBytes = 56

// A key holds the search fields of a line of an index.
type key struct {
	Sketch
	id     uint64
	at     int64
	length int
	mark   byte
}

// keyOf is the key of a line of n bytes that stands at a place. One of a request that has moved is found by its id
// alone.
func keyOf(l *indexLine, s *Summary, at int64, n int) key {
	k := key{Sketch: Sketch{began: l.began}, id: hashOf(l.id), at: at, length: n, mark: l.mark}
	if l.mark != markMoved {
		k.Sketch = SketchOf(s)
	}
	return k
}

func (k *key) appendTo(dst []byte) []byte {
	dst = binary.LittleEndian.AppendUint64(dst, uint64(k.began))
	dst = binary.LittleEndian.AppendUint64(dst, k.id)
	dst = binary.LittleEndian.AppendUint64(dst, uint64(k.at))
	dst = binary.LittleEndian.AppendUint32(dst, uint32(k.length))
	dst = append(dst, k.mark, k.outcome, 0, 0)
	for _, w := range k.words {
		dst = binary.LittleEndian.AppendUint64(dst, w)
	}
	return dst
}

// keyAt reads the key that a record is.
func keyAt(b []byte) key {
	_ = b[keyBytes-1]
	u64 := binary.LittleEndian.Uint64
	return key{
		Sketch: Sketch{began: int64(u64(b)), outcome: b[29], words: words{u64(b[32:]), u64(b[40:]), u64(b[48:])}},
		id:     u64(b[8:]), at: int64(u64(b[16:])), length: int(binary.LittleEndian.Uint32(b[24:])), mark: b[28],
	}
}
