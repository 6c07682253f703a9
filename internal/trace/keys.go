package trace

import "encoding/binary"

// keysForm is the first line of a file with the keys of an index. One record of keyBytes bytes follows for each line of
// the index, in order. The keys allow a reader to find the lines that a query may match, or the line of an id, without
// reading the others. Numbers are little-endian:
//
//	began int64, hash of the id uint64, offset of the line uint64, its length uint32, mark uint8, outcome uint8, 2 bytes of zero, words 3 x uint64
//
// Began, outcome and words are the fields of the Sketch. The line verifies a match of its key. After a crash, the last
// lines of an index may have no keys and are read one by one.
const keysForm = "callwright trace keys 3\n"

// keyBytes is the encoded size of a key in bytes.
const keyBytes = 56

// A key holds the search fields of an index line: the sketch, the hash of the request id, the offset and length of the
// line, and its mark.
type key struct {
	Sketch
	id     uint64
	at     int64
	length int
	mark   byte
}

// keyOf returns the key of an index line of n bytes at the offset at. A line with markMoved has no sketch, so that only
// a search by id finds it.
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

// keyAt decodes a key.
func keyAt(b []byte) key {
	_ = b[keyBytes-1]
	u64 := binary.LittleEndian.Uint64
	return key{
		Sketch: Sketch{began: int64(u64(b)), outcome: b[29], words: words{u64(b[32:]), u64(b[40:]), u64(b[48:])}},
		id:     u64(b[8:]), at: int64(u64(b[16:])), length: int(binary.LittleEndian.Uint32(b[24:])), mark: b[28],
	}
}
