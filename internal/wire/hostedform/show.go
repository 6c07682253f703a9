package hostedform

import (
	"encoding/base64"
	"encoding/json"
	"slices"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
)

// An Outcome is a call that was run.
type Outcome struct {
	Call   callwright.Call
	ID     string // as the client is shown it
	Text   string
	Failed bool
	Before []*Outcome // of the same kind, in this turn
}

// Parts returns the parts that show the outcome to a client, in the form of its API. An API without a form has none.
func (o *Outcome) Parts(k *Kind, wire callwright.WireName) []callwright.Part {
	show := k.show[wire]
	if show == nil {
		return nil
	}
	if wire == callwright.WireOpenAI { // whose sources travel as those of Responses, of which they are a part
		wire = callwright.WireResponses
	}
	var out []callwright.Part
	for _, block := range show(o) {
		out = append(out, callwright.Opaque{Extra: callwright.Extra{Wire: wire, JSON: []byte(block)}})
	}
	return out
}

// textMark begins a text of ours where Anthropic's API has one that only it can read. The client sends it back, and the
// model gets the result again.
const textMark = "callwright.text."

func encodeText(text string) string {
	return textMark + base64.StdEncoding.EncodeToString([]byte(text))
}

// decodeText returns the text that sealed made.
func decodeText(s string) (string, bool) {
	rest, ok := strings.CutPrefix(s, textMark)
	if !ok {
		return "", false
	}
	text, err := base64.StdEncoding.DecodeString(rest)
	return string(text), err == nil
}

// compact is v as JSON. Values of this package have nothing that cannot be written.
func compact(v any) string {
	out, err := jsonx.Marshal(v)
	if err != nil {
		return "null"
	}
	return string(out)
}

// Arguments are those of the call, an empty object where there are none.
func (o *Outcome) Arguments() json.RawMessage {
	if !jsonx.ValidObject(o.Call.Arguments) {
		return json.RawMessage("{}")
	}
	return o.Call.Arguments
}

// argument is the first of the arguments of these names that is a text, else the first text of all.
func (o *Outcome) argument(names ...string) string {
	first := ""
	for k, v := range jsonx.Members(o.Arguments()) {
		s, ok := jsonx.String(v)
		if !ok {
			continue
		}
		for _, name := range names {
			if k.Is(name) {
				return s
			}
		}
		if first == "" {
			first = s
		}
	}
	return first
}

// A source is a page that a search has found.
type source struct{ URL, Title string }

// sourcesMost bounds the pages that a client is shown of one search.
const sourcesMost = 20

// sources are the pages in a tool's output: members url (or link, uri) and title of its JSON, or the addresses in its
// text.
func (o *Outcome) sources() []source {
	var out []source
	if v := jsonx.Trim([]byte(o.Text)); jsonx.Valid(v) == nil {
		out = sourcesIn(v, nil, 0)
	}
	if len(out) > 0 {
		return out
	}
	for word := range strings.FieldsSeq(o.Text) {
		if len(out) == sourcesMost {
			break
		}
		for _, scheme := range [...]string{"https://", "http://"} {
			if at := strings.Index(word, scheme); at >= 0 {
				if url := strings.TrimRight(word[at:], `.,;:!?)]}>"'`); len(url) > len(scheme) {
					out = append(out, source{URL: url, Title: url})
				}
				break
			}
		}
	}
	return out
}

// sourceDepth bounds how deep pages are looked for.
const sourceDepth = 6

func sourcesIn(v []byte, out []source, depth int) []source {
	if depth == sourceDepth || len(out) >= sourcesMost {
		return out
	}
	var s source
	for k, m := range jsonx.Members(v) {
		text, isText := jsonx.String(m)
		switch {
		case isText && (k.Is("url") || k.Is("link") || k.Is("uri")):
			s.URL = text
		case isText && k.Is("title"):
			s.Title = text
		case !isText:
			out = sourcesIn(m, out, depth+1)
		}
	}
	for e := range jsonx.Elements(v) {
		out = sourcesIn(e, out, depth+1)
	}
	if s.URL == "" || len(out) >= sourcesMost {
		return out
	}
	if s.Title == "" {
		s.Title = s.URL
	}
	return append(out, s)
}

// use is the block of a call in Anthropic's API.
func (o *Outcome) use(name string, input any) string {
	return compact(struct {
		Type  string `json:"type"`
		ID    string `json:"id"`
		Name  string `json:"name"`
		Input any    `json:"input"`
	}{"server_tool_use", o.ID, name, input})
}

// result is the block of its outcome.
func (o *Outcome) result(kind string, content any) string {
	if o.Failed {
		content = map[string]any{"type": kind + "_error", "error_code": "unavailable"}
	}
	return compact(struct {
		Type    string `json:"type"`
		ID      string `json:"tool_use_id"`
		Content any    `json:"content"`
	}{kind, o.ID, content})
}

// A found is a page in the result of a search. The text of all stands in the first.
type found struct {
	Type    string  `json:"type"`
	URL     string  `json:"url"`
	Title   string  `json:"title"`
	Content string  `json:"encrypted_content"`
	Age     *string `json:"page_age"`
}

// https://platform.claude.com/docs/en/agents-and-tools/tool-use/web-search-tool
func searchBlocks(o *Outcome) []string {
	pages := []found{}
	for _, s := range o.sources() {
		pages = append(pages, found{Type: "web_search_result", URL: s.URL, Title: s.Title})
	}
	if len(pages) == 0 {
		pages = append(pages, found{Type: "web_search_result", Title: "Results"})
	}
	pages[0].Content = encodeText(o.Text)
	return []string{o.use(WebSearch, map[string]string{"query": o.argument("query", "q")}), o.result("web_search_tool_result", pages)}
}

// https://platform.claude.com/docs/en/agents-and-tools/tool-use/web-fetch-tool
func fetchBlocks(o *Outcome) []string {
	url := o.argument("url", "uri")
	return []string{o.use(WebFetch, map[string]string{"url": url}), o.result("web_fetch_tool_result", map[string]any{
		"type": "web_fetch_result", "url": url, "retrieved_at": nil,
		"content": map[string]any{"type": "document", "title": url,
			"source": map[string]string{"type": "text", "media_type": "text/plain", "data": o.Text}},
	})}
}

// https://platform.claude.com/docs/en/agents-and-tools/tool-use/code-execution-tool
func codeBlocks(o *Outcome) []string {
	return []string{o.use("code_execution", map[string]string{"code": o.argument("code")}),
		o.result("code_execution_tool_result", map[string]any{
			"type": "code_execution_result", "stdout": o.Text, "stderr": "", "return_code": 0, "content": []any{},
		})}
}

func (o *Outcome) status() string {
	if o.Failed {
		return "failed"
	}
	return "completed"
}

// https://developers.openai.com/api/docs/guides/tools-web-search
func searchItem(o *Outcome) []string {
	sources := []map[string]string{}
	for _, s := range o.sources() {
		sources = append(sources, map[string]string{"type": "url", "url": s.URL})
	}
	return []string{compact(map[string]any{"type": "web_search_call", "id": "ws_" + o.ID, "status": o.status(),
		"action": map[string]any{"type": "search", "query": o.argument("query", "q"), "sources": sources}})}
}

// searchSources are the pages as sources of the answer, before it: nobody knows which words come from which.
func searchSources(o *Outcome) []string {
	list := []any{}
	for _, s := range o.sources() {
		list = append(list, map[string]any{"type": "url_citation", "url": s.URL, "title": s.Title, "start_index": 0, "end_index": 0})
	}
	return []string{compact(map[string]any{"annotations": list})}
}

// https://developers.openai.com/api/docs/guides/tools-code-interpreter
func codeItem(o *Outcome) []string {
	return []string{compact(map[string]any{"type": "code_interpreter_call", "id": "ci_" + o.ID, "status": o.status(),
		"code":         o.argument("code"),
		"container_id": "none", "outputs": []any{map[string]string{"type": "logs", "logs": o.Text}}})}
}

// all are the outcomes of the kind up to this one: Gemini's clients are shown them together, as members of the
// candidate.
func (o *Outcome) all() []*Outcome { return append(slices.Clone(o.Before), o) }

// candidate is a part that stands for members of a candidate.
func candidate(member string, v any) []string {
	return []string{compact(map[string]any{"candidate": map[string]any{member: v}})}
}

// https://ai.google.dev/gemini-api/docs/google-search
func searchGrounding(o *Outcome) []string {
	queries, chunks := []string{}, []any{}
	for _, o := range o.all() {
		queries = append(queries, o.argument("query", "q"))
		for _, s := range o.sources() {
			chunks = append(chunks, map[string]any{"web": map[string]string{"uri": s.URL, "title": s.Title}})
		}
	}
	return candidate("groundingMetadata", map[string]any{"webSearchQueries": queries, "groundingChunks": chunks})
}

// https://ai.google.dev/gemini-api/docs/url-context
func fetchedPages(o *Outcome) []string {
	pages := []any{}
	for _, o := range o.all() {
		status := "URL_RETRIEVAL_STATUS_SUCCESS"
		if o.Failed {
			status = "URL_RETRIEVAL_STATUS_ERROR"
		}
		pages = append(pages, map[string]string{"retrievedUrl": o.argument("url", "uri"), "urlRetrievalStatus": status})
	}
	return candidate("urlContextMetadata", map[string]any{"urlMetadata": pages})
}

// https://ai.google.dev/gemini-api/docs/code-execution
func codeParts(o *Outcome) []string {
	result := "OUTCOME_OK"
	if o.Failed {
		result = "OUTCOME_FAILED"
	}
	return []string{
		compact(map[string]any{"executableCode": map[string]string{"language": "PYTHON", "code": o.argument("code")}}),
		compact(map[string]any{"codeExecutionResult": map[string]string{"outcome": result, "output": o.Text}}),
	}
}
