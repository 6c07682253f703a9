package archive

import (
	"encoding/binary"
	"math"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/outcome"
)

// A packed is a simple report encoded as one string. A gateway stores a thousand reports. A [Report] consists of eight
// heap objects with pointers, which the garbage collector scans in each cycle; a string has no pointers to scan.
type packed string

// pack encodes a report. It returns false for a report with notes, rejected calls or several attempts, and for one with
// a time in a zone other than UTC and the local zone.
func pack(r *Report) (packed, bool) {
	rep := r.Report
	if len(rep.Notes) > 0 || len(rep.Invalid) > 0 || len(rep.Attempts) > 1 {
		return "", false
	}
	w := packer{out: make([]byte, 0, 448), fits: true}
	w.text(string(r.Owner), rep.ID) // key reads these first
	w.time(r.Time)
	w.number(int(r.Duration))
	w.text(string(r.Wire), string(r.Outcome), string(r.Failed), r.Error, r.KeyName, r.Session)
	w.number(r.Usage.Input, r.Usage.CacheRead, r.Usage.Output)
	w.length(len(r.Tools), r.Tools == nil)
	w.text(r.Tools...)
	w.text(string(rep.Model), string(rep.Mode), rep.Fingerprint)
	w.number(rep.CachedTokens, rep.CacheHits, int(math.Float64bits(rep.Confidence)))
	w.truth(r.Streamed, rep.Untouched, rep.Notes == nil, rep.Invalid == nil)
	w.length(len(rep.Attempts), rep.Attempts == nil)
	for i := range rep.Attempts {
		w.attempt(&rep.Attempts[i])
	}
	return packed(w.out), w.fits
}

// unpack decodes the report. Its strings share the memory of p.
func (p packed) unpack() *Report {
	r := unpacker{rest: string(p)}
	rep := &callwright.Report{}
	out := &Report{Report: rep}
	out.Owner, rep.ID = Owner(r.text()), r.text()
	out.Time, out.Duration = r.time(), time.Duration(r.number())
	out.Wire, out.Outcome, out.Failed = callwright.WireName(r.text()), outcome.Outcome(r.text()), callwright.Kind(r.text())
	out.Error, out.KeyName, out.Session = r.text(), r.text(), r.text()
	out.Usage = Usage{Input: r.number(), CacheRead: r.number(), Output: r.number()}
	if n, isNil := r.length(); !isNil {
		out.Tools = make([]string, n)
		for i := range out.Tools {
			out.Tools[i] = r.text()
		}
	}
	rep.Model, rep.Mode, rep.Fingerprint = callwright.ModelID(r.text()), caps.Mode(r.text()), r.text()
	rep.CachedTokens, rep.CacheHits, rep.Confidence = r.number(), r.number(), math.Float64frombits(uint64(r.number()))
	out.Streamed, rep.Untouched = r.truth(), r.truth()
	if !r.truth() {
		rep.Notes = []callwright.Note{}
	}
	if !r.truth() {
		rep.Invalid = []callwright.InvalidCall{}
	}
	if n, isNil := r.length(); !isNil {
		rep.Attempts = make([]callwright.Attempt, n)
		for i := range rep.Attempts {
			r.attempt(&rep.Attempts[i])
		}
	}
	return out
}

// key decodes the key of the report. Its strings share the memory of p.
func (p packed) key() Key {
	r := unpacker{rest: string(p)}
	return Key{Owner: Owner(r.text()), ID: r.text()}
}

// A packer encodes values one after another. fits becomes false when a value cannot be encoded.
type packer struct {
	out  []byte
	fits bool
}

func (w *packer) text(list ...string) {
	for _, s := range list {
		w.out = append(binary.AppendUvarint(w.out, uint64(len(s))), s...)
	}
}

func (w *packer) number(list ...int) {
	for _, n := range list {
		w.out = binary.AppendVarint(w.out, int64(n))
	}
}

func (w *packer) truth(list ...bool) {
	for _, b := range list {
		n := byte(0)
		if b {
			n = 1
		}
		w.out = append(w.out, n)
	}
}

// length encodes the length of a slice that may be nil.
func (w *packer) length(n int, isNil bool) {
	if isNil {
		n = -1
	}
	w.number(n)
}

// Codes for the time zone of an encoded time.
const (
	zoneNone  = iota // the zero time
	zoneUTC          // followed by seconds and nanoseconds
	zoneLocal        // followed by seconds and nanoseconds
)

func (w *packer) time(t time.Time) {
	zone := zoneNone
	switch {
	case t.IsZero() && t.Location() == time.UTC:
	case t.Location() == time.UTC:
		zone = zoneUTC
	case t.Location() == time.Local: //nolint:gosmopolitan // the zone must be preserved
		zone = zoneLocal
	default:
		w.fits = false
	}
	w.number(zone)
	if zone != zoneNone {
		w.number(int(t.Unix()), t.Nanosecond())
	}
}

func (w *packer) attempt(a *callwright.Attempt) {
	u := &a.Usage
	w.fits = w.fits && u.Extra.JSON == nil
	w.text(string(a.Model), string(a.Mode), a.Dialect, a.Why, a.Error, string(a.Kind), a.Key, a.Host, string(u.Extra.Wire))
	w.number(int(a.Duration), a.Tries, u.Input, u.CacheRead, u.CacheWrite, u.Output, u.Reasoning)
	w.truth(u.Known)
	w.time(a.Began)
}

// An unpacker decodes the values of a packer in the same order.
type unpacker struct{ rest string }

func (r *unpacker) text() string {
	n := r.uvarint()
	s := r.rest[:n]
	r.rest = r.rest[n:]
	return s
}

// number decodes a zigzag-encoded integer.
func (r *unpacker) number() int {
	n := r.uvarint()
	return int(n>>1) ^ -int(n&1)
}

func (r *unpacker) uvarint() (n uint64) {
	for shift := 0; ; shift += 7 {
		b := r.rest[0]
		r.rest = r.rest[1:]
		if n |= uint64(b&0x7f) << shift; b < 0x80 {
			return n
		}
	}
}

func (r *unpacker) truth() bool {
	b := r.rest[0] == 1
	r.rest = r.rest[1:]
	return b
}

func (r *unpacker) length() (n int, isNil bool) {
	n = r.number()
	return n, n < 0
}

func (r *unpacker) time() time.Time {
	switch r.number() {
	case zoneUTC:
		return time.Unix(int64(r.number()), int64(r.number())).UTC()
	case zoneLocal:
		return time.Unix(int64(r.number()), int64(r.number()))
	}
	return time.Time{}
}

func (r *unpacker) attempt(a *callwright.Attempt) {
	u := &a.Usage
	a.Model, a.Mode, a.Dialect, a.Why, a.Error = callwright.ModelID(r.text()), caps.Mode(r.text()), r.text(), r.text(), r.text()
	a.Kind, a.Key, a.Host, u.Extra.Wire = callwright.Kind(r.text()), r.text(), r.text(), callwright.WireName(r.text())
	a.Duration, a.Tries = time.Duration(r.number()), r.number()
	u.Input, u.CacheRead, u.CacheWrite, u.Output, u.Reasoning = r.number(), r.number(), r.number(), r.number(), r.number()
	u.Known = r.truth()
	a.Began = r.time()
}
