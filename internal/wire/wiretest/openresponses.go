package wiretest

import (
	"encoding/json"
	"strings"
)

// openResponses has the objects of the published schema of Open Responses: for each kind of object its members and
// their types. The objects of a family, such as item, differ by their member type: item/message is an item whose type
// is message.
//
// A member with a question mark is optional. A type is a list of alternatives separated by bars: [kind] is a list,
// null, any, text, number, int and bool are JSON types, a quoted word is a constant, and any other word is a kind of
// object. If versions of the schema differ, the row has the strictest one. Sources:
// https://github.com/openresponses/openresponses/blob/main/public/openapi/openapi.json, and the Zod schemas beside it,
// by which its compliance suite validates.
var openResponses = map[string]string{
	"response": `id:text object:"response" created_at:int completed_at:int|null status:text incomplete_details:incomplete|null model:text
		previous_response_id:text|null instructions:text|null output:[item] error:error|null tools:[tool] tool_choice:"none"|"auto"|"required"|choice
		truncation:"auto"|"disabled" parallel_tool_calls:bool text:format_of_text top_p:number presence_penalty:number frequency_penalty:number
		top_logprobs:int temperature:number reasoning:reasoning|null user:text|null usage:usage|null max_output_tokens:int|null max_tool_calls:int|null
		store:bool background:bool service_tier:text metadata:any safety_identifier:text|null prompt_cache_key:text|null`,
	"incomplete":     `reason:text`,
	"error":          `code:text message:text`,
	"format_of_text": `format:format verbosity?:"low"|"medium"|"high"`,
	"reasoning":      `effort:"none"|"minimal"|"low"|"medium"|"high"|"xhigh"|null summary:"concise"|"detailed"|"auto"|null`,
	"usage": `input_tokens:int output_tokens:int total_tokens:int input_tokens_details:input_details
		output_tokens_details:output_details`,
	"input_details":  `cached_tokens:int`,
	"output_details": `reasoning_tokens:int`,

	"format/text": ``, "format/json_object": ``,
	"format/json_schema": `name:text description:text|null schema:any strict:bool`,

	"choice/function": `name?:text`, "choice/allowed_tools": `tools:[choice] mode:"none"|"auto"|"required"`,

	"tool/function": `name:text description:text|null parameters:any strict:bool|null`,

	"item/message":              `id:text status:` + openStatuses + ` role:"assistant" content:[part]`,
	"item/function_call":        `id:text call_id:text name:text arguments:text status:` + openStatuses,
	"item/function_call_output": `id:text call_id:text output:any status:` + openStatuses,
	"item/reasoning":            `id:text summary:[part] content?:[part] encrypted_content?:text`,
	"item/compaction":           `id:text encrypted_content:text`,

	"part/output_text": `text:text annotations:[annotation] logprobs:[any]`,
	"part/refusal":     `refusal:text`, "part/summary_text": `text:text`, "part/reasoning_text": `text:text`,

	"annotation/url_citation": `url:text start_index:int end_index:int title:text`,

	"event/response.created": openObject, "event/response.queued": openObject, "event/response.in_progress": openObject,
	"event/response.completed": openObject, "event/response.failed": openObject, "event/response.incomplete": openObject,
	"event/response.output_item.added": openItem + ` item:item`, "event/response.output_item.done": openItem + ` item:item`,
	"event/response.content_part.added": openPart + ` part:part`, "event/response.content_part.done": openPart + ` part:part`,
	"event/response.output_text.delta": openPart + ` delta:text logprobs:[any]`,
	"event/response.output_text.done":  openPart + ` text:text logprobs:[any]`,
	"event/response.refusal.delta":     openPart + ` delta:text`, "event/response.refusal.done": openPart + ` refusal:text`,
	"event/response.reasoning.delta": openPart + ` delta:text`, "event/response.reasoning.done": openPart + ` text:text`,
	"event/response.function_call_arguments.delta": openOfItem + ` delta:text`,
	"event/response.function_call_arguments.done":  openOfItem + ` arguments:text`,
	"event/response.reasoning_summary_part.added":  openSummary + ` part:part`,
	"event/response.reasoning_summary_part.done":   openSummary + ` part:part`,
	"event/response.reasoning_summary_text.delta":  openSummary + ` delta:text`,
	"event/response.reasoning_summary_text.done":   openSummary + ` text:text`,
	"event/response.output_text.annotation.added":  openPart + ` annotation_index:int annotation:annotation|null`,
	"event/error": `sequence_number:int error:payload`,
	"payload":     `type:text code:text|null message:text param:text|null`,
}

// Members that several rows of openResponses share.
const (
	openStatuses = `"in_progress"|"completed"|"incomplete"`
	openObject   = `sequence_number:int response:response`
	openItem     = `sequence_number:int output_index:int`
	openOfItem   = openItem + ` item_id:text`
	openPart     = openOfItem + ` content_index:int`
	openSummary  = openOfItem + ` summary_index:int`
)

// OpenResponsesComplaints returns a description of each place where a response object violates the published schema of
// Open Responses.
func OpenResponsesComplaints(object []byte) []string { return openComplaints("response", object) }

// OpenResponsesEventComplaints returns a description of each place where the data of a stream event violates the
// published schema of Open Responses.
func OpenResponsesEventComplaints(data []byte) []string { return openComplaints("event", data) }

func openComplaints(kind string, text []byte) []string {
	c := &complainer{}
	c.parse(kind, text).fits(kind)
	return c.found
}

// fits complains if the value has none of the types, which are separated by bars.
func (n node) fits(types string) {
	for kind := range strings.SplitSeq(types, "|") {
		if n.fitsOne(kind) {
			return
		}
	}
	n.c.say("%s: expected %s, got %v", n.path, types, n.v)
}

// fitsOne reports whether the value is of the type kind. It complains about wrong elements of a list and wrong members
// of an object.
func (n node) fitsOne(kind string) (ok bool) {
	switch {
	case kind == "any":
		return true
	case kind == "null":
		return n.v == nil
	case kind == "text":
		_, ok = n.v.(string)
		return ok
	case kind == "bool":
		_, ok = n.v.(bool)
		return ok
	case kind == "number", kind == "int":
		number, is := n.v.(json.Number)
		_, err := number.Int64()
		return is && (kind == "number" || err == nil)
	case kind[0] == '"':
		return n.v == strings.Trim(kind, `"`)
	case kind[0] == '[':
		if _, ok = n.v.([]any); ok {
			for _, element := range n.list() {
				element.fits(strings.Trim(kind, "[]"))
			}
		}
		return ok
	}
	if _, ok = n.v.(map[string]any); ok {
		n.hasMembers(kind)
	}
	return ok
}

// hasMembers complains about missing members of an object of the given kind, and about members of the wrong type.
func (n node) hasMembers(kind string) {
	row, known := openResponses[kind]
	if !known {
		kind += "/" + n.word("type")
		row, known = openResponses[kind]
	}
	n.c.want(known, "%s: no object of the kind %s", n.path, kind)
	for member := range strings.FieldsSeq(row) {
		name, types, _ := strings.Cut(member, ":")
		name, optional := strings.CutSuffix(name, "?")
		switch {
		case n.has(name):
			n.at(name).fits(types)
		case !optional:
			n.c.say("%s: expected a member %s, got none", n.path, name)
		}
	}
}
