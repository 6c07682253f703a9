package mcptool

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"sync"
	"time"

	"github.com/callwright/callwright/internal/jsonx"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// batched is the only protocol version that permits several messages in a line.
const batched = "2025-03-26"

// messageLines is the input of a server with one JSON-RPC message per line. The SDK ends the session at an invalid line
// and drops unanswered requests at the end of input. messageLines instead answers an invalid line with an error, as
// JSON-RPC requires, and delays the end of input until all requests are answered.
type messageLines struct {
	in      *bufio.Reader
	out     *answerWriter
	done    <-chan struct{} // closed when the session ends
	version string          // protocol version that the client requested
	rest    []byte          // unread bytes of the current line
}

// Read returns the bytes of valid lines. It answers invalid lines with an error.
func (m *messageLines) Read(p []byte) (int, error) {
	for len(m.rest) == 0 {
		line, err := m.line()
		if len(line) > 0 {
			if code, message, id := m.check(line); code != 0 {
				if err := m.refuse(code, message, id); err != nil {
					return 0, err
				}
			} else {
				m.forward(line)
				m.rest = append(line, '\n')
				break
			}
		}
		if err != nil {
			m.out.drain(m.done)
			return 0, err
		}
	}
	n := copy(p, m.rest)
	m.rest = m.rest[n:]
	return n, nil
}

// errLong is the error of a line with more than maxMessage bytes.
var errLong = errors.New("the line is too long")

// line reads a line without surrounding white space. It skips a line that is too long and answers it with an error.
func (m *messageLines) line() ([]byte, error) {
	var line []byte
	for long := false; ; {
		part, err := m.in.ReadSlice('\n')
		if !long {
			line = append(line, part...)
		}
		if len(line) > maxMessage {
			long, line = true, nil
		}
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		if long {
			if err := m.refuse(jsonrpc.CodeInvalidRequest, errLong.Error(), nil); err != nil {
				return nil, err
			}
		}
		return bytes.TrimSpace(line), err
	}
}

// check returns the JSON-RPC error of an invalid line; code is 0 for a valid line. id is the id of the request, if
// known.
func (m *messageLines) check(line []byte) (code int, message string, id json.RawMessage) {
	if err := jsonx.Valid(line); err != nil {
		return jsonrpc.CodeParseError, "the line is not JSON: " + err.Error(), nil
	}
	if line[0] == '[' {
		return m.checkBatch(line)
	}
	return m.checkMessage(line)
}

func (m *messageLines) checkMessage(text []byte) (code int, message string, id json.RawMessage) {
	if _, err := jsonrpc.DecodeMessage(text); err != nil {
		if v, ok := jsonx.Find(text, "id"); ok && (jsonx.KindOf(v) == jsonx.Text || jsonx.KindOf(v) == jsonx.Number) {
			id = v
		}
		return jsonrpc.CodeInvalidRequest, "the line is no message of JSON-RPC 2.0: " + err.Error(), id
	}
	return 0, "", nil
}

// forward registers the requests of a line before the server reads it.
func (m *messageLines) forward(line []byte) {
	if line[0] == '[' {
		for text := range jsonx.Elements(line) {
			m.forward(text)
		}
		return
	}
	msg, _ := jsonrpc.DecodeMessage(line) // valid, see check
	req, ok := msg.(*jsonrpc.Request)
	if !ok {
		return
	}
	switch req.Method {
	case "notifications/cancelled":
		id, _ := jsonx.Find(req.Params, "requestId")
		m.out.noteAnswer(id)
		return
	case "initialize":
		v, _ := jsonx.Find(req.Params, "protocolVersion")
		m.version, _ = jsonx.String(v)
	}
	if req.IsCall() {
		id, _ := json.Marshal(req.ID.Raw())
		m.out.noteRequest(id)
	}
}

func (m *messageLines) checkBatch(line []byte) (code int, message string, id json.RawMessage) {
	if m.version != batched {
		return jsonrpc.CodeInvalidRequest, "expected one message a line: lists of messages are those of version " + batched, nil
	}
	seen := map[string]bool{}
	for text := range jsonx.Elements(line) {
		if code, message, id := m.checkMessage(text); code != 0 {
			return code, message, id
		}
		if id, ok := jsonx.Find(text, "id"); ok {
			if seen[string(id)] {
				return jsonrpc.CodeInvalidRequest, "two messages of a list have the id " + string(id), nil
			}
			seen[string(id)] = true
		}
	}
	if jsonx.First(line) == nil {
		return jsonrpc.CodeInvalidRequest, "the list has no messages", nil
	}
	return 0, "", nil
}

// refuse answers an invalid input line with a JSON-RPC error.
func (m *messageLines) refuse(code int, message string, id json.RawMessage) error {
	if id == nil {
		id = json.RawMessage("null") // the SDK has no such id
	}
	text, err := json.Marshal(struct {
		Version string          `json:"jsonrpc"`
		ID      json.RawMessage `json:"id"`
		Error   *jsonrpc.Error  `json:"error"`
	}{"2.0", id, &jsonrpc.Error{Code: int64(code), Message: message}})
	if err != nil {
		return err
	}
	_, err = m.out.Write(append(text, '\n'))
	return err
}

// An answerWriter writes the responses of a server and tracks unanswered requests. It is safe for concurrent use.
type answerWriter struct {
	out  io.Writer
	mu   sync.Mutex
	open map[string]bool // ids of unanswered requests, as JSON
	none chan struct{}   // closed when open becomes empty; nil if drain does not wait
}

// Write writes whole lines and removes the requests that they answer from open.
func (w *answerWriter) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	n, err := w.out.Write(p)
	text := bytes.TrimSpace(p)
	if len(text) > 0 && text[0] == '[' {
		for message := range jsonx.Elements(text) {
			w.wrote(message)
		}
	} else {
		w.wrote(text)
	}
	return n, err
}

// wrote removes the request that a message answers. The caller holds mu.
func (w *answerWriter) wrote(message []byte) {
	if id, ok := jsonx.Find(message, "id"); ok && len(w.open) > 0 {
		if _, asks := jsonx.Find(message, "method"); !asks {
			w.close(id)
		}
	}
}

// close removes an answered request. The caller holds mu.
func (w *answerWriter) close(id []byte) {
	delete(w.open, string(id))
	if w.none != nil && len(w.open) == 0 {
		close(w.none)
		w.none = nil
	}
}

// noteRequest adds a request to the unanswered ones, and noteAnswer removes it. id is JSON.
func (w *answerWriter) noteRequest(id []byte) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.open == nil {
		w.open = map[string]bool{}
	}
	w.open[string(id)] = true
}

func (w *answerWriter) noteAnswer(id []byte) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.close(id)
}

// drainLimit is the maximum time that a server continues after the end of its input.
const drainLimit = 10 * time.Second

// drain waits until all requests are answered, done is closed, or drainLimit has passed.
func (w *answerWriter) drain(done <-chan struct{}) {
	w.mu.Lock()
	if len(w.open) == 0 {
		w.mu.Unlock()
		return
	}
	none := make(chan struct{})
	w.none = none
	w.mu.Unlock()
	select {
	case <-none:
	case <-done:
	case <-time.After(drainLimit):
	}
}
