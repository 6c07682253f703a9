package callwright

import (
	"errors"
	"fmt"
	"strings"
	"time"
)

// A Kind is the class of an [Error]. It determines whether to retry, whether to fall back to another model, and the
// HTTP status for the client. The constants below are the only kinds.
type Kind string

// The error kinds. Each comment gives the HTTP status that the gateway sends to a client.
const (
	KindInvalid       Kind = "invalid_request"   // 400, the request is malformed
	KindSchema        Kind = "invalid_schema"    // 400, a tool's schema does not compile
	KindContextLength Kind = "context_length"    // 400, the conversation exceeds the context window of the model
	KindUnsupported   Kind = "unsupported"       // 400, the provider lacks Feature
	KindContentFilter Kind = "content_filter"    // 400, a content filter rejected the request or the response
	KindAuth          Kind = "authentication"    // 401, the API key is missing or wrong
	KindBilling       Kind = "billing"           // 402, the account has no credit
	KindPermission    Kind = "permission"        // 403, the API key may not do this
	KindNotFound      Kind = "not_found"         // 404, the model or resource does not exist
	KindTimeout       Kind = "timeout"           // 504, a deadline or time limit expired
	KindConflict      Kind = "conflict"          // 409, the request conflicts with another one
	KindTooLarge      Kind = "too_large"         // 413, the request body is too large
	KindMediaType     Kind = "unsupported_media" // 415, the media type is not supported
	KindInvalidCall   Kind = "invalid_tool_call" // 502, the model made no valid call after all self-corrections
	KindNoCall        Kind = "missing_tool_call" // 502, tool_choice required a call and the model made none
	KindRefusedCall   Kind = "tool_use_failed"   // 400, the provider rejected its model's output; Recovered has it, if known
	KindChangeNeeded  Kind = "change_needed"     // 502, a change was necessary and PolicyStrict forbids changes
	KindRateLimited   Kind = "rate_limited"      // 429, the provider or a configured limit rejected the rate
	KindCanceled      Kind = "canceled"          // 499, the client canceled the request
	KindInternal      Kind = "internal"          // 500, a bug or a failure inside this program
	KindBadAnswer     Kind = "bad_answer"        // 502, the provider's response could not be decoded
	KindTruncated     Kind = "truncated"         // 502, the response ended before the end marker of its API
	KindServer        Kind = "provider_error"    // the provider's own 5xx status, otherwise 502
	KindUnavailable   Kind = "unavailable"       // 503, no connection, or the circuit breaker is open
	KindOverloaded    Kind = "overloaded"        // 503, 529 for Anthropic clients; the provider is overloaded
	KindDraining      Kind = "shutting_down"     // 503, this server is shutting down
	KindNotServed     Kind = "not_implemented"   // 501, the server does not implement this operation

	KindNoEarlier Kind = "previous_response_not_found" // 400, no response is stored for previous_response_id
)

// kinds maps each kind to its HTTP status and to whether a retry of the same request may succeed.
var kinds = map[Kind]struct {
	status    int
	transient bool
}{
	KindInvalid: {400, false}, KindSchema: {400, false}, KindContextLength: {400, false}, KindUnsupported: {400, false},
	KindContentFilter: {400, false}, KindAuth: {401, false}, KindBilling: {402, false}, KindPermission: {403, false},
	KindNotFound: {404, false}, KindTimeout: {504, true}, KindConflict: {409, false}, KindTooLarge: {413, false},
	KindMediaType: {415, false}, KindInvalidCall: {502, false}, KindNoCall: {502, false}, KindRefusedCall: {400, false},
	KindChangeNeeded: {502, false}, KindRateLimited: {429, true}, KindCanceled: {499, false}, KindInternal: {500, false},
	KindBadAnswer: {502, true}, KindTruncated: {502, true}, KindServer: {502, true}, KindUnavailable: {503, true},
	KindOverloaded: {503, true}, KindDraining: {503, true}, KindNoEarlier: {400, false}, KindNotServed: {501, false},
}

// Status returns the HTTP status for a client, 0 for an unknown kind.
func (k Kind) Status() int { return kinds[k].status }

// Transient reports whether a retry of the same request may succeed.
func (k Kind) Transient() bool { return kinds[k].transient }

// A Feature names a part of an API that a provider rejected with KindUnsupported or KindSchema. Examples are "tools",
// "tool_choice", "parallel_tool_calls", "response_format", "images", and "field:NAME" for the request field NAME. With
// KindRefusedCall it is "parser": the provider's tool-call parser failed. Package reliable records the feature as
// missing and sends the request again without it.
type Feature string

// An Error is the error type of all operations of this module. Programs should decide by Kind; the other fields are
// details.
type Error struct {
	Op      string // the operation, such as "anthropic.decode" or "provider.send"
	Kind    Kind
	Model   ModelID
	Path    string  // JSON pointer to the faulty value in the request, response or configuration
	Message string  // text for people, in lower case: the expected and the actual value
	Status  int     // the HTTP status of the provider, or a status more specific than that of Kind; 0 if neither exists
	Code    string  // the error code in the provider's response
	Feature Feature // the API feature that the provider rejected, with KindUnsupported, KindSchema and KindRefusedCall
	Body    []byte  // the body of the provider's error response, at most 64 KiB
	// Recovered is model output that the provider's error response quotes, such as failed_generation of Groq. It is
	// parsed like a response.
	Recovered string
	Said      string // the text before the unreadable call, if Recovered begins with such text
	// Finish is the finish reason of the failed response, "" if the error concerns no response. With KindBadAnswer and a
	// Finish the response was empty.
	Finish Finish
	// RetryAfter is the wait that the provider requested, 0 if it requested none. NoRetry means that the provider
	// requested no retry.
	RetryAfter time.Duration
	NoRetry    bool
	Report     *Report // set on errors of a client of package reliable
	Err        error
}

// Error returns "op: model: path: message: cause" without empty elements. If all are empty, it returns the Kind.
func (e *Error) Error() string {
	var parts []string
	for _, s := range []string{e.Op, string(e.Model), e.Path, e.Message} {
		if s != "" {
			parts = append(parts, s)
		}
	}
	if e.Err != nil {
		parts = append(parts, e.Err.Error())
	}
	if len(parts) == 0 {
		return string(e.Kind)
	}
	return strings.Join(parts, ": ")
}

// Unwrap returns e.Err, the cause.
func (e *Error) Unwrap() error { return e.Err }

// HTTPStatus returns the HTTP status for a client. It is e.Status if that is 400 to 599 and Kind is not KindInternal,
// otherwise the status of the Kind, and 500 for an unknown Kind. A Kind with a 4xx status ignores a 5xx e.Status,
// because the fault is the client's.
func (e *Error) HTTPStatus() int {
	own := e.Kind.Status()
	switch {
	case e.Status >= 400 && e.Status < 600 && e.Kind != KindInternal && (e.Status < 500 || own == 0 || own >= 500):
		return e.Status
	case own != 0:
		return own
	}
	return 500
}

// KindOf returns the Kind of the first *Error in the chain of err. It returns KindInternal if there is none and "" for
// a nil err.
func KindOf(err error) Kind {
	if err == nil {
		return ""
	}
	if e, ok := errors.AsType[*Error](err); ok {
		return e.Kind
	}
	return KindInternal
}

// Errorf returns an Error with the formatted message.
func Errorf(op string, kind Kind, path, format string, args ...any) *Error {
	return &Error{Op: op, Kind: kind, Path: path, Message: fmt.Sprintf(format, args...)}
}
