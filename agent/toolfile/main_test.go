package toolfile_test

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"
)

// TestMain plays a role where the test binary is the command of a tool.
func TestMain(m *testing.M) {
	if role := os.Getenv("TOOLFILE_ROLE"); role != "" {
		os.Exit(roles[role]())
	}
	goleak.VerifyTestMain(m)
}

var roles = map[string]func() int{
	"echo": func() int {
		_, err := io.Copy(os.Stdout, os.Stdin)
		return status(err)
	},
	"args":   func() int { return status(json.NewEncoder(os.Stdout).Encode(os.Args[1:])) },
	"text":   func() int { fmt.Print("<hello>\n"); return 0 },
	"silent": func() int { return 0 },
	"binary": func() int { fmt.Print("a\xffb"); return 0 },
	"fail": func() int {
		fmt.Fprint(os.Stderr, strings.Repeat("long ", 10_000), "the end\n")
		return 3
	},
	"environment": func() int {
		var names []string
		for _, pair := range os.Environ() {
			name, _, _ := strings.Cut(pair, "=")
			names = append(names, name)
		}
		return status(json.NewEncoder(os.Stdout).Encode(names))
	},
	"value": func() int { fmt.Print(os.Getenv("VALUE")); return 0 },
	"dir": func() int {
		dir, _ := os.Getwd()
		return status(json.NewEncoder(os.Stdout).Encode(dir))
	},
	"flood": func() int {
		for {
			_, _ = fmt.Print(strings.Repeat("x", 1000)) // even when nobody reads any more
		}
	},
	"sleep":  func() int { time.Sleep(time.Minute); return 0 },
	"family": func() int { return child(func() { time.Sleep(time.Minute) }) },
	"linger": func() int { return child(func() { fmt.Print("1") }) },
}

// child starts a process that keeps the output open, and tells its id in a file.
func child(then func()) int {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "TOOLFILE_ROLE=sleep")
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	if err := cmd.Start(); err != nil {
		return status(err)
	}
	name := os.Args[1]
	if err := os.WriteFile(name+".new", []byte(strconv.Itoa(cmd.Process.Pid)), 0o600); err != nil {
		return status(err)
	}
	if err := os.Rename(name+".new", name); err != nil {
		return status(err)
	}
	then()
	return 0
}

func status(err error) int {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}
