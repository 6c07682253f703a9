package codecs_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/wire"
	"github.com/callwright/callwright/internal/wire/codecs"
	"github.com/callwright/callwright/internal/wire/wiretest"
)

// mark stands in each member of the table, so that it can be looked for in what a client gets. It is base64, too.
const mark = "TUFSSw"

// toldMembers are members of answers that people read, by the wire and by the place that they have in its answers, with the rule of the note
// on one that does not reach a client.
var toldMembers = []struct {
	wire               callwright.WireName
	place, value, rule string
}{
	{callwright.WireOpenAI, "choice", `"logprobs":{"content":[{"token":"` + mark + `","logprob":-0.1,"bytes":null,"top_logprobs":[]}],"refusal":null}`, "response.logprobs"},
	{callwright.WireOpenAI, "choice", `"logprobs":{"content":null,"refusal":[{"token":"` + mark + `","logprob":-0.1}]}`, "response.logprobs"},
	{callwright.WireOpenAI, "message", `"annotations":[{"type":"url_citation","url_citation":{"start_index":0,"end_index":1,"url":"https://a.example/` + mark + `","title":"T"}}]`, "response.citations"},
	{callwright.WireOpenAI, "message", `"annotations":[{"type":"file_citation","file_citation":{"file_id":"` + mark + `"}}]`, "response.citations"},
	{callwright.WireOpenAI, "message", `"audio":{"id":"audio_1","data":"` + mark + `","transcript":"Hi"}`, "response.opaque"},
	{callwright.WireOpenAI, "message", `"images":[{"type":"image_url","image_url":{"url":"data:image/png;base64,` + mark + `"}}]`, "response.opaque"},
	{callwright.WireOpenAI, "content", `{"type":"reference","reference_ids":["` + mark + `"]}`, "response.opaque"},
	{callwright.WireOpenAI, "answer", `"citations":["https://a.example/` + mark + `"]`, "response.citations"},
	{callwright.WireOpenAI, "answer", `"search_results":[{"title":"T","url":"https://a.example/` + mark + `"}]`, "response.citations"},

	{callwright.WireResponses, "text", `"logprobs":[{"token":"` + mark + `","logprob":-0.1,"bytes":[],"top_logprobs":[]}]`, "response.logprobs"},
	{callwright.WireResponses, "text", `"annotations":[{"type":"url_citation","start_index":0,"end_index":1,"url":"https://a.example/` + mark + `","title":"T"}]`, "response.citations"},
	{callwright.WireResponses, "text", `"annotations":[{"type":"file_citation","index":0,"file_id":"` + mark + `","filename":"f"}]`, "response.citations"},
	{callwright.WireResponses, "content", `{"type":"output_audio","data":"` + mark + `","transcript":"Hi"}`, "response.opaque"},
	{callwright.WireResponses, "item", `{"id":"ig_1","type":"image_generation_call","status":"completed","result":"` + mark + `"}`, "response.opaque"},
	{callwright.WireResponses, "item", `{"id":"ws_1","type":"web_search_call","status":"completed","action":{"type":"search","query":"` + mark + `"}}`, "response.opaque"},

	{callwright.WireAnthropic, "text", `{"type":"web_search_result_location","cited_text":"a","url":"https://a.example/` + mark + `","title":"T","encrypted_index":"x"}`, "response.citations"},
	{callwright.WireAnthropic, "text", `{"type":"page_location","cited_text":"` + mark + `","document_index":0,"start_page_number":1,"end_page_number":2}`, "response.citations"},
	{callwright.WireAnthropic, "block", `{"type":"server_tool_use","id":"srvtoolu_1","name":"web_search","input":{"query":"` + mark + `"}}`, "response.opaque"},
	{callwright.WireAnthropic, "block", `{"type":"web_search_tool_result","tool_use_id":"srvtoolu_1","content":[{"type":"web_search_result","url":"https://a.example/` + mark + `","title":"T","encrypted_content":"x"}]}`, "response.opaque"},
	{callwright.WireAnthropic, "compaction", `"content":"` + mark + `","encrypted_content":"x"`, "response.opaque"},
	{callwright.WireAnthropic, "block", `{"type":"container_upload","file_id":"` + mark + `"}`, "response.opaque"},

	{callwright.WireGemini, "candidate", `"logprobsResult":{"chosenCandidates":[{"token":"` + mark + `","logProbability":-0.1}]}`, "response.logprobs"},
	{callwright.WireGemini, "candidate", `"groundingMetadata":{"groundingChunks":[{"web":{"uri":"https://a.example/` + mark + `","title":"T"}}]}`, "response.citations"},
	{callwright.WireGemini, "candidate", `"groundingMetadata":{"groundingChunks":[{"retrievedContext":{"text":"` + mark + `"}}]}`, "response.citations"},
	{callwright.WireGemini, "candidate", `"citationMetadata":{"citations":[{"startIndex":0,"endIndex":1,"uri":"https://a.example/` + mark + `"}]}`, "response.citations"},
	{callwright.WireGemini, "candidate", `"urlContextMetadata":{"urlMetadata":[{"retrievedUrl":"https://a.example/` + mark + `"}]}`, "response.citations"},
	{callwright.WireGemini, "part", `{"inlineData":{"mimeType":"image/png","data":"` + mark + `"}}`, "response.image"},
	{callwright.WireGemini, "part", `{"fileData":{"mimeType":"application/pdf","fileUri":"https://a.example/` + mark + `"}}`, "response.file"},
	{callwright.WireGemini, "part", `{"executableCode":{"language":"PYTHON","code":"` + mark + `"}}`, "response.opaque"},
	{callwright.WireGemini, "part", `{"codeExecutionResult":{"outcome":"OUTCOME_OK","output":"` + mark + `"}}`, "response.opaque"},
	{callwright.WireGemini, "part", `{"functionResponse":{"name":"f","response":{"output":"` + mark + `"}}}`, "response.opaque"},

	{callwright.WireOllama, "answer", `"logprobs":[{"token":"` + mark + `","logprob":-0.1}]`, "response.logprobs"},
	{callwright.WireOllama, "message", `"images":["` + mark + `"]`, "response.image"},
}

// everyPiece is the place of a member that comes with each piece of a stream, with another mark each time.
const everyPiece = -1

// inPiece is a member as it stands in a piece. Lists of the sources of an answer are the same in each.
func inPiece(value string, n int) string {
	if strings.HasPrefix(value, `,"citations"`) || strings.HasPrefix(value, `,"search_results"`) {
		return value
	}
	return strings.ReplaceAll(value, mark, fmt.Sprint(mark, n))
}

// piecesOf is how many pieces the streams of toldAnswer have that can hold the member: two with a text each, one that ends the answer, and, where the
// API has it, one after that.
var piecesOf = map[callwright.WireName]int{callwright.WireOpenAI: 4, callwright.WireResponses: 4, callwright.WireAnthropic: 2, callwright.WireGemini: 4, callwright.WireOllama: 3}

// toldAnswer is an answer with a member, whole and streamed, where it comes with a piece of the stream. The stream is empty for a place that
// the API does not have.
func toldAnswer(name callwright.WireName, place, value string, piece int) (whole, stream string) {
	in := func(p string) (with string) { // what stands at a place of the whole answer
		if p == place {
			with = "," + value
		}
		return with
	}
	at := func(n int, p string) (with string) { // what stands there in a piece
		if n == piece || piece == everyPiece {
			with = inPiece(in(p), n)
		}
		return with
	}
	switch name {
	case callwright.WireOpenAI:
		return toldChat(in, at, place == "answer" || piece < 3)
	case callwright.WireResponses:
		return toldItems(in, at, piece)
	case callwright.WireAnthropic:
		return toldBlocks(place, value, piece)
	case callwright.WireGemini:
		return toldCandidate(in, at)
	}
	for n, words := range []string{`"a"`, `"b"`, `""`} {
		end := `"done":false`
		if n == 2 {
			end = `"done":true,"done_reason":"stop","eval_count":2`
		}
		stream += object(`"model":"m","message":{"role":"assistant","content":%s%s},%s%s`, words, at(n, "message"), end, at(n, "answer")) + "\n"
	}
	return object(`"model":"m","message":{"role":"assistant","content":"ab"%s},"done":true,"done_reason":"stop","eval_count":2%s`, in("message"), in("answer")), stream
}

func toldChat(in func(string) string, at func(int, string) string, has bool) (whole, stream string) {
	content := `"ab"`
	if v := in("content"); v != "" {
		content = `[{"type":"text","text":"ab"}` + v + `]`
	}
	whole = object(`"id":"c","model":"m","choices":[{"index":0,"message":{"role":"assistant","content":%s%s},"finish_reason":"stop"%s}]%s`, content, in("message"), in("choice"), in("answer"))
	for n, words := range []string{`"a"`, `"b"`, `null`} {
		if v := at(n, "content"); v != "" {
			words = strings.Replace(`[{"type":"text","text":`+words+`}`+v+`]`, "null", `""`, 1)
		}
		reason := "null"
		if n == 2 {
			reason = `"stop"`
		}
		stream += "data: " + object(`"id":"c","model":"m","choices":[{"index":0,"delta":{"role":"assistant","content":%s%s},"finish_reason":%s%s}]%s`, words, at(n, "message"), reason, at(n, "choice"), at(n, "answer")) + "\n\n"
	}
	stream += "data: " + object(`"id":"c","model":"m","choices":[],"usage":{"prompt_tokens":1,"completion_tokens":2,"total_tokens":3}%s`, at(3, "answer")) + "\n\ndata: [DONE]\n\n"
	if !has {
		stream = ""
	}
	return whole, stream
}

// toldItems has what is told in the pieces of the first text or of the second one, with each that repeats it, or in the ends alone that repeat the text.
func toldItems(in func(string) string, at func(int, string) string, piece int) (whole, stream string) {
	event := func(name, format string, args ...any) {
		stream += "event: " + name + "\ndata: " + object(`"type":"%s",`+format, append([]any{name}, args...)...) + "\n\n"
	}
	told, inPieces := piece%2, piece < 2
	if piece >= 2 {
		at = func(n int, p string) (with string) {
			if n == told {
				with = inPiece(in(p), n)
			}
			return with
		}
	}
	event("response.created", `"response":{"id":"resp_c","object":"response","model":"m","status":"in_progress","output":[]}`)
	var items []string
	for n, words := range []string{`"a"`, `"b"`} {
		beside, part, item := at(n, "text"), at(n, "content"), at(n, "item")
		if item != "" {
			event("response.output_item.added", `"output_index":%d,"item":%s`, len(items), item[1:])
			event("response.output_item.done", `"output_index":%d,"item":%s`, len(items), item[1:])
			items = append(items, item[1:])
		}
		id := fmt.Sprint("msg_", n)
		event("response.output_item.added", `"output_index":%d,"item":{"id":%q,"type":"message","role":"assistant","content":[]}`, len(items), id)
		place := fmt.Sprintf(`"item_id":%q,"output_index":%d,"content_index":0`, id, len(items))
		event("response.content_part.added", `%s,"part":{"type":"output_text","text":"","annotations":[]}`, place)
		inDelta, inEnd := "", `"type":"output_text","text":`+words+beside
		if inPieces && strings.Contains(beside, "logprobs") {
			inDelta = beside
		}
		event("response.output_text.delta", `%s,"delta":%s%s`, place, words, inDelta)
		event("response.output_text.done", `%s,"text":%s%s`, place, words, inDelta)
		event("response.content_part.done", `%s,"part":{%s}`, place, inEnd)
		done := object(`"id":%q,"type":"message","role":"assistant","status":"completed","content":[{%s}%s]`, id, inEnd, part)
		event("response.output_item.done", `"output_index":%d,"item":%s`, len(items), done)
		items = append(items, done)
	}
	whole = object(`"id":"resp_c","object":"response","model":"m","status":"completed","output":[%s]`, join(items))
	event("response.completed", `"response":%s`, whole)
	return whole, stream
}

func toldBlocks(place, value string, piece int) (whole, stream string) {
	event := func(name, format string, args ...any) {
		stream += "event: " + name + "\ndata: " + object(`"type":"%s",`+format, append([]any{name}, args...)...) + "\n\n"
	}
	event("message_start", `"message":{"id":"msg_c","type":"message","role":"assistant","model":"m","content":[],"stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":1,"output_tokens":1}}`)
	var list []string
	for n, words := range []string{`"a"`, `"b"`} {
		value, here := inPiece(value, n), n == piece || piece == everyPiece
		if place != "text" && here {
			start := value
			if place == "compaction" {
				start, value = `{"type":"compaction","content":null}`, `{"type":"compaction",`+value+`}`
			}
			event("content_block_start", `"index":%d,"content_block":%s`, len(list), start)
			if start != value {
				event("content_block_delta", `"index":%d,"delta":%s`, len(list), strings.Replace(value, `"compaction"`, `"compaction_delta"`, 1))
			}
			event("content_block_stop", `"index":%d`, len(list))
			list = append(list, value)
		}
		named, start := "", ""
		if place == "text" && here {
			named, start = `"citations":[`+value+`],`, `"citations":[],`
		}
		event("content_block_start", `"index":%d,"content_block":{%s"type":"text","text":""}`, len(list), start)
		event("content_block_delta", `"index":%d,"delta":{"type":"text_delta","text":%s}`, len(list), words)
		if named != "" {
			event("content_block_delta", `"index":%d,"delta":{"type":"citations_delta","citation":%s}`, len(list), value)
		}
		event("content_block_stop", `"index":%d`, len(list))
		list = append(list, object(`%s"type":"text","text":%s`, named, words))
	}
	event("message_delta", `"delta":{"stop_reason":"end_turn","stop_sequence":null},"usage":{"output_tokens":2}`)
	event("message_stop", `"x":0`)
	return object(`"id":"msg_c","type":"message","role":"assistant","model":"m","content":[%s],"stop_reason":"end_turn","stop_sequence":null,"usage":{"input_tokens":1,"output_tokens":2}`, join(list)), stream
}

func toldCandidate(in func(string) string, at func(int, string) string) (whole, stream string) {
	whole = object(`"candidates":[{"content":{"parts":[{"text":"ab"}%s],"role":"model"},"finishReason":"STOP","index":0%s}],"modelVersion":"m","responseId":"c"`, in("part"), in("candidate"))
	for n, words := range []string{`"a"`, `"b"`, `""`, `""`} {
		reason := ""
		if n == 2 {
			reason = `,"finishReason":"STOP"`
		}
		stream += "data: " + object(`"candidates":[{"content":{"parts":[{"text":%s}%s],"role":"model"}%s,"index":0%s}],"modelVersion":"m","responseId":"c"`, words, at(n, "part"), reason, at(n, "candidate")) + "\n\n"
	}
	return whole, stream
}

// A toldForm is an answer in one of the forms in which it comes to an encoder.
type toldForm struct {
	form    string
	came    string // the bytes that it was made of
	resp    *callwright.Response
	batches []callwright.Batch
}

const (
	madeWhole = "a stream made whole"
	itsBytes  = "a stream with its bytes"
)

// formsOf are the forms of an answer, none for a place that streams do not have.
func formsOf(t *testing.T, from wire.Codec, whole, stream string, piece int) []toldForm {
	t.Helper()
	if stream == "" {
		return nil
	}
	read := func(body string) *callwright.Response {
		resp, err := from.DecodeResponse([]byte(body))
		if err != nil {
			t.Fatalf("%v in %s", err, body)
		}
		resp.Raw = nil
		return resp
	}
	decoded := wiretest.Decode(from, strings.NewReader(stream))
	if decoded.Err != nil || !decoded.Kept {
		t.Fatalf("%v, kept: %t\n%s", decoded.Err, decoded.Kept, stream)
	}
	var all callwright.Collector
	for _, ev := range decoded.Events {
		all.Add(ev)
	}
	resp := read(whole)
	forms := []toldForm{{"whole", whole, resp, nil}, {"a whole answer streamed", whole, nil, unbroken(resp.Events())}, {madeWhole, stream, all.Response(), nil},
		{"a stream", stream, nil, unbroken(decoded.Events)}, {itsBytes, stream, nil, decoded.Batches}}
	if from.Name() == callwright.WireGemini && piece != everyPiece {
		list := "[" + strings.NewReplacer("\n\ndata: ", ",", "data: ", "", "\n\n", "").Replace(stream) + "]"
		forms = append(forms, toldForm{"a list of its pieces", list, read(list), nil})
	}
	return forms
}

// unbroken is events as one batch without bytes.
func unbroken(events []callwright.Event) []callwright.Batch {
	return []callwright.Batch{{Events: events, More: true}}
}

// What people read of an answer reaches a client, or there is one note of its rule, over every pair of wires: of whole answers, of streams, of
// streams made whole and of whole answers streamed. Nothing is noted of a stream whose bytes were passed on.
func TestNothingVanishesInStreams(t *testing.T) {
	for _, m := range toldMembers {
		from, _ := codecs.Of(m.wire)
		for piece := everyPiece; piece < piecesOf[m.wire]; piece++ {
			whole, stream := toldAnswer(m.wire, m.place, m.value, piece)
			forms := formsOf(t, from, whole, stream, piece)
			for _, to := range codecs.All() {
				var first bool // whether the whole answer misses something
				for i, f := range forms {
					if to == from && f.form == madeWhole && piece == everyPiece {
						continue // of a member the last counts
					}
					out, notes := answerFor(t, to, f.resp, f.batches)
					got, want, misses := rulesNoted(notes), []string(nil), missing(f.came, out)
					if misses {
						want = []string{m.rule}
					}
					if piece == everyPiece { // several parts are several losses
						got = slices.Compact(got)
					}
					if first = first || misses && i == 0; to != from && misses != first || !slices.Equal(got, want) {
						t.Errorf("%s to %s, %s, %s in piece %d, missing: %t, notes: %q, expected %q\n%s", m.wire, to.Name(), f.form, m.value, piece, misses, got, want, out)
					}
					if f.form == itsBytes && to == from && string(out) != stream {
						t.Errorf("%s: expected the bytes, got %s", m.wire, out)
					}
				}
			}
		}
	}
}

// missing reports whether one of the marks that an answer came with is not in what a client gets.
func missing(came string, out []byte) bool {
	out = bytes.ReplaceAll(out, []byte{'\\'}, nil) // of input that came in pieces
	for n := -1; n < 4; n++ {
		m := mark + `"`
		if n >= 0 {
			m = fmt.Sprint(mark, n, `"`)
		}
		if strings.Contains(came, m) && !bytes.Contains(out, []byte(m)) {
			return true
		}
	}
	return false
}

// answerFor is an answer as a client gets it, whole or as a stream, and the notes on it.
func answerFor(t *testing.T, to wire.Codec, resp *callwright.Response, batches []callwright.Batch) ([]byte, []callwright.Note) {
	t.Helper()
	if resp != nil {
		out, notes, err := to.EncodeResponse(&callwright.Request{Model: "m"}, resp)
		if err != nil {
			t.Fatal(err)
		}
		return out, notes
	}
	e := to.NewStreamEncoder(&callwright.Request{Model: "m"})
	var out []byte
	for _, b := range batches {
		out = e.Encode(out, b)
	}
	return out, wire.LeftOut(e)
}

// rulesNoted has the rule of each note, as often as there is one.
func rulesNoted(notes []callwright.Note) (out []string) {
	for _, n := range notes {
		for range max(n.Count, 1) {
			out = append(out, n.Rule)
		}
	}
	return out
}

// A stream of the client's own wire from which the bytes of one batch were dropped is complete, or has one note of the rule. A complete stream
// has no note.
func TestNothingVanishesWhereBytesAreDropped(t *testing.T) {
	for _, m := range toldMembers {
		c, _ := codecs.Of(m.wire)
		_, stream := toldAnswer(m.wire, m.place, m.value, everyPiece)
		decoded := wiretest.Decode(c, strings.NewReader(stream))
		for i, b := range decoded.Batches {
			if b.Raw == nil || len(b.Events) == 0 || m.place == "choice" && isEnd(b.Events[len(b.Events)-1]) { // the end itself has no tokens
				continue
			}
			batches := slices.Clone(decoded.Batches)
			batches[i].Raw = nil
			out, notes := answerFor(t, c, nil, batches)
			var want []string
			if missing(stream, out) {
				want = []string{m.rule}
			}
			if got := rulesNoted(notes); !slices.Equal(got, want) {
				t.Errorf("%s, %s without the bytes of batch %d: notes: %q, expected %q\n%s", m.wire, m.value, i, got, want, out)
			}
		}
	}
}

func isEnd(ev callwright.Event) bool {
	_, is := ev.(callwright.End)
	return is
}

// The sources of a message stand for its words where a stream is written anew as one text, also behind those of another message.
func TestSourcesOfFurtherMessages(t *testing.T) {
	c, _ := codecs.Of(callwright.WireResponses)
	source := func(from, to int, words string) string {
		return object(`"type":"url_citation","start_index":%d,"end_index":%d,"url":%q,"title":"T"`, from, to, words)
	}
	var stream []byte
	var items []string
	for n, m := range []struct{ text, sources string }{{"é one", ""}, {"two", source(1, 3, "wo")}, {" ☃three", source(1, 2, "☃") + "," + source(2, 7, "three")}} {
		item := object(`"id":"msg_%d","type":"message","role":"assistant","status":"completed","content":[{"type":"output_text","text":%q,"annotations":[%s],"logprobs":[]}]`, n, m.text, m.sources)
		stream = fmt.Appendf(stream, "data: %s\n\n", object(`"type":"response.output_item.added","output_index":%d,"item":{"id":"msg_%d","type":"message","role":"assistant","content":[]}`, n, n))
		stream = fmt.Appendf(stream, "data: %s\n\n", object(`"type":"response.output_text.delta","item_id":"msg_%d","output_index":%d,"content_index":0,"delta":%q`, n, n, m.text))
		stream = fmt.Appendf(stream, "data: %s\n\n", object(`"type":"response.output_item.done","output_index":%d,"item":%s`, n, item))
		items = append(items, item)
	}
	stream = fmt.Appendf(stream, "data: %s\n\n", object(`"type":"response.completed","response":{"id":"resp_c","object":"response","model":"m","status":"completed","output":[%s]}`, join(items)))
	pieces := wiretest.Decode(c, bytes.NewReader(stream)).Events
	var all callwright.Collector
	for _, ev := range pieces {
		all.Add(ev)
	}
	for form, body := range map[string][]byte{"streamed": streamed(t, c, pieces), "whole": encoded(t, c, all.Response())} {
		words, list := readAnnotated(t, body)
		if words != "é onetwo ☃three" || !slices.Equal(list, []found{{"wo", "wo"}, {"☃", "☃"}, {"three", "three"}}) {
			t.Errorf("%s: got %q with %q", form, words, list)
		}
	}
}

// What comes in many pieces is one loss and leaves room for the notes on others.
func TestLossesInManyPiecesAreOneNote(t *testing.T) {
	from, _ := codecs.Of(callwright.WireOpenAI)
	var stream []byte
	chunk := func(format string, args ...any) {
		stream = fmt.Appendf(stream, "data: %s\n\n", object(`"id":"c","model":"m","choices":[{"index":0,`+format+`}]`, args...))
	}
	const n = 1000
	for i := range n {
		chunk(`"delta":{"audio":{"id":"audio_1","data":"%d"}}`, i)
	}
	chunk(`"delta":{"content":"a"},"logprobs":{"content":[{"token":"a"}]}`)
	chunk(`"delta":{},"finish_reason":"stop"`)
	decoded := wiretest.Decode(from, bytes.NewReader(stream))
	for _, to := range codecs.All() {
		_, notes := answerFor(t, to, nil, unbroken(decoded.Events))
		if to == from { // which has the audio
			notes = append([]callwright.Note{{Rule: "response.opaque", Count: n}}, notes...)
		}
		if len(notes) != 2 || notes[0].Rule != "response.opaque" || notes[0].Count != n || notes[1].Rule != "response.logprobs" {
			t.Errorf("%s: %+v", to.Name(), notes)
		}
	}
}
