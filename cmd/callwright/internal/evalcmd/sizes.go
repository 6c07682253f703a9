package evalcmd

import (
	"fmt"
	"io"
	"net/http"
	"sync"
	"sync/atomic"

	"github.com/callwright/callwright/internal/eval"
)

// sizes contains the HTTP traffic of each running trial.
type sizes struct{ of sync.Map } // map from eval.CellID to *size

// A size counts the HTTP requests of a trial and the bytes of their bodies.
type size struct{ requests, sent, received atomic.Int64 }

// begin starts counting the HTTP traffic of a trial.
func (s *sizes) begin(c eval.Cell) *size {
	n := &size{}
	s.of.Store(c.ID, n)
	return n
}

// end removes and returns the counts of a cell as text, "" if the cell was not run in this process.
func (s *sizes) end(c eval.Cell) string {
	n, ok := s.of.LoadAndDelete(c.ID)
	if !ok {
		return ""
	}
	of := n.(*size) // begin stores no other type
	return fmt.Sprintf("%s, %d bytes sent, %d received", count(int(of.requests.Load()), "request"), of.sent.Load(), of.received.Load())
}

// A sizedTransport is an http.RoundTripper that counts requests and the bytes of their bodies.
type sizedTransport struct {
	next http.RoundTripper
	size *size
}

func (t *sizedTransport) RoundTrip(req *http.Request) (*http.Response, error) {
	t.size.requests.Add(1)
	if req.Body != nil && req.Body != http.NoBody {
		sized := *req
		sized.Body = &sizedBody{req.Body, &t.size.sent}
		req = &sized
	}
	resp, err := t.next.RoundTrip(req)
	if err == nil {
		resp.Body = &sizedBody{resp.Body, &t.size.received}
	}
	return resp, err
}

// A sizedBody is a body that counts the bytes read from it.
type sizedBody struct {
	io.ReadCloser
	n *atomic.Int64
}

func (b *sizedBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	b.n.Add(int64(n))
	return n, err
}
