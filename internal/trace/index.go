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

// The index of a file of a folder stands beside it, so that a request is found, and the latest are listed, without
// reading contents. It is lines of fields with tabs between them, behind a first line that names its form:
//
//	mark, time, latest, upto, id, places, summary
//
// Mark is one of the marks below, time and latest are nanoseconds: the beginning of the request, and the last event in
// the file. Upto is the offset in the file up to which the index is complete. Places are the places of the entries of
// the request, each "offset:bytes", behind "name@" in another file. Id and summary are JSON. A file whose index is
// missing or ends early, as a crash leaves it, is read on from there. See keysForm for the file beside the index.
const indexForm = "callwright trace index 2\n"

// The marks of lines.
const (
	markOpen  = 'o' // a request has begun; its other entries stand somewhere behind
	markEnded = 'e' // it has ended
	markCut   = 'r' // it has ended, and of its places some are not known, which stand behind the last one
	markMoved = 'm' // its other entries are in the next file, whose index has it from there on
)

// indexLine is a line of an index. Its texts are pieces of it.
type indexLine struct {
	mark         byte
	began        int64
	latest, upto int64
	id           []byte // as JSON
	places       []byte
	summary      []byte
}

// appendTo appends the line.
func (l *indexLine) appendTo(dst []byte) []byte {
	dst = append(dst, l.mark, '\t')
	dst = append(strconv.AppendInt(dst, l.began, 10), '\t')
	dst = append(strconv.AppendInt(dst, l.latest, 10), '\t')
	dst = append(strconv.AppendInt(dst, l.upto, 10), '\t')
	dst = append(append(dst, l.id...), '\t')
	dst = append(append(dst, l.places...), '\t')
	return append(append(dst, l.summary...), '\n')
}

// parseIndexLine reads a line without its end.
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

// number reads a number. It is done for each line of an index.
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

// An indexText is a piece of an index, with its keys.
type indexText struct{ lines, keys []byte }

// beginOfIndex returns the first line of an index.
func beginOfIndex() indexText { return indexText{[]byte(indexForm), []byte(keysForm)} }

func (t *indexText) clear() { t.lines, t.keys = t.lines[:0], t.keys[:0] }

// An indexer makes the index of a file as its lines are written.
type indexer struct {
	at     int64 // where the next line of the file stands
	size   int64 // of the index
	latest int64
	open   map[string]*openRequest
	models map[callwright.ModelID]string // where the entries are that describe them
}

// openRequest is one that has not ended.
type openRequest struct {
	summary Summary
	places  []byte
	cut     bool // some places are not known
}

// maxOpen bounds the requests that are followed: more do not run at a time.
const maxOpen = 1 << 16

func newIndexer() *indexer {
	return &indexer{size: int64(len(indexForm)), open: map[string]*openRequest{}, models: map[callwright.ModelID]string{}}
}

// line reads the next line of the file and appends its lines of the index to dst.
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
			return // it has ended, or its request is not known
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
	if !r.cut { // else it is looked for behind what is known
		r.add(place)
	}
	r.summary.Add(&e)
	x.say(dst, &e, id, r)
}

// say appends the line about a request that has begun, goes on or has ended.
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
	if !r.summary.Time.IsZero() { // else nobody has asked for it
		x.appendLine(dst, mark, id, r)
	}
}

func (x *indexer) appendLine(dst *indexText, mark byte, id string, r *openRequest) {
	s := r.summary
	x.latest = max(x.latest, s.Time.UnixNano(), s.Time.Add(s.Duration).UnixNano())
	l := indexLine{mark: mark, began: s.Time.UnixNano(), latest: x.latest, upto: x.at, id: jsonx.AppendQuote(nil, id)}
	if mark != markMoved {
		l.places = r.places
		l.summary, _ = jsonx.Marshal(shortSummary{Summary: s}) // of texts and numbers alone
	}
	began := len(dst.lines)
	dst.lines = l.appendTo(dst.lines)
	k := keyOf(&l, &s, x.size, len(dst.lines)-began)
	dst.keys = k.appendTo(dst.keys)
	x.size += int64(k.length)
}

// shortSummary is a summary without the members that the line has in fields of its own.
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

// turn ends the index of one file, whose name is given, and begins that of the next one.
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

// inFile names the file of places that name none.
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

// kindOf reads the kind and the id of a line. They stand among the first members.
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

// headOf reads a line without its contents. Of an answer, and of the part before an error, it has the data.
func headOf(text []byte) (Entry, bool) {
	head, reported := len(text), false
	jsonx.WalkMembers(text, 0, func(key jsonx.Key, at int) int {
		if !key.Is(data) && !key.Is(data+jsonx.TextSuffix) && !key.Is(body) && !key.Is(body+jsonx.TextSuffix) {
			return jsonx.SkipValue(text, at)
		}
		start, _ := jsonx.KeySpan(text, key, at)
		head = max(0, bytes.LastIndexByte(text[:start], ',')) // without one, nothing is left to be read
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

// backward visits the lines of an index from the last to the first, until visit returns false. A last one that is not
// whole is left out.
func backward(index []byte, visit func(l indexLine) bool) {
	linesBackward(index, func(text []byte) bool {
		l, ok := parseIndexLine(text)
		return !ok || visit(l)
	})
}

// linesBackward visits the lines of a text from the last to the first, without their ends.
func linesBackward(text []byte, visit func(line []byte) bool) {
	for end := bytes.LastIndexByte(text, '\n'); end > 0; {
		begin := bytes.LastIndexByte(text[:end], '\n') + 1
		if !visit(text[begin:end]) {
			return
		}
		end = begin - 1
	}
}

// parseOpenRequests gives the requests that the index says have begun and not ended, by id.
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

// summaryOf reads the summary of a line.
func summaryOf(l *indexLine) (Summary, bool) {
	s, err := ParseSummary(l.summary)
	id, ok := jsonx.String(l.id)
	s.ID, s.Time = id, time.Unix(0, l.began).UTC()
	return s, ok && err == nil
}
