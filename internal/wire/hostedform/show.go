package hostedform

import (
	"encoding/base64"
	"encoding/json"
	"slices"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
)

// An Outcome is a call of a hosted tool that the gateway ran, and its result.
type Outcome struct {
	Call   callwright.Call
	ID     string     // call id in the response for the client
	Text   string     // output of the tool
	Failed bool       // the tool failed
	Before []*Outcome // earlier calls of the same kind in this response
}

// Parts returns opaque parts that show the call and its result to a client of the API wire. It returns nil if that API
// cannot show them.
func (o *Outcome) Parts(k *Kind, wire callwright.WireName) []callwright.Part {
	show := k.show[wire]
	if show == nil {
		return nil
	}
	if wire == callwright.WireOpenAI { // its sources are converted from the Responses format
		wire = callwright.WireResponses
	}
	var out []callwright.Part
	for _, block := range show(o) {
		out = append(out, callwright.Opaque{Extra: callwright.Extra{Wire: wire, JSON: []byte(block)}})
	}
	return out
}

// textMark is the prefix of the text that replaces encrypted_content, which only Anthropic can create. The client sends
// the text back with its next request, so that the model gets the result again.
const textMark = "callwright.text."

func encodeText(text string) string {
	return textMark + base64.StdEncoding.EncodeToString([]byte(text))
}

// decodeText returns the text that encodeText encoded. ok is false for other strings.
func decodeText(s string) (string, bool) {
	rest, ok := strings.CutPrefix(s, textMark)
	if !ok {
		return "", false
	}
	text, err := base64.StdEncoding.DecodeString(rest)
	return string(text), err == nil
}

// compact returns v as JSON. It returns "null" if v cannot be encoded, which does not occur in this package.
func compact(v any) string {
	out, err := jsonx.Marshal(v)
	if err != nil {
		return "null"
	}
	return string(out)
}

// Arguments returns the arguments of the call as a JSON object. It is empty if the call has no valid arguments.
func (o *Outcome) Arguments() json.RawMessage {
	if !jsonx.ValidObject(o.Call.Arguments) {
		return json.RawMessage("{}")
	}
	return o.Call.Arguments
}

// argument returns the first string among the arguments called names, otherwise the first string of all arguments, ""
// if there is none.
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

// A source is a web page in the output of a search tool.
type source struct{ URL, Title string }

// sourcesMost is the greatest number of pages that a client is shown for one web search.
const sourcesMost = 20

// sources returns the pages in the tool's output: objects with members url (or link, uri) and title if it is JSON,
// otherwise the URLs in the text.
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

// sourceDepth is the greatest nesting depth of objects and lists that are searched for pages.
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

// use returns a server_tool_use block of Anthropic's API: the call of the tool called name with the arguments input.
func (o *Outcome) use(name string, input any) string {
	return compact(struct {
		Type  string `json:"type"`
		ID    string `json:"id"`
		Name  string `json:"name"`
		Input any    `json:"input"`
	}{"server_tool_use", o.ID, name, input})
}

// result returns the result block of Anthropic's API. kind is its type. If the call failed, the block has an error
// object in place of content.
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

// A found is a page in a web_search_tool_result block. The first page has the whole output of the tool as its Content.
type found struct {
	Type    string  `json:"type"`
	URL     string  `json:"url"`
	Title   string  `json:"title"`
	Content string  `json:"encrypted_content"`
	Age     *string `json:"page_age"`
}

// searchBlocks returns the blocks of a web search in Anthropic's API.
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

// fetchBlocks returns the blocks of a web fetch in Anthropic's API.
// https://platform.claude.com/docs/en/agents-and-tools/tool-use/web-fetch-tool
func fetchBlocks(o *Outcome) []string {
	url := o.argument("url", "uri")
	return []string{o.use(WebFetch, map[string]string{"url": url}), o.result("web_fetch_tool_result", map[string]any{
		"type": "web_fetch_result", "url": url, "retrieved_at": nil,
		"content": map[string]any{"type": "document", "title": url,
			"source": map[string]string{"type": "text", "media_type": "text/plain", "data": o.Text}},
	})}
}

// codeBlocks returns the blocks of a code execution in Anthropic's API.
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

// searchItem returns a web search as a web_search_call item of the Responses API.
// https://developers.openai.com/api/docs/guides/tools-web-search
func searchItem(o *Outcome) []string {
	sources := []map[string]string{}
	for _, s := range o.sources() {
		sources = append(sources, map[string]string{"type": "url", "url": s.URL})
	}
	return []string{compact(map[string]any{"type": "web_search_call", "id": "ws_" + o.ID, "status": o.status(),
		"action": map[string]any{"type": "search", "query": o.argument("query", "q"), "sources": sources}})}
}

// searchSources returns the pages as url_citation annotations for Chat Completions. They cover an empty range, since it
// is unknown which text comes from which page.
func searchSources(o *Outcome) []string {
	list := []any{}
	for _, s := range o.sources() {
		list = append(list, map[string]any{"type": "url_citation", "url": s.URL, "title": s.Title, "start_index": 0, "end_index": 0})
	}
	return []string{compact(map[string]any{"annotations": list})}
}

// codeItem returns a code execution as a code_interpreter_call item of the Responses API.
// https://developers.openai.com/api/docs/guides/tools-code-interpreter
func codeItem(o *Outcome) []string {
	return []string{compact(map[string]any{"type": "code_interpreter_call", "id": "ci_" + o.ID, "status": o.status(),
		"code":         o.argument("code"),
		"container_id": "none", "outputs": []any{map[string]string{"type": "logs", "logs": o.Text}}})}
}

// all returns the calls of this kind up to and including o. Gemini's API shows them together in one member of the
// candidate.
func (o *Outcome) all() []*Outcome { return append(slices.Clone(o.Before), o) }

// candidate returns a JSON object that sets a member of the candidate in Gemini's API to v:
// {"candidate":{"groundingMetadata":{}}}.
func candidate(member string, v any) []string {
	return []string{compact(map[string]any{"candidate": map[string]any{member: v}})}
}

// searchGrounding returns the member groundingMetadata of Gemini's API for all web searches up to o.
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

// fetchedPages returns the member urlContextMetadata of Gemini's API for all web fetches up to o.
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

// codeParts returns the parts of a code execution in Gemini's API. https://ai.google.dev/gemini-api/docs/code-execution
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
