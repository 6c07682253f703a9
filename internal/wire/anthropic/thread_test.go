package anthropic_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/wire/anthropic"
)

// A request whose conversation the server is to keep is refused with the code by which the SDK sends all of it in its place: what it goes on from is not
// here, and would be lost in silence.
func TestThreads(t *testing.T) {
	for thread, refused := range map[string]bool{
		`null`: false, `{"type":"create"}`: true, `{"type":"continue","previous_message_id":"msg_1"}`: true, `true`: true,
	} {
		_, err := anthropic.Codec{}.DecodeRequest([]byte(`{"model":"m","max_tokens":9,"messages":[{"role":"user","content":"Hi"}],"thread":` + thread + `}`))
		var e *callwright.Error
		if errors.As(err, &e) != refused {
			t.Errorf("%s: got %v", thread, err)
		}
		if !refused {
			continue
		}
		if status, _, body := (anthropic.Codec{}).EncodeError(e); status != 400 || !strings.Contains(string(body), `"details":{"error_code":"thread_unsupported_request"}`) {
			t.Errorf("%s: got %d %s", thread, status, body)
		}
	}
}
