package telemetry

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"strconv"
	"time"
)

// An exporter sends spans by OTLP over HTTP, encoded as JSON. The OpenTelemetry exporter for Go would add gRPC and
// protocol buffers, 5.7 MB, to the program; this one only needs net/http.
//
// Source: https://opentelemetry.io/docs/specs/otlp/#otlphttp
type exporter struct {
	endpoint string
	header   http.Header
	current  func() map[string]string // returns headers that override header; nil for none
	client   *http.Client
	head     []byte // start of each body: the resource and the scope
}

func newExporter(cfg *SpansConfig) *exporter {
	e := &exporter{endpoint: cfg.Endpoint, head: encodeHead(cfg), header: http.Header{}, current: cfg.Current,
		client: &http.Client{Transport: cfg.Client, Timeout: cmp.Or(cfg.Timeout, 10*time.Second)}}
	if cfg.Client == nil {
		own := http.DefaultTransport.(*http.Transport).Clone()
		own.MaxIdleConnsPerHost = 1
		e.client.Transport = own
	}
	for name, v := range cfg.Headers {
		e.header.Set(name, v)
	}
	e.header.Set("Content-Type", "application/json")
	return e
}

// mostTries is the maximum number of tries of a delivery. pause is the pause before the first retry; later pauses
// double. A collector may request longer pauses, up to maxPause.
const (
	mostTries = 4
	pause     = 500 * time.Millisecond
	maxPause  = 10 * time.Second
)

// export sends spans, with retries if the collector is unavailable or requests a retry.
func (e *exporter) export(ctx context.Context, spans []*span) error {
	body := encode(e.head, spans)
	wait := pause
	for try := 1; ; try++ {
		after, again, err := e.post(ctx, body)
		if err == nil || !again || try == mostTries {
			return err
		}
		timer := time.NewTimer(min(max(wait, after), maxPause))
		select {
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
			return err
		}
		wait *= 2
	}
}

// close closes idle connections.
func (e *exporter) close() { e.client.CloseIdleConnections() }

// post sends a body once. If it fails, again reports whether a retry may help, after the time that the collector
// requested.
func (e *exporter) post(ctx context.Context, body []byte) (after time.Duration, again bool, err error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, e.endpoint, bytes.NewReader(body))
	if err != nil {
		return 0, false, err
	}
	req.Header = maps.Clone(e.header)
	if e.current != nil {
		for name, v := range e.current() {
			req.Header.Set(name, v)
		}
	}
	resp, err := e.client.Do(req)
	if err != nil {
		if bare, ok := errors.AsType[*url.Error](err); ok {
			err = bare.Err // the URL may contain a key
		}
		return 0, ctx.Err() == nil, err
	}
	defer resp.Body.Close()
	_, _ = io.Copy(io.Discard, io.LimitReader(resp.Body, 64<<10))
	switch resp.StatusCode {
	case http.StatusTooManyRequests, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		seconds, _ := strconv.Atoi(resp.Header.Get("Retry-After"))
		return time.Duration(seconds) * time.Second, true, fmt.Errorf("expected status 200, got %s", resp.Status)
	}
	if resp.StatusCode < 200 || resp.StatusCode > 299 {
		return 0, false, fmt.Errorf("expected status 200, got %s", resp.Status)
	}
	return 0, false, nil
}
