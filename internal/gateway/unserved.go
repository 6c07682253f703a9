package gateway

import (
	"net/http"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/wire"
)

// An absence is an endpoint of an API that the gateway does not support. Clients get an error with the alternative.
type absence struct {
	path string // also for all paths below it
	wire callwright.WireName
	what string
	do   string // the alternative
}

// The alternatives to unsupported endpoints, for error messages.
const (
	askOneByOne   = "send the requests one by one, several at a time"
	sendInside    = "send the contents inside the request, in base64 or as text"
	sendAgain     = "send the beginning of the conversation with each request: providers cache it by themselves"
	continueByID  = "send all items as input, or continue an answer with previous_response_id"
	searchByTool  = "declare a tool that searches, and run it in the client"
	useTheServer  = "send the request to the Ollama server itself"
	useTheVendor  = "send the request to the provider itself"
	streamByEvent = "send the request by POST with stream true"
)

// absences are the unsupported endpoints, ordered by API. Two APIs share /v1/files.
var absences = []absence{
	{"/v1/batches", callwright.WireOpenAI, "batches", askOneByOne},
	{"/v1/files", "", "files", sendInside},
	{"/v1/uploads", callwright.WireOpenAI, "uploads", sendInside},
	{"/v1/vector_stores", callwright.WireOpenAI, "vector stores", searchByTool},
	{"/v1/fine_tuning", callwright.WireOpenAI, "fine-tuning jobs", useTheVendor},
	{"/v1/assistants", callwright.WireOpenAI, "assistants", continueByID},
	{"/v1/threads", callwright.WireOpenAI, "threads", continueByID},
	{"/v1/evals", callwright.WireOpenAI, "evals", useTheVendor},
	{"/v1/containers", callwright.WireOpenAI, "containers", useTheVendor},
	{"/v1/videos", callwright.WireOpenAI, "videos", useTheVendor},
	{"/v1/realtime", callwright.WireOpenAI, "realtime sessions", streamByEvent},
	{"/v1/conversations", callwright.WireResponses, "conversations", continueByID},

	{"/v1/messages/batches", callwright.WireAnthropic, "batches", askOneByOne},
	{"/v1/skills", callwright.WireAnthropic, "skills", useTheVendor},

	{"/v1beta/batches", callwright.WireGemini, "batches", askOneByOne},
	{"/v1beta/files", callwright.WireGemini, "files", sendInside},
	{"/upload/v1beta/files", callwright.WireGemini, "files", sendInside},
	{"/v1beta/cachedContents", callwright.WireGemini, "cached contents", sendAgain},
	{"/v1beta/tunedModels", callwright.WireGemini, "tuned models", useTheVendor},

	{"/api/pull", callwright.WireOllama, "pulls of models", useTheServer},
	{"/api/push", callwright.WireOllama, "pushes of models", useTheServer},
	{"/api/create", callwright.WireOllama, "new models", useTheServer},
	{"/api/copy", callwright.WireOllama, "copies of models", useTheServer},
	{"/api/delete", callwright.WireOllama, "deletions of models", useTheServer},
	{"/api/blobs", callwright.WireOllama, "blobs", useTheServer},
}

// absentVerbs are the unsupported verbs of Gemini, the part of the path after the colon.
var absentVerbs = map[string]*absence{
	"batchGenerateContent":   {what: "batches", do: askOneByOne},
	"asyncBatchEmbedContent": {what: "batches", do: askOneByOne},
	"predictLongRunning":     {what: "videos", do: useTheVendor},
	"generateAnswer":         {what: "grounded answers", do: "use generateContent"},
	"bidiGenerateContent":    {what: "live sessions", do: "use streamGenerateContent"},
}

// serve is the handler of the endpoint. It returns the error.
func (a *absence) serve(_ *Server, _ wire.Codec, _ *exchange, _ *http.Request) error {
	return a.error()
}

func (a *absence) error() error {
	return &callwright.Error{Kind: callwright.KindNotServed, Message: a.what + " are not served here: " + a.do}
}
