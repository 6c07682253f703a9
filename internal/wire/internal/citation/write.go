package citation

import (
	"cmp"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/callwright/callwright/internal/jsonx"
)

// AppendAnnotation writes a source of a text before which that many characters were said, in the form of the Responses
// API, or nested as Chat Completions has it. One that begins before the text covers nothing of it.
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

// name is the name of a source where its title has to be a text, as clients require.
func (s *Source) name() string { return cmp.Or(s.Title, s.URL) }

// appendRest writes the members of an annotation beside its type and its place.
func (s *Source) appendRest(dst []byte) []byte {
	if s.members == nil {
		dst = jsonx.AppendQuote(append(dst, `,"url":`...), s.URL)
		return jsonx.AppendQuote(append(dst, `,"title":`...), s.name())
	}
	return appendMembers(dst, s.members, "type", "start_index", "end_index")
}

// citedMost is how many characters of the words that a source covers are repeated with it, as Anthropic's API does.
const citedMost = 150

// AppendLocation writes a source in the form of Anthropic's API. Its encrypted_index, which only that API can make, is
// empty: by that the codec knows it when the client sends it back.
func (g *Gatherer) AppendLocation(dst []byte, s Source) []byte {
	dst = jsonx.AppendQuote(append(dst, `{"type":"web_search_result_location","url":`...), s.URL)
	dst = jsonx.AppendQuote(append(dst, `,"title":`...), s.name())
	from, to := g.words.bytesOf(s)
	dst = append(dst, `,"encrypted_index":"","cited_text":`...)
	dst = jsonx.AppendQuote(dst, firstOf(g.words.text[from:to], citedMost))
	return append(dst, '}')
}

// firstOf are the first n characters of b.
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

// AppendGrounding writes sources as the members of Gemini's groundingMetadata, behind its existing entries, nil for
// none: a chunk for each distinct source, a support for each place. The places count bytes of all words.
// https://ai.google.dev/api/generate-content#Segment
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

// repeatedLeast is how many bytes of words supports may repeat however short the answer is.
const repeatedLeast = 256

// appendSupports writes the places of sources: successive ones of the same place share one. Its output is linear in the
// answer: once its words were repeated four times, supports have no text.
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

// appendElements writes the elements of a list that an object has.
func appendElements(dst, obj []byte, key string) (out []byte, n int) {
	list, _ := jsonx.Find(obj, key)
	for v := range jsonx.Elements(list) {
		dst = append(appendComma(dst), v...)
		n++
	}
	return dst, n
}

// appendMembers writes the members that an object has, but for those in skip.
func appendMembers(dst, obj []byte, skip ...string) []byte {
	for k, m := range jsonx.Members(obj) {
		if !slices.ContainsFunc(skip, k.Is) {
			dst = append(append(append(appendComma(dst), k...), ':'), m...)
		}
	}
	return dst
}

// appendComma is dst with a comma, where an element or a member stands before.
func appendComma(dst []byte) []byte {
	if last := dst[len(dst)-1]; last != '[' && last != '{' {
		dst = append(dst, ',')
	}
	return dst
}
