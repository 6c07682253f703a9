package codecs_test

import (
	"bytes"
	"cmp"
	"encoding/json"
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/wire"
	"github.com/callwright/callwright/sse"
)

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
