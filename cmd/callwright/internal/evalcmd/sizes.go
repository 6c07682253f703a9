package evalcmd

import (
	"fmt"
	"io"
	"net/http"
	"sync"
	"sync/atomic"

	"github.com/callwright/callwright/internal/eval"
)

// sizes are how much the trials that run have sent and received, by their cells.
type sizes struct{ of sync.Map } // from eval.CellID to *size

// A size counts the requests of a trial over HTTP, and the bytes of their bodies.
type size struct{ requests, sent, received atomic.Int64 }

// begin counts for a cell.
func (s *sizes) begin(c eval.Cell) *size {
	n := &size{}
	s.of.Store(c.ID, n)
	return n
}

// end returns the counts of a cell, "" where it was not played here.
func (s *sizes) end(c eval.Cell) string {
	n, ok := s.of.LoadAndDelete(c.ID)
	if !ok {
		return ""
	}
	of := n.(*size) //nolint:forcetypeassert // begin stores no other
	return fmt.Sprintf("%s, %d bytes sent, %d received", count(int(of.requests.Load()), "request"), of.sent.Load(), of.received.Load())
}

// A sizedTransport counts the bytes that it sends and receives.
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

// A sizedBody counts the bytes that are read of it.
type sizedBody struct {
	io.ReadCloser
	n *atomic.Int64
}

func (b *sizedBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	b.n.Add(int64(n))
	return n, err
}
