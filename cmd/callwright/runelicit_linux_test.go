package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
	"unsafe"

	"github.com/callwright/callwright/internal/prerequisite"
)

// openTerminal opens a terminal: the end that a program has, and the end of the person at it.
func openTerminal(t *testing.T) (program, person *os.File) {
	t.Helper()
	person, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		prerequisite.Missing(t, "a terminal:", err)
	}
	t.Cleanup(func() { person.Close() })
	var number, locked uint32
	for request, value := range map[uintptr]*uint32{syscall.TIOCSPTLCK: &locked, syscall.TIOCGPTN: &number} {
		if _, _, errno := syscall.Syscall(syscall.SYS_IOCTL, person.Fd(), request, uintptr(unsafe.Pointer(value))); errno != 0 {
			prerequisite.Missing(t, "a terminal:", errno)
		}
	}
	program, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		prerequisite.Missing(t, "a terminal:", err)
	}
	t.Cleanup(func() { program.Close() })
	return program, person
}

// A screen is what a terminal shows.
type screen struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (s *screen) watch(r io.Reader) {
	buf := make([]byte, 4096)
	for {
		n, err := r.Read(buf)
		s.mu.Lock()
		s.text.Write(buf[:n])
		s.mu.Unlock()
		if err != nil {
			return
		}
	}
}

// shows waits until it shows a text so many times.
func (s *screen) shows(t *testing.T, text string, times int) {
	t.Helper()
	for end := time.Now().Add(20 * time.Second); time.Now().Before(end); time.Sleep(2 * time.Millisecond) {
		s.mu.Lock()
		n := strings.Count(s.text.String(), text)
		s.mu.Unlock()
		if n >= times {
			return
		}
	}
	t.Fatalf("not shown %d times: %q in %q", times, text, s.text.String())
}

// A person at a terminal answers what a server of tools asks, field by field, or declines, or cancels.
func TestRunElicit(t *testing.T) {
	const asked, sent, hour, day = "[a]nswer, [d]ecline, [c]ancel: ", "[s]end, [e]dit, [d]ecline, [c]ancel: ", "hour (integer; may be empty): ", "day: "
	for name, c := range map[string]struct {
		dialogue [][2]string // what is shown, and what is typed then
		want     string
	}{
		"accepted":  {[][2]string{{asked, "a"}, {day, "2"}, {hour, "24"}, {hour, "7"}, {sent, "s"}}, `{"action":"accept","content":{"day":"tomorrow","hour":7}}`},
		"declined":  {[][2]string{{asked, "d"}}, `{"action":"decline"}`},
		"cancelled": {[][2]string{{asked, "a"}, {day, "today"}, {hour, ""}, {sent, "c"}}, `{"action":"cancel"}`},
		"gone":      {[][2]string{{asked, "\x04"}}, `{"action":"cancel"}`},
	} {
		t.Run(name, func(t *testing.T) {
			program, person := openTerminal(t)
			shown, done := &screen{}, make(chan int, 1)
			go shown.watch(person)
			var stdout bytes.Buffer
			go func() {
				std := streams{in: program, out: &stdout, err: program}
				done <- run(t.Context(), []string{"run", "--model", "sim/native", "--state", t.TempDir(), "--yes", "--mcp", "mcp-asker", "What is the weather in Oslo?"}, std, noEnv)
			}()
			times := map[string]int{}
			for _, step := range c.dialogue {
				times[step[0]]++
				shown.shows(t, step[0], times[step[0]])
				line := step[1] + "\n"
				if step[1] == "\x04" {
					line = step[1]
				}
				if _, err := io.WriteString(person, line); err != nil {
					t.Fatal(err)
				}
			}
			select {
			case status := <-done:
				if status != exitDone || !strings.Contains(strings.ReplaceAll(stdout.String(), `\`, ""), c.want) {
					t.Errorf("status %d, got %s", status, stdout.String())
				}
			case <-time.After(30 * time.Second):
				t.Fatalf("it goes on: %q", shown.text.String())
			}
		})
	}
}
