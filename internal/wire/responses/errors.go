package responses

import (
	"net/http"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/feature"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/wire/internal/kit"
	"github.com/callwright/callwright/internal/wire/openai"
)

const opProvider = "responses.provider"

// DecodeError decodes the body of a response whose status is not 2xx. Errors have the same format as in Chat
// Completions, but name the parameters of this API.
func (Codec) DecodeError(status int, header http.Header, body []byte) *callwright.Error {
	e := openai.Codec{}.DecodeError(status, header, body)
	e.Op = opProvider
	if e.Feature == feature.Reasoning {
		e.Feature = feature.Field + "reasoning" // the name of the parameter in this API
	}
	return e
}

// EncodeError encodes an error for clients. The error code is the Kind.
func (Codec) EncodeError(err *callwright.Error) (status int, header http.Header, body []byte) {
	return openai.Codec{}.EncodeError(err)
}

// failure returns the error object in as a *callwright.Error. whole is the response or stream event that contains it.
func failure(in, whole []byte) *callwright.Error {
	w := newWriter(nil)
	w.Open("", '{')
	w.Raw("error", in)
	w.Close('}')
	e := Codec{}.DecodeError(0, http.Header{}, w.Buf)
	e.Body = kit.ErrorBody(whole)
	return e
}

// failureWithin returns the error of a response object, or nil if it has neither an error nor the status failed.
func failureWithin(response *jsonx.Fields) *callwright.Error {
	in := response.Get("error")
	if jsonx.IsNull(in) {
		if jsonx.TextOf(response.Get("status")) != "failed" {
			return nil
		}
		in = []byte(`{"message":"the provider says that the answer failed"}`)
	}
	return failure(in, response.Object())
}

// badAnswer returns an error of KindBadAnswer about a response that cannot be decoded.
func badAnswer(message string, body []byte, cause error) *callwright.Error {
	return kit.BadAnswer(opDecode, message, body, cause)
}

// codes maps kinds to error codes of failed responses that clients know. The code of other errors is their Kind.
var codes = map[callwright.Kind]string{
	callwright.KindRateLimited: "rate_limit_exceeded", callwright.KindServer: "server_error",
	callwright.KindContextLength: "context_length_exceeded", callwright.KindBilling: "insufficient_quota",
}

// errorObject writes the member error of a failed response.
func (w *writer) errorObject(err *callwright.Error) {
	code := codes[err.Kind]
	if code == "" {
		code = string(err.Kind)
	}
	w.Open("error", '{')
	w.Text("code", code)
	w.Text("message", kit.ErrorText(err))
	w.Close('}')
}
