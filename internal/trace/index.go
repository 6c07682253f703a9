package trace

import (
	"bytes"
	"encoding/json"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
)

// indexForm is the first line of an index. Each trace file of a folder has an index next to it, which is used to find a
// request and to list the latest ones without reading the file. The other lines have fields separated by tabs:
//
//	mark, time, latest, upto, id, places, summary
//
// Mark is one of the marks below. Time is the start of the request and latest the last event in the file, both in Unix
// nanoseconds. Upto is the offset in the file up to which the index is complete. Places lists the locations of the
// request's entries, each "offset:bytes", or "name@offset:bytes" in another file. Id and summary are JSON. If an index
// is missing or incomplete after a crash, the rest of the file is read instead. See keysForm for the keys of an index.
const indexForm = "callwright trace index 2\n"

// The marks of index lines.
const (
	markOpen  = 'o' // the request is open; further entries follow in the file
	markEnded = 'e' // the request has ended
	markCut   = 'r' // it has ended; some entries after the last place are unlisted
	markMoved = 'm' // it continues in the next file and its index
)

// An indexLine is a decoded line of an index. Its slices share memory with the line.
type indexLine struct {
	mark         byte
	began        int64
	latest, upto int64
	id           []byte // as JSON
	places       []byte
	summary      []byte
}

// appendTo appends the encoded line to dst.
func (l *indexLine) appendTo(dst []byte) []byte {
	dst = append(dst, l.mark, '\t')
	dst = append(strconv.AppendInt(dst, l.began, 10), '\t')
	dst = append(strconv.AppendInt(dst, l.latest, 10), '\t')
	dst = append(strconv.AppendInt(dst, l.upto, 10), '\t')
	dst = append(append(dst, l.id...), '\t')
	dst = append(append(dst, l.places...), '\t')
	return append(append(dst, l.summary...), '\n')
}

// parseIndexLine decodes a line without its line end. ok is false if it is invalid.
func parseIndexLine(text []byte) (l indexLine, ok bool) {
	const fields = 7
	var field [fields][]byte
	for i := range fields - 1 {
		field[i], text, ok = bytes.Cut(text, []byte("\t"))
		if !ok {
			return l, false
		}
	}
	for i, n := range [...]*int64{&l.began, &l.latest, &l.upto} {
		if *n, ok = number(field[i+1]); !ok {
			return l, false
		}
	}
	l.id, l.places, l.summary = field[4], field[5], text
	if len(field[0]) != 1 || !strings.ContainsRune("oerm", rune(field[0][0])) {
		return l, false
	}
	l.mark = field[0][0]
	return l, true
}

// number parses a decimal integer. ok is false for any other text. It is fast because it runs for each line of an
// index.
func number(text []byte) (n int64, ok bool) {
	digits := bytes.TrimPrefix(text, []byte("-"))
	for _, c := range digits {
		if c < '0' || c > '9' || n > math.MaxInt64/10-1 {
			return 0, false
		}
		n = 10*n + int64(c-'0')
	}
	if len(digits) < len(text) {
		n = -n
	}
	return n, len(digits) > 0
}

// An indexText is a part of an index with its keys, both encoded.
type indexText struct{ lines, keys []byte }

// beginOfIndex returns the first line of an index and of its keys.
func beginOfIndex() indexText { return indexText{[]byte(indexForm), []byte(keysForm)} }

func (t *indexText) clear() { t.lines, t.keys = t.lines[:0], t.keys[:0] }

// An indexer creates the index of a file while its lines are written.
type indexer struct {
	at     int64 // offset of the next line in the file
	size   int64 // size of the index in bytes
	latest int64
	open   map[string]*openRequest
	models map[callwright.ModelID]string // locations of the entries that describe a model
}

// An openRequest is a request that has not ended.
type openRequest struct {
	summary Summary
	places  []byte
	cut     bool // some locations are unknown
}

// maxOpen is the maximum number of open requests of an indexer.
const maxOpen = 1 << 16

func newIndexer() *indexer {
	return &indexer{size: int64(len(indexForm)), open: map[string]*openRequest{}, models: map[callwright.ModelID]string{}}
}

// line reads text, the next line of the trace file, and appends the index lines that result from it, if any, to dst.
func (x *indexer) line(dst *indexText, text []byte) {
	place := strconv.FormatInt(x.at, 10) + ":" + strconv.Itoa(len(text))
	x.at += int64(len(text))
	kind, id := kindOf(text)
	if kind == KindModel && id == "" {
		if e, ok := headOf(text); ok {
			x.models[e.Model] = place
		}
		return
	}
	if id == "" {
		return
	}
	r := x.open[id]
	if r == nil {
		if kind != KindRequest && kind != KindModel || len(x.open) >= maxOpen {
			return // it has ended, or its first entry is unknown
		}
		r = &openRequest{}
		x.open[id] = r
	}
	var e Entry
	switch kind {
	case KindRequest, KindAnswer, KindError:
		var ok bool
		if e, ok = headOf(text); !ok {
			return
		}
		if model, described := x.models[e.Model]; kind == KindRequest && described && len(r.places) == 0 {
			r.add(model)
			r.summary.Entries++
		}
	default:
		e = Entry{Kind: kind, ID: id}
	}
	if !r.cut { // otherwise a reader searches the file after the known entries
		r.add(place)
	}
	r.summary.Add(&e)
	x.say(dst, &e, id, r)
}

// say appends the index line of a request after an entry that begins, continues or ends it.
func (x *indexer) say(dst *indexText, e *Entry, id string, r *openRequest) {
	mark := byte(markEnded)
	switch {
	case e.Kind == KindRequest, e.Continued:
		mark = markOpen
	case !e.Ends():
		return
	case r.cut:
		mark = markCut
	}
	if mark != markOpen {
		delete(x.open, id)
	}
	if !r.summary.Time.IsZero() { // otherwise the request entry is missing
		x.appendLine(dst, mark, id, r)
	}
}

func (x *indexer) appendLine(dst *indexText, mark byte, id string, r *openRequest) {
	s := r.summary
	x.latest = max(x.latest, s.Time.UnixNano(), s.Time.Add(s.Duration).UnixNano())
	l := indexLine{mark: mark, began: s.Time.UnixNano(), latest: x.latest, upto: x.at, id: jsonx.AppendQuote(nil, id)}
	if mark != markMoved {
		l.places = r.places
		l.summary, _ = jsonx.Marshal(shortSummary{Summary: s}) // cannot fail: only strings and numbers
	}
	began := len(dst.lines)
	dst.lines = l.appendTo(dst.lines)
	k := keyOf(&l, &s, x.size, len(dst.lines)-began)
	dst.keys = k.appendTo(dst.keys)
	x.size += int64(k.length)
}

// shortSummary is the JSON of a Summary without ID and Time, which are separate fields of an index line.
type shortSummary struct {
	Summary
	ID   *struct{} `json:"id,omitempty"`
	Time *struct{} `json:"time,omitempty"`
}

func (r *openRequest) add(place string) {
	if len(r.places) > 0 {
		r.places = append(r.places, ',')
	}
	r.places = append(r.places, place...)
}

// turn completes the index of the file name and starts the index of the next file. Open requests move to the next file.
func (x *indexer) turn(name string) (old, next indexText) {
	began := newIndexer()
	began.open = x.open
	next = beginOfIndex()
	for id, r := range x.open {
		if r.places = inFile(name, r.places); r.summary.Time.IsZero() {
			continue
		}
		x.appendLine(&old, markMoved, id, r)
		began.appendLine(&next, markOpen, id, r)
	}
	*x = *began
	return old, next
}

// inFile adds "name@" to each location without a file name.
func inFile(name string, places []byte) []byte {
	var out []byte
	for p := range bytes.SplitSeq(places, []byte(",")) {
		if len(out) > 0 {
			out = append(out, ',')
		}
		if bytes.IndexByte(p, '@') < 0 {
			out = append(append(out, name...), '@')
		}
		out = append(out, p...)
	}
	return out
}

// kindOf returns the kind and the id of a line. It reads only the first members.
func kindOf(text []byte) (kind Kind, id string) {
	jsonx.WalkMembers(text, 0, func(key jsonx.Key, at int) int {
		end := jsonx.SkipValue(text, at)
		switch {
		case key.Is("kind"):
			s, _ := jsonx.String(text[at:end])
			kind = Kind(s)
		case key.Is("id"):
			id, _ = jsonx.String(text[at:end])
			return len(text)
		case key.Is("model"), key.Is(data), key.Is(data + jsonx.TextSuffix):
			return len(text)
		}
		return end
	})
	return kind, id
}

// headOf decodes a line without its data and body. For an answer and an error it includes the data. It returns false if
// the line is invalid.
func headOf(text []byte) (Entry, bool) {
	head, reported := len(text), false
	jsonx.WalkMembers(text, 0, func(key jsonx.Key, at int) int {
		if !key.Is(data) && !key.Is(data+jsonx.TextSuffix) && !key.Is(body) && !key.Is(body+jsonx.TextSuffix) {
			return jsonx.SkipValue(text, at)
		}
		start, _ := jsonx.KeySpan(text, key, at)
		head = max(0, bytes.LastIndexByte(text[:start], ',')) // if there is no comma, nothing precedes the data
		reported = key.Is(data)
		return len(text)
	})
	l := line{}
	whole := text
	if head < len(text) {
		whole = append(bytes.Clone(text[:head]), '}')
	}
	if json.Unmarshal(whole, &l) != nil {
		return Entry{}, false
	}
	l.Failure = l.Error.err()
	if (l.Kind == KindAnswer || l.Kind == KindError) && head < len(text) {
		if reported {
			l.Data, _ = jsonx.Find(text, data)
		} else {
			l.Data = jsonx.Verbatim(text, data)
		}
	}
	return l.Entry, true
}

// backward calls visit with the lines of an index from last to first until visit returns false. It skips an incomplete
// last line.
func backward(index []byte, visit func(l indexLine) bool) {
	linesBackward(index, func(text []byte) bool {
		l, ok := parseIndexLine(text)
		return !ok || visit(l)
	})
}

// linesBackward calls visit with the complete lines of a text from last to first, without line ends, until visit
// returns false.
func linesBackward(text []byte, visit func(line []byte) bool) {
	for end := bytes.LastIndexByte(text, '\n'); end > 0; {
		begin := bytes.LastIndexByte(text[:end], '\n') + 1
		if !visit(text[begin:end]) {
			return
		}
		end = begin - 1
	}
}

// parseOpenRequests returns, by id, the requests that have no end in the index.
func parseOpenRequests(index []byte) map[string]*openRequest {
	ended, open := map[string]bool{}, map[string]*openRequest{}
	backward(index, func(l indexLine) bool {
		id := string(l.id)
		switch {
		case l.mark != markOpen:
			ended[id] = true
		case ended[id]:
			delete(ended, id)
		default:
			r, ok := &openRequest{places: slices.Clone(l.places), cut: true}, false
			if r.summary, ok = summaryOf(&l); ok {
				open[r.summary.ID] = r
			}
		}
		return true
	})
	return open
}

// summaryOf decodes the summary of an index line. It returns false if the summary or the id is invalid.
func summaryOf(l *indexLine) (Summary, bool) {
	s, err := ParseSummary(l.summary)
	id, ok := jsonx.String(l.id)
	s.ID, s.Time = id, time.Unix(0, l.began).UTC()
	return s, ok && err == nil
}
