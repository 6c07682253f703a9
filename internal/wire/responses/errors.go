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

// DecodeError reads an answer that is not 2xx. Errors have the shapes and the wording of Chat Completions; the members
// that they name are this wire's.
func (Codec) DecodeError(status int, header http.Header, body []byte) *callwright.Error {
	e := openai.Codec{}.DecodeError(status, header, body)
	e.Op = opProvider
	if e.Feature == feature.Reasoning {
		e.Feature = feature.Field + "reasoning" // the member here, whatever it asks for
	}
	return e
}

// EncodeError is the error as clients of this API read it. The code is the kind.
func (Codec) EncodeError(err *callwright.Error) (status int, header http.Header, body []byte) {
	return openai.Codec{}.EncodeError(err)
}

// failure is the error inside an answer with status 200 or a stream: in is the error object.
func failure(in, whole []byte) *callwright.Error {
	w := newWriter(nil)
	w.Open("", '{')
	w.Raw("error", in)
	w.Close('}')
	e := Codec{}.DecodeError(0, http.Header{}, w.Buf)
	e.Body = kit.ErrorBody(whole)
	return e
}

// failureWithin is the error of a response object that failed, nil where it did not.
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

// badAnswer is the error about an answer that cannot be read.
func badAnswer(message string, body []byte, cause error) *callwright.Error {
	return kit.BadAnswer(opDecode, message, body, cause)
}

// codes are the codes of failed answers that clients know, by kind; others get the kind.
var codes = map[callwright.Kind]string{
	callwright.KindRateLimited: "rate_limit_exceeded", callwright.KindServer: "server_error",
	callwright.KindContextLength: "context_length_exceeded", callwright.KindBilling: "insufficient_quota",
}

// errorObject writes the error of a failed answer.
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
