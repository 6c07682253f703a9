package codecs_test

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/sse"
	"github.com/callwright/callwright/wire"
	"github.com/callwright/callwright/wire/codecs"
	"github.com/callwright/callwright/wire/wiretest"
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

// A found is a source in an answer, and the words for which it stands.
type found struct{ url, words string }

// read gives what a whole answer says and names.
func read(t *testing.T, c wire.Codec, body []byte) (words string, list []found) {
	t.Helper()
	switch c.Name() {
	case callwright.WireOpenAI, callwright.WireResponses:
		return readAnnotated(t, body)
	case callwright.WireAnthropic:
		content, _ := jsonx.Find(body, "content")
		for b := range jsonx.Elements(content) {
			words += at(b, "text")
			named, _ := jsonx.Find(b, "citations")
			for v := range jsonx.Elements(named) {
				if url := at(v, "url"); url != "" {
					list = append(list, found{url, at(v, "cited_text")})
				}
			}
		}
	case callwright.WireGemini:
		candidate := firstOf(body, "candidates")
		parts, _ := jsonx.Lookup(candidate, "content", "parts")
		for p := range jsonx.Elements(parts) {
			words += at(p, "text")
		}
		in, _ := jsonx.Find(candidate, "groundingMetadata")
		return words, readGrounded(t, words, in)
	}
	return words, list
}

func firstOf(v []byte, key string) []byte {
	list, _ := jsonx.Find(v, key)
	return jsonx.First(list)
}

func at(v []byte, path ...string) string {
	in, _ := jsonx.Lookup(v, path...)
	return jsonx.TextOf(in)
}

// readAnnotated reads an answer of an API of OpenAI.
func readAnnotated(t *testing.T, body []byte) (words string, list []found) {
	t.Helper()
	type note struct {
		Type  string
		Start int `json:"start_index"`
		End   int `json:"end_index"`
		URL   string
	}
	var a struct {
		Choices []struct {
			Message struct {
				Content     string
				Annotations []struct {
					Type   string
					Source note `json:"url_citation"`
				}
			}
		}
		Citations []string
		Output    []struct {
			Content []struct {
				Text        string
				Annotations []note
			}
		}
	}
	if err := json.Unmarshal(body, &a); err != nil {
		t.Fatalf("%v in %s", err, body)
	}
	add := func(text string, s note) {
		runes := []rune(text)
		if s.Type != "url_citation" {
			return
		}
		if s.Start > s.End || s.End > len(runes) {
			t.Fatalf("%d to %d of %q in %s", s.Start, s.End, text, body)
		}
		list = append(list, found{s.URL, string(runes[s.Start:s.End])})
	}
	for _, c := range a.Choices {
		words += c.Message.Content
		for _, s := range c.Message.Annotations {
			s.Source.Type = s.Type
			add(words, s.Source)
		}
	}
	for _, url := range a.Citations {
		list = append(list, found{url, ""})
	}
	for _, item := range a.Output {
		for _, p := range item.Content {
			words += p.Text
			for _, s := range p.Annotations {
				add(p.Text, s)
			}
		}
	}
	return words, list
}

// readGrounded reads what a candidate names. The sources come in the order of their chunks.
func readGrounded(t *testing.T, words string, in []byte) (list []found) {
	t.Helper()
	var g struct {
		GroundingChunks []struct {
			Web struct{ URI string }
		}
		GroundingSupports []struct {
			Segment struct {
				StartIndex, EndIndex int
				Text                 string
			}
			GroundingChunkIndices []int
		}
	}
	if in != nil {
		if err := json.Unmarshal(in, &g); err != nil {
			t.Fatalf("%v in %s", err, in)
		}
	}
	places := map[int]string{}
	for _, s := range g.GroundingSupports {
		if p := s.Segment; p.StartIndex > p.EndIndex || p.EndIndex > len(words) || words[p.StartIndex:p.EndIndex] != p.Text {
			t.Fatalf("%+v of %q", s, words)
		}
		for _, n := range s.GroundingChunkIndices {
			places[n] = s.Segment.Text
		}
	}
	for i, c := range g.GroundingChunks {
		if c.Web.URI != "" {
			list = append(list, found{c.Web.URI, places[i]})
		}
	}
	return list
}

// joinedStream is the whole answer that a client puts together of a stream.
func joinedStream(t *testing.T, c wire.Codec, out []byte) []byte {
	t.Helper()
	content, notes, lists := "", []string{}, "[]"
	var blocks []map[string]any
	var grounding []byte
	s := sse.NewReader(bytes.NewReader(out))
	for {
		ev, err := s.Next()
		if err != nil {
			break
		}
		data := bytes.Clone(ev.Data)
		switch c.Name() {
		case callwright.WireResponses:
			if done, _ := jsonx.Find(data, "response"); strings.HasSuffix(ev.Name, ".completed") {
				return done
			}
		case callwright.WireOpenAI:
			delta, _ := jsonx.Find(firstOf(data, "choices"), "delta")
			content += at(delta, "content")
			list, _ := jsonx.Find(delta, "annotations")
			for v := range jsonx.Elements(list) {
				notes = append(notes, string(v))
			}
			if v, ok := jsonx.Find(data, "citations"); ok {
				lists = string(v)
			}
		case callwright.WireAnthropic:
			if b, ok := jsonx.Find(data, "content_block"); ok {
				block := map[string]any{}
				_ = json.Unmarshal(b, &block)
				blocks = append(blocks, block)
			}
			delta, _ := jsonx.Find(data, "delta")
			if text, ok := jsonx.Find(delta, "text"); ok {
				last := blocks[len(blocks)-1]
				last["text"] = last["text"].(string) + jsonx.TextOf(text)
			}
			if v, ok := jsonx.Find(delta, "citation"); ok {
				last := blocks[len(blocks)-1]
				had, _ := last["citations"].([]any)
				last["citations"] = append(had, json.RawMessage(v))
			}
		case callwright.WireGemini:
			candidate := firstOf(data, "candidates")
			in, _ := jsonx.Find(candidate, "content")
			content += at(firstOf(in, "parts"), "text")
			if v, ok := jsonx.Find(candidate, "groundingMetadata"); ok {
				grounding = v
			}
		}
	}
	switch c.Name() {
	case callwright.WireAnthropic:
		return []byte(object(`"content":%s`, compact(blocks)))
	case callwright.WireGemini:
		return []byte(object(`"candidates":[{"content":{"parts":[{"text":%s}]},"groundingMetadata":%s}]`, quote(content), cmp.Or(string(grounding), "{}")))
	}
	return []byte(object(`"choices":[{"message":{"content":%s,"annotations":[%s]}}],"citations":%s`, quote(content), join(notes), lists))
}

// check holds what an answer names against what was drawn.
func (a *sourced) check(t *testing.T, form string, from, to wire.Codec, body []byte, notes []callwright.Note) {
	t.Helper()
	noted := slices.ContainsFunc(notes, func(n callwright.Note) bool { return n.Rule == "response.citations" })
	placed, unplaced := []found{}, append([]string{}, a.unplaced...)
	if from.Name() == callwright.WireAnthropic { // which has a text for each
		unplaced = []string{}
	}
	for _, s := range a.all() {
		for _, url := range s.urls {
			placed = append(placed, found{url, s.words})
		}
	}
	names := len(placed)+len(unplaced) > 0
	if to.Name() == callwright.WireOllama {
		if noted != (names || a.lossy) {
			t.Errorf("%s to %s, %s: noted: %t, %+v", from.Name(), to.Name(), form, noted, a)
		}
		return
	}
	if lost := a.lossy && from.Name() != to.Name(); noted != lost {
		t.Errorf("%s to %s, %s: lost: %t, noted: %v", from.Name(), to.Name(), form, lost, notes)
	}
	words, list := read(t, to, body)
	if want := wordsOf(a.all()); words != want {
		t.Errorf("%s to %s, %s: expected %q, got %q", from.Name(), to.Name(), form, want, words)
	}
	havePlace, haveNone := []found{}, []string{}
	for _, f := range list {
		if slices.Contains(unplaced, f.url) {
			haveNone = append(haveNone, f.url)
			continue
		}
		havePlace = append(havePlace, f)
	}
	late := a.called && strings.Contains(form, "stream") // sources that come after their text has ended
	if late {
		for i := range min(len(havePlace), len(placed)) {
			havePlace[i].words = cmp.Or(havePlace[i].words, placed[i].words)
		}
	}
	if !slices.Equal(havePlace, placed) || !slices.Equal(haveNone, unplaced) {
		t.Errorf("%s to %s, %s: expected %q and %q, got %q and %q\n%s", from.Name(), to.Name(), form, placed, unplaced, havePlace, haveNone, body)
	}
}

// The sources that an answer names reach clients of every wire that has sources, whole and streamed, in order, once each, and stand for the
// same words; what was lost is noted, and nothing else.
func TestSourcesReachEveryWire(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 150 {
		a := randomSourced(r)
		for _, from := range codecs.All() {
			write := map[callwright.WireName]func(*rand.Rand) (string, string){callwright.WireOpenAI: a.chat, callwright.WireResponses: a.item,
				callwright.WireAnthropic: a.blocks, callwright.WireGemini: a.candidate}[from.Name()]
			if write == nil {
				continue
			}
			whole, stream := write(r)
			resp, err := from.DecodeResponse([]byte(whole))
			if err != nil {
				t.Fatalf("%v in %s", err, whole)
			}
			resp.Raw = nil
			decoded := wiretest.Decode(from, strings.NewReader(stream))
			pieces := withoutFrames(decoded.Events)
			var all callwright.Collector
			for _, ev := range pieces {
				all.Add(ev)
			}
			for _, to := range codecs.All() {
				for form, resp := range map[string]*callwright.Response{"whole": resp, "a stream made whole": all.Response()} {
					out, notes, err := to.EncodeResponse(&callwright.Request{}, resp)
					if err != nil {
						t.Fatal(err)
					}
					a.check(t, form, from, to, out, notes)
				}
				for form, events := range map[string][]callwright.Event{"a stream": pieces, "a whole answer streamed": resp.Events()} {
					e := to.NewStreamEncoder(&callwright.Request{Model: "m"})
					var out []byte
					for _, ev := range events {
						out = e.Encode(out, ev)
					}
					if d := wiretest.StreamComplaints(to.Name(), e.ContentType(), out, false); len(d) > 0 {
						t.Errorf("%s to %s, %s: %v", from.Name(), to.Name(), form, d)
					}
					a.check(t, form, from, to, joinedStream(t, to, out), wire.LeftOut(e))
				}
			}
			if t.Failed() {
				return
			}
		}
	}
}

// An answer that names sources of the client's own API and of another, as one with a tool that was run here, has both, each once.
func TestSourcesOfTwoAPIs(t *testing.T) {
	const own, other = "https://own.example", "https://other.example"
	extra := func(of callwright.WireName, format string) callwright.Extra {
		return callwright.Extra{Wire: of, JSON: []byte(strings.ReplaceAll(format, "URL", own))}
	}
	foreign := map[bool]callwright.Part{ // of OpenAI's, or for clients of those APIs
		false: callwright.Opaque{Extra: callwright.Extra{Wire: callwright.WireResponses, JSON: []byte(`{"annotations":[{"type":"url_citation","start_index":0,"end_index":0,"url":"` + other + `","title":"T"}]}`)}},
		true:  callwright.Opaque{Extra: callwright.Extra{Wire: callwright.WireGemini, JSON: []byte(`{"candidate":{"groundingMetadata":{"groundingChunks":[{"web":{"uri":"` + other + `"}}]}}}`)}},
	}
	for name, c := range map[callwright.WireName]struct{ answer, text, part callwright.Extra }{
		callwright.WireOpenAI:    {answer: extra(callwright.WireOpenAI, `{"choices":[{"message":{"annotations":[{"type":"url_citation","url_citation":{"start_index":0,"end_index":1,"url":"URL"}}]}}]}`)},
		callwright.WireResponses: {text: extra(callwright.WireResponses, `{"annotations":[{"type":"url_citation","start_index":0,"end_index":1,"url":"URL"}]}`)},
		callwright.WireAnthropic: {text: extra(callwright.WireAnthropic, `{"citations":[{"type":"web_search_result_location","url":"URL","title":"T","encrypted_index":"x","cited_text":"a"}]}`)},
		callwright.WireGemini:    {part: extra(callwright.WireGemini, `{"candidate":{"groundingMetadata":{"webSearchQueries":["q"],"groundingChunks":[{"web":{"uri":"URL"}}]}}}`)},
	} {
		resp := &callwright.Response{ID: "a", Model: "m", Finish: callwright.FinishStop, Extra: c.answer}
		if c.part.JSON != nil {
			resp.Parts = append(resp.Parts, callwright.Opaque{Extra: c.part})
		}
		resp.Parts = append(resp.Parts, foreign[name == callwright.WireOpenAI || name == callwright.WireResponses], callwright.Text{Text: "ab", Extra: c.text})
		to, _ := codecs.Of(name)
		whole, notes, err := to.EncodeResponse(&callwright.Request{}, resp)
		if err != nil || len(notes) > 0 {
			t.Errorf("%s: %v, %v", name, notes, err)
		}
		e := to.NewStreamEncoder(&callwright.Request{Model: "m"})
		var out []byte
		for _, ev := range resp.Events() {
			out = e.Encode(out, ev)
		}
		for form, body := range map[string][]byte{"whole": whole, "streamed": joinedStream(t, to, out)} {
			var urls []string
			_, list := read(t, to, body)
			for _, f := range list {
				urls = append(urls, f.url)
			}
			if slices.Sort(urls); !slices.Equal(urls, []string{other, own}) {
				t.Errorf("%s, %s: got %q in %s", name, form, urls, body)
			}
			if n := bytes.Count(body, []byte(`"annotations"`)); name == callwright.WireOpenAI && n != 1 {
				t.Errorf("%s, %s: %d lists in %s", name, form, n, body)
			}
		}
	}
}
