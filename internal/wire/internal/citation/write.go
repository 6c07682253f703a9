package citation

import (
	"cmp"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/callwright/callwright/internal/jsonx"
)

// AppendAnnotation appends s as an element of a text part's annotations. before is the number of characters in the text
// parts before that part. nested selects the format of Chat Completions ({"type":"url_citation","url_citation":{...}})
// instead of the Responses API. If s starts before the text part, it covers an empty range.
func (s *Source) AppendAnnotation(dst []byte, before int, nested bool) []byte {
	start, end := s.Start-before, s.End-before
	if start < 0 {
		start, end = 0, 0
	}
	dst = append(dst, `{"type":"`+urlCitation+`"`...)
	if nested {
		dst = append(dst, `,"`+urlCitation+`":{`...)
	} else {
		dst = append(dst, ',')
	}
	dst = strconv.AppendInt(append(dst, `"start_index":`...), int64(start), 10)
	dst = strconv.AppendInt(append(dst, `,"end_index":`...), int64(max(end, start)), 10)
	dst = s.appendRest(dst)
	if nested {
		dst = append(dst, '}')
	}
	return append(dst, '}')
}

// name returns the title of the source, or its URL if it has no title, because clients require a string as the title.
func (s *Source) name() string { return cmp.Or(s.Title, s.URL) }

// appendRest appends the members of s as an annotation, except its type and offsets: url and title.
func (s *Source) appendRest(dst []byte) []byte {
	if s.members == nil {
		dst = jsonx.AppendQuote(append(dst, `,"url":`...), s.URL)
		return jsonx.AppendQuote(append(dst, `,"title":`...), s.name())
	}
	return appendMembers(dst, s.members, "type", "start_index", "end_index")
}

// citedMost is the greatest number of characters in cited_text, as in Anthropic's API.
const citedMost = 150

// AppendLocation appends s as a citation of Anthropic's API. Its encrypted_index is empty, because only that API can
// create one. The codec recognizes such a citation by that when the client sends it back.
func (g *Gatherer) AppendLocation(dst []byte, s Source) []byte {
	dst = jsonx.AppendQuote(append(dst, `{"type":"web_search_result_location","url":`...), s.URL)
	dst = jsonx.AppendQuote(append(dst, `,"title":`...), s.name())
	from, to := g.words.bytesOf(s)
	dst = append(dst, `,"encrypted_index":"","cited_text":`...)
	dst = jsonx.AppendQuote(dst, firstOf(g.words.text[from:to], citedMost))
	return append(dst, '}')
}

// firstOf returns the first n UTF-8 characters of b, or b if it has fewer.
func firstOf(b []byte, n int) []byte {
	for i := range b {
		if utf8.RuneStart(b[i]) {
			if n == 0 {
				return b[:i]
			}
			n--
		}
	}
	return b
}

// AppendGrounding appends list as a groundingMetadata object of Gemini: a chunk for each distinct source, a support for
// each covered range. The entries of the existing object has (may be nil) come first. Offsets count bytes of all text
// together. https://ai.google.dev/api/generate-content#Segment
func (g *Gatherer) AppendGrounding(dst, has []byte, list []Source) []byte {
	dst = appendMembers(append(dst, '{'), has, "groundingChunks", "groundingSupports")
	type chunk struct{ url, title string }
	numbers := map[chunk]int{}
	dst = append(appendComma(dst), `"groundingChunks":[`...)
	dst, n := appendElements(dst, has, "groundingChunks")
	numbered := make([]int, len(list))
	for i, s := range list {
		c := chunk{s.URL, s.Title}
		at, is := numbers[c]
		if !is {
			at = n
			numbers[c] = n
			n++
			dst = jsonx.AppendQuote(append(appendComma(dst), `{"web":{"uri":`...), s.URL)
			dst = append(jsonx.AppendQuote(append(dst, `,"title":`...), s.name()), "}}"...)
		}
		numbered[i] = at
	}
	dst = append(dst, `],"groundingSupports":[`...)
	dst, _ = appendElements(dst, has, "groundingSupports")
	return append(g.appendSupports(dst, list, numbered), "]}"...)
}

// repeatedLeast is the number of bytes of text that supports may always repeat, even for a short response.
const repeatedLeast = 256

// appendSupports appends a support for each covered range of list. Successive sources with the same range share a
// support. numbered has the chunk index of each source. To keep the output linear in the response, further supports
// omit their text once the response was repeated four times.
func (g *Gatherer) appendSupports(dst []byte, list []Source, numbered []int) []byte {
	left := repeatedLeast + 4*len(g.words.text) // bytes of words that may still be repeated
	for i := 0; i < len(list); {
		s, first := list[i], i
		for i++; i < len(list) && list[i].Start == s.Start && list[i].End == s.End; i++ {
		}
		from, to := g.words.bytesOf(s)
		if from == to {
			continue
		}
		dst = strconv.AppendInt(append(appendComma(dst), `{"segment":{"startIndex":`...), int64(from), 10)
		dst = strconv.AppendInt(append(dst, `,"endIndex":`...), int64(to), 10)
		if left -= to - from; left >= 0 {
			dst = jsonx.AppendQuote(append(dst, `,"text":`...), g.words.text[from:to])
		}
		dst = append(dst, `},"groundingChunkIndices":[`...)
		for _, n := range numbered[first:i] {
			dst = strconv.AppendInt(appendComma(dst), int64(n), 10)
		}
		dst = append(dst, "]}"...)
	}
	return dst
}

// appendElements appends the elements of the list under key of the JSON object obj, and returns their number.
func appendElements(dst, obj []byte, key string) (out []byte, n int) {
	list, _ := jsonx.Find(obj, key)
	for v := range jsonx.Elements(list) {
		dst = append(appendComma(dst), v...)
		n++
	}
	return dst, n
}

// appendMembers appends the members of the JSON object obj except those called skip.
func appendMembers(dst, obj []byte, skip ...string) []byte {
	for k, m := range jsonx.Members(obj) {
		if !slices.ContainsFunc(skip, k.Is) {
			dst = append(append(append(appendComma(dst), k...), ':'), m...)
		}
	}
	return dst
}

// appendComma appends a comma unless the last byte of dst is an opening bracket.
func appendComma(dst []byte) []byte {
	if last := dst[len(dst)-1]; last != '[' && last != '{' {
		dst = append(dst, ',')
	}
	return dst
}
