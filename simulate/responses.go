package simulate

import (
	"slices"
	"strconv"
	"strings"
)

// A responsesItem is an output item: as JSON in response.output_item.added, the events of its content, and as JSON when
// done.
type responsesItem struct {
	opened string
	events []responsesEvent
	done   string
}

// A responsesEvent is an event of an item. The item id and the output index are added when it is sent.
type responsesEvent struct {
	kind    string
	members []member
}

func (i *responsesItem) event(kind string, members ...member) {
	i.events = append(i.events, responsesEvent{"response." + kind, members})
}

// responsesItems returns the output items of the response and their ids.
func (a *response) responsesItems() (items []responsesItem, ids []string) {
	add := func(id string, i responsesItem) { items, ids = append(items, i), append(ids, id) }
	if a.reasoning != "" {
		id := a.id("rs_")
		add(id, a.responsesReasoning(id))
	}
	if a.text != "" {
		id := a.id("msg_")
		add(id, a.responsesMessage(id, a.text))
	}
	for i, c := range a.calls {
		id := a.id("fc_") + strconv.Itoa(i)
		if a.reasoning != "" {
			id = a.id("fc_") + thoughtMark + strconv.Itoa(i)
		}
		add(id, a.responsesCall(id, c, i == len(a.calls)-1))
	}
	if a.after != "" {
		id := a.id("msg_") + "1"
		add(id, a.responsesMessage(id, a.after))
	}
	return items, ids
}

// thoughtMark is a character in the id of a call that followed reasoning. Such a call must be sent back with the
// reasoning item.
const thoughtMark = "_"

func (a *response) responsesReasoning(id string) responsesItem {
	text := quote(a.reasoning)
	part := object(member{"type", `"summary_text"`}, member{"text", text})
	head := []member{{"id", quote(id)}, {"type", `"reasoning"`}}
	i := responsesItem{
		opened: object(append(slices.Clone(head), member{"summary", "[]"}, member{"content", "[]"})...),
		done: object(append(slices.Clone(head), member{"summary", "[" + part + "]"}, member{"content", "[]"},
			member{"encrypted_content", quote(signature(Responses, a.reasoning))})...),
	}
	index := member{"summary_index", "0"}
	i.event("reasoning_summary_part.added", index, member{"part", `{"type":"summary_text","text":""}`})
	for _, p := range pieces(a.reasoning, a.piece) {
		i.event("reasoning_summary_text.delta", index, member{"delta", quote(p)})
	}
	i.event("reasoning_summary_text.done", index, member{"text", text})
	i.event("reasoning_summary_part.done", index, member{"part", part})
	return i
}

func (a *response) responsesMessage(id, text string) responsesItem {
	part := func(text string) string {
		return object(member{"type", `"output_text"`}, member{"text", quote(text)}, member{"annotations", "[]"}, member{"logprobs", "[]"})
	}
	item := func(status, content string) string {
		return object(member{"id", quote(id)}, member{"type", `"message"`}, member{"status", quote(status)},
			member{"role", `"assistant"`}, member{"content", "[" + content + "]"})
	}
	i := responsesItem{opened: item("in_progress", ""), done: item(a.responsesStatus(), part(text))}
	index := member{"content_index", "0"}
	i.event("content_part.added", index, member{"part", part("")})
	for _, p := range a.textPieces(text) {
		i.event("output_text.delta", index, member{"delta", quote(p)}, member{"logprobs", "[]"})
	}
	i.event("output_text.done", index, member{"text", quote(text)}, member{"logprobs", "[]"})
	i.event("content_part.done", index, member{"part", part(text)})
	return i
}

// responsesCall returns a function call or a custom tool call as an item. last is true for the last call, the only one
// that may be incomplete after truncation.
func (a *response) responsesCall(id string, c call, last bool) responsesItem {
	form := a.seen.kinds[c.name]
	kind, key, event := "function_call", "arguments", "function_call_arguments"
	if form.custom {
		kind, key, event = "custom_tool_call", "input", "custom_tool_call_input"
	}
	item := func(status, args string) string {
		callID, namespace := quote(c.id), ""
		if c.noID {
			callID = ""
		}
		if form.namespace != "" {
			namespace = quote(form.namespace)
		}
		if c.noArgs {
			args = ""
		}
		return object(member{"id", quote(id)}, member{"type", quote(kind)}, member{"status", quote(status)}, member{key, args},
			member{"call_id", callID}, member{"name", quote(c.name)}, member{"namespace", namespace})
	}
	status := "completed"
	if last {
		status = a.responsesStatus()
	}
	final := quote(c.args)
	if a.finalEmpty {
		final = `""`
	}
	i := responsesItem{opened: item("in_progress", `""`), done: item(status, final)}
	if c.noArgs {
		return i
	}
	if !a.doneOnly {
		for _, p := range pieces(c.args, a.argPiece()) {
			i.event(event+".delta", member{"delta", quote(p)})
		}
	}
	name := quote(c.name)
	if form.custom {
		name = "" // as in the published schema of the event
	}
	i.event(event+".done", member{"name", name}, member{key, final})
	return i
}

// responsesCut maps finish reasons of incomplete responses to the "reason" in "incomplete_details".
var responsesCut = map[string]string{"length": "max_output_tokens", "content_filter": "content_filter"}

func (a *response) responsesStatus() string {
	if responsesCut[a.finish] != "" {
		return "incomplete"
	}
	return "completed"
}

// responsesObject returns the "response" object with a status. output is the output items as JSON, failed the error.
func (a *response) responsesObject(status, output, failed string) string {
	cut, usage, choice, ended := "null", "null", `"auto"`, "null"
	if status == "completed" {
		ended = strconv.Itoa(created)
	}
	if reason := responsesCut[a.finish]; reason != "" && status == "incomplete" {
		cut = object(member{"reason", quote(reason)})
	}
	if a.seen.Choice == "none" || a.seen.Choice == "required" {
		choice = quote(a.seen.Choice)
	}
	if status != "in_progress" && failed == "null" {
		in, out := a.tokens()
		usage = object(member{"input_tokens", strconv.Itoa(in)},
			member{"input_tokens_details", object(member{"cached_tokens", strconv.Itoa(max(0, a.cached))}, member{"cache_write_tokens", "0"})},
			member{"output_tokens", strconv.Itoa(out)}, member{"output_tokens_details", `{"reasoning_tokens":0}`},
			member{"total_tokens", strconv.Itoa(in + out)})
	}
	return object(member{"id", quote(a.id("resp_"))}, member{"object", `"response"`}, member{"created_at", strconv.Itoa(created)},
		member{"completed_at", ended}, member{"status", quote(status)}, member{"error", failed},
		member{"incomplete_details", cut}, member{"instructions", "null"},
		member{"max_output_tokens", "null"}, member{"model", quote(a.seen.Model)}, member{"output", "[" + output + "]"},
		member{"parallel_tool_calls", strconv.FormatBool(!a.seen.Serial)}, member{"previous_response_id", "null"},
		member{"reasoning", `{"effort":null,"summary":null}`}, member{"store", "false"}, member{"temperature", "1"},
		member{"text", `{"format":{"type":"text"}}`}, member{"tool_choice", choice}, member{"tools", "[]"}, member{"top_p", "1"},
		member{"truncation", `"disabled"`}, member{"usage", usage}, member{"metadata", "{}"},
		member{"background", "false"}, member{"frequency_penalty", "0"}, member{"presence_penalty", "0"}, member{"top_logprobs", "0"},
		member{"max_tool_calls", "null"}, member{"service_tier", `"default"`}, member{"user", "null"}, member{"safety_identifier", "null"},
		member{"prompt_cache_key", "null"})
}

func (a *response) responsesOutput() string {
	items, _ := a.responsesItems()
	var out []string
	for _, i := range items {
		out = append(out, i.done)
	}
	return strings.Join(out, ",")
}

func wholeResponses(a *response) []byte {
	if a.inband != nil {
		failed := object(member{"code", quote(responsesError(a.inband))}, member{"message", quote(a.inband.message)})
		return []byte(a.responsesObject("failed", "", failed))
	}
	return []byte(a.responsesObject(a.responsesStatus(), a.responsesOutput(), "null"))
}

func streamResponses(a *response) []frame {
	var out []frame
	send := func(kind string, members ...member) {
		all := append(append([]member{{"type", quote(kind)}}, members...), member{"sequence_number", strconv.Itoa(len(out))})
		out = append(out, frame{name: kind, data: object(all...)})
	}
	began := member{"response", a.responsesObject("in_progress", "", "null")}
	send("response.created", began)
	send("response.in_progress", began)
	items, ids := a.responsesItems()
	for n, i := range items {
		index := member{"output_index", strconv.Itoa(n)}
		send("response.output_item.added", index, member{"item", i.opened})
		for _, e := range i.events {
			send(e.kind, append([]member{{"item_id", quote(ids[n])}, index}, e.members...)...)
		}
		send("response.output_item.done", index, member{"item", i.done})
	}
	status := a.responsesStatus()
	send("response."+status, member{"response", a.responsesObject(status, a.responsesOutput(), "null")})
	return out
}

// responsesError returns the "code" for an error in a response of the Responses API.
func responsesError(f *failure) string {
	if f.status == 429 {
		return "rate_limit_exceeded"
	}
	return "server_error"
}

// inbandResponses returns the error event that ends a stream. at is its sequence number.
func inbandResponses(f *failure, at int) frame {
	if f.body != "" {
		return frame{name: f.event, data: f.body}
	}
	return frame{name: "error", data: object(member{"type", `"error"`}, member{"code", quote(responsesError(f))},
		member{"message", quote(f.message)}, member{"param", "null"}, member{"sequence_number", strconv.Itoa(at)})}
}
