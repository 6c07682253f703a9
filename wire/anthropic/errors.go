package anthropic

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/wire/internal/kit"
)

// errorTypes maps this API's error types and statuses to kinds. An error is read by its type, then by its status; it is
// written with the first type of its kind, or else of its status.
var errorTypes = []struct {
	name   string
	status int
	kind   callwright.Kind
}{
	{"invalid_request_error", 400, callwright.KindInvalid},
	{"authentication_error", 401, callwright.KindAuth},
	{"billing_error", 402, callwright.KindBilling},
	{"permission_error", 403, callwright.KindPermission},
	{"not_found_error", 404, callwright.KindNotFound},
	{"conflict_error", 409, callwright.KindConflict},
	{"request_too_large", 413, callwright.KindTooLarge},
	{"rate_limit_error", 429, callwright.KindRateLimited},
	{"timeout_error", 504, callwright.KindTimeout},
	{"overloaded_error", 529, callwright.KindOverloaded},
	{"api_error", 500, callwright.KindServer},
	{"timeout_error", 408, callwright.KindTimeout},
	{"invalid_request_error", 415, callwright.KindMediaType},
	{"invalid_request_error", 422, callwright.KindInvalid},
	{"overloaded_error", 503, callwright.KindOverloaded},
}

// phrases maps what providers say in a 400 to a kind and a feature. It is the only place where message text decides. A row
// fits when the message, in lower case, has all its words.
var phrases = []struct {
	words   []string
	kind    callwright.Kind
	feature callwright.Feature
}{
	{[]string{"prompt is too long"}, callwright.KindContextLength, ""},
	{[]string{"exceed context limit"}, callwright.KindContextLength, ""},
	{[]string{"exceeds the context window"}, callwright.KindContextLength, ""},
	{[]string{"tool_choice forces tool use"}, callwright.KindUnsupported, callwright.FeatureForcedChoice},
	{[]string{"thinking may not be enabled when tool_choice"}, callwright.KindUnsupported, callwright.FeatureForcedChoice},
	{[]string{"does not support this tool_choice"}, callwright.KindUnsupported, callwright.FeatureForcedChoice},
	{[]string{"does not support assistant message prefill"}, callwright.KindUnsupported, callwright.FeaturePrefill},
	{[]string{"must end with a user message"}, callwright.KindUnsupported, callwright.FeaturePrefill},
	{[]string{"disable_parallel_tool_use", "not supported"}, callwright.KindUnsupported, callwright.FeatureParallel},
	{[]string{"adaptive thinking is not supported"}, callwright.KindUnsupported, callwright.FeatureField + "thinking"},
	{[]string{"thinking.type", "not supported"}, callwright.KindUnsupported, callwright.FeatureField + "thinking"},
	{[]string{"does not support thinking"}, callwright.KindUnsupported, callwright.FeatureField + "thinking"},
	{[]string{"does not support effort"}, callwright.KindUnsupported, callwright.FeatureField + "output_config.effort"},
	{[]string{"effort parameter"}, callwright.KindUnsupported, callwright.FeatureField + "output_config.effort"},
	{[]string{"does not support", "tool use"}, callwright.KindUnsupported, callwright.FeatureTools},
	{[]string{"does not support tools"}, callwright.KindUnsupported, callwright.FeatureTools},
	{[]string{"tool_search_tool_", "expected tags"}, callwright.KindUnsupported, callwright.FeatureDeferredLoading},
	{[]string{"tool_search_tool_", "not support"}, callwright.KindUnsupported, callwright.FeatureDeferredLoading},
	{[]string{"does not support", "tool search"}, callwright.KindUnsupported, callwright.FeatureDeferredLoading},
	{[]string{"tools are not supported"}, callwright.KindUnsupported, callwright.FeatureTools},
	{[]string{"output_config.format", "not supported"}, callwright.KindUnsupported, callwright.FeatureResponseFormat},
	{[]string{"does not support", "structured output"}, callwright.KindUnsupported, callwright.FeatureResponseFormat},
	{[]string{"does not support output format"}, callwright.KindUnsupported, callwright.FeatureResponseFormat},
	{[]string{"compiled grammar is too large"}, callwright.KindUnsupported, callwright.FeatureStrict},
	{[]string{"unexpected empty grammar stack"}, callwright.KindUnsupported, callwright.FeatureGrammar},
	{[]string{"too many optional parameters"}, callwright.KindUnsupported, callwright.FeatureStrict},
	{[]string{"too many strict tools"}, callwright.KindUnsupported, callwright.FeatureStrict},
	{[]string{"input_schema", "field required"}, callwright.KindUnsupported, callwright.FeatureToolParameters},
	{[]string{"must define tools"}, callwright.KindUnsupported, callwright.FeatureToolsForCalls},
	{[]string{"role 'system' is not supported"}, callwright.KindUnsupported, callwright.FeatureSystemMessages},
	{[]string{"temperature", "top_p", "cannot both be specified"}, callwright.KindUnsupported, callwright.FeatureField + "top_p"},
	{[]string{"temperature", "is deprecated"}, callwright.KindUnsupported, callwright.FeatureField + "temperature"},
	{[]string{"temperature", "not supported"}, callwright.KindUnsupported, callwright.FeatureField + "temperature"},
	{[]string{"top_p", "is deprecated"}, callwright.KindUnsupported, callwright.FeatureField + "top_p"},
	{[]string{"top_p", "not supported"}, callwright.KindUnsupported, callwright.FeatureField + "top_p"},
	{[]string{"top_k", "is deprecated"}, callwright.KindUnsupported, callwright.FeatureField + "top_k"},
	{[]string{"top_k", "not supported"}, callwright.KindUnsupported, callwright.FeatureField + "top_k"},
	{[]string{"temperature", "may only be set to 1"}, callwright.KindUnsupported, callwright.FeatureField + "temperature"},
	{[]string{"credit balance is too low"}, callwright.KindBilling, ""},
	{[]string{"content filtering policy"}, callwright.KindContentFilter, ""},
}

// extraInputs is how this API names a member it does not know: "tools.0.custom.strict: Extra inputs are not permitted".
const extraInputs = "extra inputs are not permitted"

// DecodeError reads an answer whose status is no 2xx.
func (Codec) DecodeError(status int, header http.Header, body []byte) *callwright.Error {
	return decodeError(status, header, body)
}

// decodeError reads an error. The status is 0 for one inside an answer of 200.
func decodeError(status int, header http.Header, body []byte) *callwright.Error {
	e := &callwright.Error{Op: "anthropic", Status: status, Body: kit.ErrorBody(body), NoRetry: header.Get("x-should-retry") == "false"}
	e.Code, e.Message = errorOf(body)
	e.Kind = kindOf(e.Code, status)
	if kind := ownKind(body); kind != "" {
		e.Kind = kind
	}
	if e.Message == "" {
		e.Message = strings.TrimSpace(http.StatusText(status) + " " + callwright.Excerpt(strings.TrimSpace(string(e.Body))))
	}
	switch e.Kind {
	case callwright.KindInvalid, callwright.KindUnsupported, callwright.KindServer:
		classify(e)
	}
	e.RetryAfter = retryAfter(header)
	return e
}

// errorOf is the type and the message of an error body: this API's own, or that of a server between.
func errorOf(body []byte) (kind, message string) {
	if jsonx.Valid(body) != nil {
		return "", ""
	}
	v, ok := jsonx.Find(body, "error")
	if !ok {
		v = body
	}
	if jsonx.KindOf(v) == jsonx.Text {
		return "", jsonx.TextOf(v)
	}
	member := func(name string) string {
		m, _ := jsonx.Find(v, name)
		s, _ := jsonx.String(m)
		return s
	}
	if kind = member("type"); kind == "" {
		kind = member("code")
	}
	return kind, member("message")
}

// ownKind is the kind that EncodeError wrote, where the server is of our make; "" otherwise.
func ownKind(body []byte) callwright.Kind {
	if jsonx.Valid(body) != nil {
		return ""
	}
	code, _ := jsonx.Lookup(body, "error", "details", "error_code")
	if kind := callwright.Kind(jsonx.TextBytes(code)); kind.Status() != 0 {
		return kind
	}
	return ""
}

func kindOf(name string, status int) callwright.Kind {
	for _, row := range errorTypes {
		if row.name == name && name != "invalid_request_error" {
			return row.kind
		}
	}
	for _, row := range errorTypes {
		if row.status == status {
			return row.kind
		}
	}
	switch {
	case name == "invalid_request_error", status >= 400 && status < 500:
		return callwright.KindInvalid
	}
	return callwright.KindServer
}

// classify makes the kind of an invalid request more exact by what the message says.
func classify(e *callwright.Error) {
	message := strings.ToLower(e.Message)
	if at := strings.Index(message, extraInputs); at >= 0 {
		if name := unknownMember(e.Message, at); name == "tools.*.defer_loading" {
			e.Kind, e.Feature = callwright.KindUnsupported, callwright.FeatureDeferredLoading
			return
		} else if name != "" {
			e.Kind, e.Feature = callwright.KindUnsupported, callwright.FeatureField+callwright.Feature(name)
			return
		}
	}
	for _, row := range phrases {
		if kit.SaysAll(message, row.words) {
			e.Kind, e.Feature = row.kind, row.feature
			return
		}
	}
	if tool := kit.RefusedTool(e.Message); tool != "" && e.Kind == callwright.KindInvalid && saysSchema(message) {
		e.Kind, e.Feature = callwright.KindSchema, tool
	}
}

// saysSchema reports whether a message that names a tool is about its schema, and not about another member.
func saysSchema(message string) bool {
	return strings.Contains(message, "schema") || strings.Contains(message, "additionalproperties") || strings.Contains(message, "keyword")
}

// unknownMember is the member that a message about extra inputs names, by a path before it or after "field:", as the path
// of an Edit with dots: "*" in place of numbers, and without the block types that this API puts after them.
func unknownMember(message string, at int) string {
	path := strings.TrimRight(message[:at], ": ")
	if _, after, ok := strings.Cut(message[at:], "field:"); ok {
		path = strings.TrimSpace(after)
	}
	if i := strings.LastIndexAny(path, " \n\t"); i >= 0 {
		path = path[i+1:]
	}
	steps := strings.FieldsFunc(path, func(r rune) bool { return strings.ContainsRune(".[]'\"`,;(){}", r) })
	kept := steps[:0]
	for i, s := range steps {
		_, err := strconv.Atoi(s)
		switch {
		case err == nil:
			kept = append(kept, "*")
		case i+1 < len(steps) && len(kept) > 0 && kept[len(kept)-1] == "*" && slices.Contains(pathTypes, s):
		default:
			kept = append(kept, s)
		}
	}
	return strings.Join(kept, ".")
}

// pathTypes are the types that stand in paths after the number of the element that has them.
var pathTypes = []string{
	"custom", "text", "image", "document", "tool_use", "tool_result", "thinking", "redacted_thinking", "server_tool_use", "search_result",
}

// retryAfter is how long the provider asks to wait. The resets of its limits count only where it said nothing else.
func retryAfter(h http.Header) time.Duration {
	if wait, ok := kit.RetryAfter(h); ok {
		return wait
	}
	var wait time.Duration
	for _, of := range []string{"requests", "tokens", "input-tokens", "output-tokens"} {
		if h.Get("anthropic-ratelimit-"+of+"-remaining") != "0" {
			continue
		}
		if t, err := time.Parse(time.RFC3339, h.Get("anthropic-ratelimit-"+of+"-reset")); err == nil {
			wait = max(wait, kit.BoundWait(t.Sub(kit.DateOf(h))))
		}
	}
	return wait
}

// EncodeError is the error in this API's shape. The kind is error.details.error_code; overload is 529, for which this
// API's clients look.
func (Codec) EncodeError(err *callwright.Error) (status int, header http.Header, body []byte) {
	status = err.HTTPStatus()
	if err.Kind == callwright.KindOverloaded {
		status = 529
	}
	header = http.Header{}
	if err.RetryAfter > 0 {
		header.Set("retry-after-ms", strconv.FormatInt(err.RetryAfter.Milliseconds(), 10))
		header.Set("retry-after", strconv.Itoa(kit.Seconds(err.RetryAfter)))
	}
	if err.NoRetry || !err.Kind.Transient() {
		header.Set("x-should-retry", "false")
	}
	return status, header, appendError(nil, err, status)
}

func appendError(dst []byte, err *callwright.Error, status int) []byte {
	o := open(dst)
	o.Text("type", "error")
	o.Open("error", '{')
	o.Text("type", errorType(err.Kind, status))
	o.Text("message", kit.PlacedErrorText(err))
	o.Open("details", '{')
	o.Text("error_code", string(err.Kind))
	o.Buf = append(o.Buf, "}}"...)
	if err.Report != nil && err.Report.ID != "" {
		o.Text("request_id", err.Report.ID)
	}
	return o.close()
}

func errorType(kind callwright.Kind, status int) string {
	for _, row := range errorTypes {
		if row.kind == kind {
			return row.name
		}
	}
	for _, row := range errorTypes {
		if row.status == status {
			return row.name
		}
	}
	if status >= 400 && status < 500 {
		return "invalid_request_error"
	}
	return "api_error"
}
