package callwright

import (
	"errors"
	"fmt"
	"strings"
	"time"
)

// A Kind classifies an error: retry, fallback and HTTP status are functions of it. The list is closed.
type Kind string

// The kinds. The comments give the HTTP status a client sees.
const (
	KindInvalid       Kind = "invalid_request"   // 400, the request is wrong
	KindSchema        Kind = "invalid_schema"    // 400, a tool's schema does not compile
	KindContextLength Kind = "context_length"    // 400
	KindUnsupported   Kind = "unsupported"       // 400, the provider lacks Feature
	KindContentFilter Kind = "content_filter"    // 400
	KindAuth          Kind = "authentication"    // 401
	KindBilling       Kind = "billing"           // 402
	KindPermission    Kind = "permission"        // 403
	KindNotFound      Kind = "not_found"         // 404
	KindTimeout       Kind = "timeout"           // 504
	KindConflict      Kind = "conflict"          // 409
	KindTooLarge      Kind = "too_large"         // 413
	KindMediaType     Kind = "unsupported_media" // 415
	KindInvalidCall   Kind = "invalid_tool_call" // 502, no valid call after all corrections
	KindNoCall        Kind = "missing_tool_call" // 502, a call was required and none came
	KindRefusedCall   Kind = "tool_use_failed"   // 400 from the provider: it refused its model's own text (Recovered, where it repeats it)
	KindChangeNeeded  Kind = "change_needed"     // 502, policy strict and something had to be changed
	KindRateLimited   Kind = "rate_limited"      // 429
	KindCanceled      Kind = "canceled"          // 499
	KindInternal      Kind = "internal"          // 500
	KindBadAnswer     Kind = "bad_answer"        // 502, the provider's answer cannot be read
	KindTruncated     Kind = "truncated"         // 502, the answer ended before its end mark
	KindServer        Kind = "provider_error"    // the provider's own 5xx, or 502
	KindUnavailable   Kind = "unavailable"       // 503, no connection, or the breaker is open
	KindOverloaded    Kind = "overloaded"        // 503, 529 for Anthropic clients
	KindDraining      Kind = "shutting_down"     // 503
	KindNotServed     Kind = "not_implemented"   // 501, another way to ask has to be taken

	KindNoEarlier Kind = "previous_response_not_found" // 400, the answer that a request goes on from is not kept
)

// kinds gives each kind its HTTP status and whether another try of the same request may help.
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

// Status is the HTTP status that a client is answered with.
func (k Kind) Status() int { return kinds[k].status }

// Transient reports whether the same request may succeed when it is sent again.
func (k Kind) Transient() bool { return kinds[k].transient }

// A Feature is a part of an API that a provider refused with KindUnsupported or KindSchema, such as "tools",
// "tool_choice", "parallel_tool_calls", "response_format", "images" or "field:NAME" for a request field, or that failed
// with KindRefusedCall: "parser". Package reliable learns from it and sends the request once more without the part.
type Feature string

// An Error is the error of every failing operation. Kind decides; the other members inform.
type Error struct {
	Op      string // "anthropic.decode", "provider.send"
	Kind    Kind
	Model   ModelID
	Path    string  // JSON pointer into the document concerned
	Message string  // for people: lower case, what was expected and what came
	Status  int     // the provider's HTTP status, or one more exact than the kind's; 0 where there was none
	Code    string  // the provider's own code
	Feature Feature // of KindUnsupported, KindSchema and KindRefusedCall: what the provider lacks
	Body    []byte  // what the provider sent, at most 64 KiB
	// Recovered is the model's text that came inside the error (a refused generation); it is parsed like an answer.
	Recovered string
	Said      string // what Recovered begins with where that was said before a call which could not be read
	// how the answer ended that the error tells of, "" for one that tells of none; with KindBadAnswer that answer holds
	// nothing
	Finish Finish
	// RetryAfter is how long the provider asked to wait, 0 where it did not say; NoRetry that it asked not to retry.
	RetryAfter time.Duration
	NoRetry    bool
	Report     *Report // on errors of a reliable client
	Err        error
}

// Error is "op: model: path: message: cause", without empty parts.
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

// Unwrap is the cause.
func (e *Error) Unwrap() error { return e.Err }

// HTTPStatus is the status a client is answered with: Status where it is in the 400s or 500s and the kind is not
// KindInternal, else that of the Kind, 500 for a kind that is not in the list. A fault of the client's stays one where
// the provider says that it is its own.
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

// KindOf is the kind of the first *Error in err's chain, KindInternal for other errors and "" for nil.
func KindOf(err error) Kind {
	if err == nil {
		return ""
	}
	if e, ok := errors.AsType[*Error](err); ok {
		return e.Kind
	}
	return KindInternal
}

// Errorf makes an Error with a message.
func Errorf(op string, kind Kind, path, format string, args ...any) *Error {
	return &Error{Op: op, Kind: kind, Path: path, Message: fmt.Sprintf(format, args...)}
}
