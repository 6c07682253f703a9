package main

import (
	"bufio"
	"context"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestDocsCommand reads the documentation in each of the three ways.
func TestDocsCommand(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "site")
	if status, _, said := command(t, "", "docs", "--out", dir); status != exitDone {
		t.Fatalf("exit status %d: %s", status, said)
	}
	page, err := os.ReadFile(filepath.Join(dir, "configuration.html"))
	if err != nil || !strings.Contains(string(page), `<h1 id="configuration">Configuration</h1>`) {
		t.Errorf("%v in %.300s", err, page)
	}
	if status, out, _ := command(t, "", "docs", "migrate/from-litellm"); status != exitDone || !strings.HasPrefix(out, "# ") {
		t.Errorf("exit status %d, %.100q", status, out)
	}
	if status, _, said := command(t, "", "docs", "../main"); status != exitMisused || !strings.Contains(said, `unknown page "../main"`) {
		t.Errorf("exit status %d: %s", status, said)
	}

	ctx, stop := context.WithCancel(t.Context())
	reader, writer := io.Pipe()
	done := make(chan int, 1)
	go func() {
		done <- run(ctx, []string{"docs"}, streams{in: strings.NewReader(""), out: writer, err: writer}, noEnv)
	}()
	line, err := bufio.NewReader(reader).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	resp, err := http.Get(strings.TrimSpace(strings.TrimPrefix(line, "documentation at ")))
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(resp.Body)
	resp.Body.Close()
	if err != nil || !strings.Contains(string(text), `<a href="configuration.html">Configuration</a>`) {
		t.Errorf("%v in %.300s", err, text)
	}
	http.DefaultClient.CloseIdleConnections()
	stop()
	if status := <-done; status != exitDone {
		t.Errorf("exit status %d", status)
	}
}
