package codecs_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

// A segment is a stretch of words that sources stand for.
type segment struct {
	words string
	urls  []string
}

// sourced is an answer whose texts are made of segments, with sources of which no place is known.
type sourced struct {
	texts    [][]segment
	called   bool // a call stands behind the first text
	unplaced []string
	lossy    bool // it names one more that has no URL
}

func randomSourced(r *rand.Rand) sourced {
	var a sourced
	n := 0
	urls := func(most int) (list []string) {
		for range r.IntN(most) {
			n++
			list = append(list, fmt.Sprintf("https://s.example/%d", n))
		}
		return list
	}
	letters := []rune("abc é☃😀\"\n")
	for range 1 + r.IntN(3) {
		var text []segment
		for range 1 + r.IntN(3) {
			words := []rune{'w'}
			for range r.IntN(12) {
				words = append(words, letters[r.IntN(len(letters))])
			}
			text = append(text, segment{string(words), urls(3)})
		}
		a.texts = append(a.texts, text)
	}
	a.called, a.lossy = r.IntN(3) == 0, r.IntN(4) == 0
	if r.IntN(2) == 0 {
		a.unplaced = urls(4)
	}
	return a
}

// all are the segments of all texts.
func (a *sourced) all() []segment { return slices.Concat(a.texts...) }

func wordsOf(list []segment) (words string) {
	for _, s := range list {
		words += s.words
	}
	return words
}

// cut is a text in pieces, cut anywhere between characters.
func cut(r *rand.Rand, text string) (pieces []string) {
	runes := []rune(text)
	for len(runes) > 0 {
		n := 1 + r.IntN(len(runes))
		pieces, runes = append(pieces, string(runes[:n])), runes[n:]
	}
	return pieces
}

func object(format string, args ...any) string { return fmt.Sprintf("{"+format+"}", args...) }

// annotationsOf are the sources of segments before which so many characters were said.
func annotationsOf(list []segment, said int, nested bool) (out []string) {
	for _, s := range list {
		n := len([]rune(s.words))
		for _, url := range s.urls {
			in := fmt.Sprintf(`"start_index":%d,"end_index":%d,"url":%q,"title":"T"`, said, said+n, url)
			if nested {
				in = `"url_citation":{` + in + `}`
			}
			out = append(out, object(`"type":"url_citation",%s`, in))
		}
		said += n
	}
	return out
}

const fileAnnotation = `{"type":"file_citation","file_id":"f","index":1}`

func join(list []string) string { return strings.Join(list, ",") }

// chat is the answer as Chat Completions has it.
func (a *sourced) chat(r *rand.Rand) (whole, stream string) {
	list, beside := annotationsOf(a.all(), 0, true), ""
	if a.lossy {
		list = append(list, fileAnnotation)
	}
	if len(a.unplaced) > 0 {
		var results []string
		for _, url := range a.unplaced {
			results = append(results, object(`"title":"T","url":%q`, url))
		}
		beside = fmt.Sprintf(`,"citations":%s,"search_results":[%s]`, compact(a.unplaced), join(results))
	}
	head := `"id":"c","model":"m"`
	call, reason, word := "", "stop", wordsOf(a.all())
	if a.called {
		call, reason = `,"tool_calls":[{"index":0,"id":"call_1","type":"function","function":{"name":"f","arguments":"{}"}}]`, "tool_calls"
	}
	whole = object(`%s,"choices":[{"index":0,"message":{"role":"assistant","content":%s,"annotations":[%s]%s},"finish_reason":%q}]%s`, head, quote(word), join(list), call, reason, beside)
	first := r.IntN(2) == 0 // the lists come with each chunk, or with the last
	chunk := func(delta, reason, beside string) {
		if !first && reason == "null" {
			beside = ""
		}
		stream += "data: " + object(`%s,"choices":[{"index":0,"delta":{%s},"finish_reason":%s}]%s`, head, delta, reason, beside) + "\n\n"
	}
	for _, p := range cut(r, word) {
		chunk(`"content":`+quote(p), "null", beside)
	}
	for _, v := range list {
		chunk(`"annotations":[`+v+`]`, "null", beside)
	}
	if a.called {
		chunk(call[1:], "null", beside)
	}
	chunk("", quote(reason), beside)
	return whole, stream + "data: [DONE]\n\n"
}

func compact(v any) string {
	out, _ := json.Marshal(v)
	return string(out)
}

// item is the answer as the Responses API has it.
func (a *sourced) item(r *rand.Rand) (whole, stream string) {
	event := func(name, format string, args ...any) {
		stream += "event: " + name + "\ndata: " + object(`"type":"%s",`+format, append([]any{name}, args...)...) + "\n\n"
	}
	event("response.created", `"response":{"id":"resp_c","object":"response","model":"m","status":"in_progress","output":[]}`)
	var items []string
	message := func(texts [][]segment) {
		n, id := len(items), fmt.Sprint("msg_", len(items))
		event("response.output_item.added", `"output_index":%d,"item":{"id":%q,"type":"message","role":"assistant","content":[]}`, n, id)
		var parts []string
		for i, text := range texts {
			list := annotationsOf(text, 0, false)
			for _, url := range a.unplaced {
				if len(items) == 0 && i == 0 {
					list = append(list, object(`"type":"url_citation","start_index":0,"end_index":0,"url":%q,"title":"T"`, url))
				}
			}
			if a.lossy && i == 0 {
				list = append(list, fileAnnotation)
			}
			at := fmt.Sprintf(`"item_id":%q,"output_index":%d,"content_index":%d`, id, n, i)
			event("response.content_part.added", `%s,"part":{"type":"output_text","text":"","annotations":[]}`, at)
			for _, p := range cut(r, wordsOf(text)) {
				event("response.output_text.delta", `%s,"delta":%s`, at, quote(p))
			}
			part := object(`"type":"output_text","text":%s,"annotations":[%s],"logprobs":[]`, quote(wordsOf(text)), join(list))
			event("response.content_part.done", `%s,"part":%s`, at, part)
			parts = append(parts, part)
		}
		done := object(`"id":%q,"type":"message","role":"assistant","status":"completed","content":[%s]`, id, join(parts))
		event("response.output_item.done", `"output_index":%d,"item":%s`, n, done)
		items = append(items, done)
	}
	if a.called {
		message(a.texts[:1])
		call := object(`"id":"fc_1","type":"function_call","status":"completed","call_id":"call_1","name":"f","arguments":"{}"`)
		event("response.output_item.added", `"output_index":1,"item":%s`, call)
		event("response.output_item.done", `"output_index":1,"item":%s`, call)
		if items = append(items, call); len(a.texts) > 1 {
			message(a.texts[1:])
		}
	} else {
		message(a.texts)
	}
	whole = object(`"id":"resp_c","object":"response","model":"m","status":"completed","output":[%s]`, join(items))
	event("response.completed", `"response":%s`, whole)
	return whole, stream
}

// blocks is the answer as Anthropic's API has it: each segment is a block.
func (a *sourced) blocks(r *rand.Rand) (whole, stream string) {
	event := func(name, format string, args ...any) {
		stream += "event: " + name + "\ndata: " + object(`"type":"%s",`+format, append([]any{name}, args...)...) + "\n\n"
	}
	event("message_start", `"message":{"id":"msg_c","type":"message","role":"assistant","model":"m","content":[],"stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":1,"output_tokens":1}}`)
	var list []string
	block := func(start string, deltas []string, whole string) {
		n := len(list)
		event("content_block_start", `"index":%d,"content_block":%s`, n, start)
		for _, d := range deltas {
			event("content_block_delta", `"index":%d,"delta":%s`, n, d)
		}
		event("content_block_stop", `"index":%d`, n)
		list = append(list, whole)
	}
	for i, text := range a.texts {
		for j, s := range text {
			var named, deltas []string
			for _, url := range s.urls {
				named = append(named, object(`"type":"web_search_result_location","cited_text":%s,"url":%q,"title":"T","encrypted_index":"x"`, quote(s.words), url))
			}
			if a.lossy && i+j == 0 {
				named = append(named, `{"type":"page_location","cited_text":"x","document_index":0,"start_page_number":1,"end_page_number":2}`)
			}
			for _, p := range cut(r, s.words) {
				deltas = append(deltas, object(`"type":"text_delta","text":%s`, quote(p)))
			}
			start, at := `{"type":"text","text":""}`, r.IntN(len(deltas)+1)
			if len(named) > 0 {
				start = `{"citations":[],"type":"text","text":""}`
			}
			for _, c := range named {
				deltas = slices.Insert(deltas, at, object(`"type":"citations_delta","citation":%s`, c))
				at++
			}
			whole := object(`"type":"text","text":%s`, quote(s.words))
			if len(named) > 0 {
				whole = object(`"citations":[%s],"type":"text","text":%s`, join(named), quote(s.words))
			}
			block(start, deltas, whole)
		}
		if a.called && i == 0 {
			call := `{"type":"tool_use","id":"call_1","name":"f","input":{}}`
			block(call, nil, call)
		}
	}
	reason := "end_turn"
	if a.called {
		reason = "tool_use"
	}
	event("message_delta", `"delta":{"stop_reason":%q,"stop_sequence":null},"usage":{"output_tokens":2}`, reason)
	event("message_stop", `"x":0`)
	return object(`"id":"msg_c","type":"message","role":"assistant","model":"m","content":[%s],"stop_reason":%q,"stop_sequence":null,"usage":{"input_tokens":1,"output_tokens":2}`, join(list), reason), stream
}

// candidate is the answer as Gemini has it: the sources come at its end.
func (a *sourced) candidate(r *rand.Rand) (whole, stream string) {
	var chunks, supports, parts []string
	said := 0
	for _, s := range a.all() {
		var numbers []string
		for _, url := range s.urls {
			numbers = append(numbers, fmt.Sprint(len(chunks)))
			chunks = append(chunks, object(`"web":{"uri":%q,"title":"T"}`, url))
		}
		if len(numbers) > 0 {
			supports = append(supports, object(`"segment":{"startIndex":%d,"endIndex":%d,"text":%s},"groundingChunkIndices":[%s]`, said, said+len(s.words), quote(s.words), join(numbers)))
		}
		said += len(s.words)
	}
	for _, url := range a.unplaced {
		chunks = append(chunks, object(`"web":{"uri":%q,"title":"T"}`, url))
	}
	if a.lossy {
		chunks = append(chunks, `{"retrievedContext":{"text":"x"}}`)
	}
	grounding := ""
	if len(chunks) > 0 {
		grounding = fmt.Sprintf(`,"groundingMetadata":{"groundingChunks":[%s],"groundingSupports":[%s],"webSearchQueries":["q"]}`, join(chunks), join(supports))
	}
	const call = `{"functionCall":{"id":"call_1","name":"f","args":{}}}`
	piece := func(parts, rest string) {
		stream += "data: " + object(`"candidates":[{"content":{"parts":[%s],"role":"model"}%s,"index":0}],"modelVersion":"m","responseId":"c"`, parts, rest) + "\n\n"
	}
	for i, text := range a.texts {
		parts = append(parts, object(`"text":%s`, quote(wordsOf(text))))
		for _, p := range cut(r, wordsOf(text)) {
			piece(object(`"text":%s`, quote(p)), "")
		}
		if a.called && i == 0 {
			parts = append(parts, call)
			piece(call, "")
		}
	}
	piece(`{"text":""}`, `,"finishReason":"STOP"`+grounding)
	return object(`"candidates":[{"content":{"parts":[%s],"role":"model"},"finishReason":"STOP","index":0%s}],"modelVersion":"m","responseId":"c"`, join(parts), grounding), stream
}
