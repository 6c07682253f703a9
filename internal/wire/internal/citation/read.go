package citation

import (
	"strconv"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
)

// A Source is one that an answer names. It covers the characters from Start to End of all that the answer says; both
// are 0 where only the source is known.
type Source struct {
	URL, Title string
	Start, End int
	order      int // counts the sources of the answer, as they came
	unit       unit
	part       int    // the number of the part of Gemini's content in which the place is, 0 for a place in all words
	quoted     string // the words that it covers, where they came with it
	members    []byte // the object that holds it in an API of OpenAI, whose clients get all that it has
}

// unit is the unit of Start and End until they are known to be characters of all words.
type unit uint8

const (
	inAll   unit = iota // characters of all words
	inText              // characters of the text that it came with
	covers              // nothing: it covers the text of Anthropic's in which it stands
	inBytes             // bytes
)

// The members that name sources.
const (
	annotations     = "annotations"
	citations       = "citations"
	citationsDelta  = "citations_delta" // a piece of a text block in Anthropic's streams
	searchResults   = "search_results"
	grounding       = "groundingMetadata"
	citationsGemini = "citationMetadata"
	urlCitation     = "url_citation"
)

// AheadKey is the member beside citations_delta that says that the text which names the source has yet to begin.
const AheadKey = "ahead"

// lengthKey is the member beside annotations that says how many characters the text has to which they belong, which
// ends where they come.
const lengthKey = "length"

// walkDepth is how deep members that name sources stand in the kept members of an answer: in an object of the choice or
// the message.
const walkDepth = 3

// Walk visits the kept members of an answer. Of those for which known reports false, the members are visited too, of
// lists those of the first element.
func Walk(v []byte, known func(k jsonx.Key, m []byte) bool) { walk(v, walkDepth, known) }

func walk(v []byte, depth int, known func(k jsonx.Key, m []byte) bool) {
	for k, m := range jsonx.Members(v) {
		if known(k, m) || depth == 0 {
			continue
		}
		if jsonx.IsArray(m) {
			m = jsonx.First(m)
		}
		walk(m, depth-1, known)
	}
}

// CanCarry reports whether all that a member of an answer names reaches clients of another wire.
func CanCarry(from, to callwright.WireName, k jsonx.Key, m []byte) bool {
	if to == callwright.WireOllama {
		return false
	}
	n := 0
	read, _ := reader(k)
	return read != nil && read(m, ofOpenAI(from, to), func(Source) { n++ }) && n > 0
}

// ofOpenAI reports whether both wires are OpenAI's, which have one form of sources: between them those without a URL
// are carried too.
func ofOpenAI(a, b callwright.WireName) bool {
	of := func(w callwright.WireName) bool { return w == callwright.WireOpenAI || w == callwright.WireResponses }
	return of(a) && of(b)
}

// A readFunc gives the sources in a member, and reports whether that was all that it names. Alike says that the client
// has the same form.
type readFunc func(m []byte, alike bool, add func(Source)) (all bool)

// readers are the members that name sources. Once says of one that it lists the sources of the answer: it may come
// again, with the earlier ones repeated.
var readers = []struct {
	key  string
	read readFunc
	once bool
}{
	{annotations, readAnnotations, false},
	{citations, readCitations, true},
	{citationsDelta, readDelta, false},
	{searchResults, readResults, true},
	{grounding, readGrounding, true},
	{citationsGemini, readAttributions, true},
}

// reader is the function that reads a member, nil for one that names no sources, and its once.
func reader(k jsonx.Key) (read readFunc, once bool) {
	for i := range readers {
		if r := &readers[i]; k.Is(r.key) {
			return r.read, r.once
		}
	}
	return nil, false
}

// IsMember reports whether a member of an answer names sources.
func IsMember(k jsonx.Key) bool {
	read, _ := reader(k)
	return read != nil
}

func textAt(v []byte, key string) string {
	m, _ := jsonx.Find(v, key)
	return jsonx.TextOf(m)
}

// countAt is the whole number of no more than 31 bits that a member is, 0 for anything else: numbers of two places can
// be added.
func countAt(v []byte, key string) int {
	m, _ := jsonx.Find(v, key)
	if len(m) == 0 || m[0] < '0' || m[0] > '9' {
		return 0
	}
	n, err := strconv.ParseInt(string(m), 10, 32)
	if err != nil {
		return 0
	}
	return int(n)
}

// isAddress reports whether a name of a source is its URL.
func isAddress(s string) bool {
	return strings.HasPrefix(s, "https://") || strings.HasPrefix(s, "http://")
}

// readAnnotations reads the form of both APIs of OpenAI: Chat Completions has the members in one called url_citation,
// the Responses API beside the type.
func readAnnotations(m []byte, alike bool, add func(Source)) (all bool) {
	all = true
	for v := range jsonx.Elements(m) {
		in, _ := jsonx.Find(v, urlCitation)
		if !jsonx.IsObject(in) {
			in = v
		}
		url := textAt(in, "url")
		if textAt(v, "type") != urlCitation || url == "" && !alike {
			all = false
			continue
		}
		add(Source{URL: url, Title: textAt(in, "title"), Start: countAt(in, "start_index"), End: countAt(in, "end_index"), members: in})
	}
	return all
}

// readCitations reads the list of a text block of Anthropic's, which covers the block, or addresses alone.
func readCitations(m []byte, _ bool, add func(Source)) (all bool) {
	all = true
	for v := range jsonx.Elements(m) {
		if url := jsonx.TextOf(v); url != "" {
			add(Source{URL: url})
			continue
		}
		all = readLocation(v, add) && all
	}
	return all
}

// readDelta reads a piece of a text block of Anthropic's.
func readDelta(m []byte, _ bool, add func(Source)) (all bool) {
	v, _ := jsonx.Find(m, "citation")
	return readLocation(v, add)
}

// readLocation reads an element of the list of a text block. A search result has its URL as its source, or another
// name.
func readLocation(v []byte, add func(Source)) (all bool) {
	url := textAt(v, "url")
	if source := textAt(v, "source"); url == "" && isAddress(source) {
		url = source
	}
	if url == "" {
		return false
	}
	add(Source{URL: url, Title: textAt(v, "title"), unit: covers})
	return true
}

// readResults reads the results of a search, which Perplexity has beside the choices.
func readResults(m []byte, _ bool, add func(Source)) (all bool) {
	all = true
	for v := range jsonx.Elements(m) {
		url := textAt(v, "url")
		if url == "" {
			all = false
			continue
		}
		add(Source{URL: url, Title: textAt(v, "title")})
	}
	return all
}

// repeatedMost is how many bytes, beside as many as the member has, are repeated for sources that cover several places:
// addresses and titles, and repeatedCost for each. Further places are left out: an index of a byte or two would stand
// for an address of any length.
const (
	repeatedMost = 1 << 20
	repeatedCost = 64
)

// readGrounding reads Gemini's form. The sources come in the order of their chunks, each with all of its places.
func readGrounding(m []byte, _ bool, add func(Source)) (all bool) {
	chunks, _ := jsonx.Find(m, "groundingChunks")
	supports, _ := jsonx.Find(m, "groundingSupports")
	all = true
	var list []Source
	for v := range jsonx.Elements(chunks) {
		s := chunkOf(v)
		all = all && s.URL != ""
		list = append(list, s)
	}
	places := make([][]Source, len(list))
	repeated := repeatedMost + len(m)
	for v := range jsonx.Elements(supports) {
		segment, _ := jsonx.Find(v, "segment")
		place := Source{Start: countAt(segment, "startIndex"), End: countAt(segment, "endIndex"), quoted: textAt(segment, "text"),
			part: countAt(segment, "partIndex"), unit: inBytes}
		indices, _ := jsonx.Find(v, "groundingChunkIndices")
		for i := range jsonx.Elements(indices) {
			n, err := strconv.Atoi(string(i))
			if err != nil || n < 0 || n >= len(list) {
				continue
			}
			if len(places[n]) > 0 {
				if repeated -= repeatedCost + len(list[n].URL) + len(list[n].Title); repeated < 0 {
					continue
				}
			}
			places[n] = append(places[n], place)
		}
	}
	for i, s := range list {
		if s.URL == "" {
			continue
		}
		if len(places[i]) == 0 {
			add(s)
		}
		for _, p := range places[i] {
			p.URL, p.Title = s.URL, s.Title
			add(p)
		}
	}
	return all
}

// chunkOf reads a chunk: a page of the web or of a map, or a document, whose name may be an address. It has no URL
// where there is none.
func chunkOf(v []byte) (s Source) {
	for k, m := range jsonx.Members(v) {
		uri := textAt(m, "uri")
		if k.Is("web") || k.Is("maps") || isAddress(uri) {
			s = Source{URL: uri, Title: textAt(m, "title")}
		}
	}
	return s
}

// readAttributions reads the list of texts that Gemini repeats, citationSources in older versions. Indices count bytes.
// https://ai.google.dev/api/generate-content#citationmetadata
func readAttributions(m []byte, _ bool, add func(Source)) (all bool) {
	all = true
	for _, key := range [...]string{citations, "citationSources"} {
		list, _ := jsonx.Find(m, key)
		for v := range jsonx.Elements(list) {
			url := textAt(v, "uri")
			if url == "" {
				all = false
				continue
			}
			s := Source{URL: url, Title: textAt(v, "title"), Start: countAt(v, "startIndex"), End: countAt(v, "endIndex"), unit: inBytes}
			add(s)
		}
	}
	return all
}
