package citation

import (
	"strconv"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
)

// A Source is a source that a response cites. It covers the characters from Start up to End, as offsets in all text
// parts of the response together. Both are 0 if the covered text is unknown.
type Source struct {
	URL, Title string
	Start, End int
	order      int // number of the source in order of arrival
	unit       unit
	part       int    // index of the Gemini part that the offsets refer to, 0 for offsets in all text
	quoted     string // the covered text, if the source came with it
	members    []byte // the source's JSON object in an API of OpenAI; clients of both APIs get all its members
}

// unit is the meaning of a source's Start and End. Once converted, it is inAll.
type unit uint8

const (
	inAll     unit = iota // offsets in characters of all text parts
	inText                // offsets in characters of the text part that the source came with
	wholeText             // no offsets: the source covers the Anthropic text block that it is in
	inBytes               // offsets in bytes
)

// Names of response members, of all APIs, that list the sources of a text.
const (
	annotations     = "annotations"
	citations       = "citations"
	citationsDelta  = "citations_delta" // a delta of a text block in Anthropic's streams
	searchResults   = "search_results"
	grounding       = "groundingMetadata"
	citationsGemini = "citationMetadata"
	urlCitation     = "url_citation"
)

// AheadKey is a member beside citations_delta. It is true if the text part that the citation belongs to has not
// started.
const AheadKey = "ahead"

// lengthKey is a member beside annotations: the number of characters of the text part that has just ended and that the
// annotations belong to.
const lengthKey = "length"

// walkDepth is the greatest depth of members that Walk visits. Sources may be in an object of the choice or of the
// message.
const walkDepth = 3

// Walk calls known for the members of the JSON object v, an Extra of a response. If known returns false, Walk also
// visits the members of the value, or of the first element if the value is a list.
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

// CanCarry reports whether all sources in a response of one API (from) can be converted for a client of another (to). k
// is the name of the response member with the sources, m its value.
func CanCarry(from, to callwright.WireName, k jsonx.Key, m []byte) bool {
	if to == callwright.WireOllama {
		return false
	}
	n := 0
	read, _ := reader(k)
	return read != nil && read(m, ofOpenAI(from, to), func(Source) { n++ }) && n > 0
}

// ofOpenAI reports whether both APIs are OpenAI's. They share a format, so that sources without a URL are converted
// too.
func ofOpenAI(a, b callwright.WireName) bool {
	of := func(w callwright.WireName) bool { return w == callwright.WireOpenAI || w == callwright.WireResponses }
	return of(a) && of(b)
}

// A readFunc reads a response member that lists sources. m is its value. It calls add for each source. all is false if
// it skipped a source, such as one without a URL. alike states that the client's API has the same format.
type readFunc func(m []byte, alike bool, add func(Source)) (all bool)

// readers maps the members that name sources to their readers. once marks a list for the whole response, which a stream
// may send again with the earlier sources repeated.
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

// reader returns the entry of readers for the member k. read is nil if the member names no sources.
func reader(k jsonx.Key) (read readFunc, once bool) {
	for i := range readers {
		if r := &readers[i]; k.Is(r.key) {
			return r.read, r.once
		}
	}
	return nil, false
}

// IsMember reports whether a response member called k names sources.
func IsMember(k jsonx.Key) bool {
	read, _ := reader(k)
	return read != nil
}

func textAt(v []byte, key string) string {
	m, _ := jsonx.Find(v, key)
	return jsonx.TextOf(m)
}

// countAt returns the non-negative integer under key of v, 0 for other values or if it exceeds 31 bits, so that the sum
// of two offsets does not overflow.
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

// isAddress reports whether s is an http or https URL.
func isAddress(s string) bool {
	return strings.HasPrefix(s, "https://") || strings.HasPrefix(s, "http://")
}

// readAnnotations reads the list annotations of both APIs of OpenAI. Chat Completions nests the members in an object
// url_citation; the Responses API has them beside the type.
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

// readCitations reads the list citations of an Anthropic text block, or a list of URLs.
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

// readDelta reads a citations_delta of Anthropic's streams.
func readDelta(m []byte, _ bool, add func(Source)) (all bool) {
	v, _ := jsonx.Find(m, "citation")
	return readLocation(v, add)
}

// readLocation reads an element of the list citations of an Anthropic text block. For a search result, the member
// source may be the URL.
func readLocation(v []byte, add func(Source)) (all bool) {
	url := textAt(v, "url")
	if source := textAt(v, "source"); url == "" && isAddress(source) {
		url = source
	}
	if url == "" {
		return false
	}
	add(Source{URL: url, Title: textAt(v, "title"), unit: wholeText})
	return true
}

// readResults reads the list search_results, which Perplexity has beside the choices.
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

// Limits for sources that cover several ranges: each range repeats the URL and the title. The sum of these, plus
// repeatedCost bytes for each range, is at most repeatedMost bytes plus the size of the member. Further ranges are
// dropped: otherwise an index of one or two bytes could add a long URL to the output.
const (
	repeatedMost = 1 << 20
	repeatedCost = 64
)

// readGrounding reads Gemini's groundingMetadata. The sources come in the order of their chunks, once for each covered
// range.
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

// chunkOf reads a grounding chunk: a web page, a map, or a document whose uri may be a URL. The URL of the result is
// empty if there is none.
func chunkOf(v []byte) (s Source) {
	for k, m := range jsonx.Members(v) {
		uri := textAt(m, "uri")
		if k.Is("web") || k.Is("maps") || isAddress(uri) {
			s = Source{URL: uri, Title: textAt(m, "title")}
		}
	}
	return s
}

// readAttributions reads Gemini's citationMetadata, whose list is called citations, or citationSources in older
// versions. Offsets count bytes. https://ai.google.dev/api/generate-content#citationmetadata
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
