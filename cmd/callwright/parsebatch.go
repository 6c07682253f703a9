package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/callwright/callwright/cmd/callwright/internal/jsonlines"
	"github.com/callwright/callwright/internal/config"
	"github.com/callwright/callwright/internal/jsonx"
)

func parseLine(line []byte, job parseJob) (*parsed, error) {
	if err := jsonlines.Read(line, &job); err != nil {
		return nil, err
	}
	if err := checkMembers(line, &job); err != nil {
		return nil, err
	}
	got, err := job.parse()
	if err != nil {
		return nil, err
	}
	return got, job.refusal(got)
}

// readable are the members of a batch line that hold text or calls to parse. Each line needs at least one.
var readable = []string{"text", "chunks", "native_calls"}

// checkMembers returns an error for a line without input and for a member that looks like a misspelling.
func checkMembers(line []byte, job *parseJob) error {
	known, nothing := jsonlines.Members[parseJob](), job.Text == nil && job.Chunks == nil && job.NativeCalls == nil
	meant := known
	if nothing {
		meant = readable
	}
	var strangers []string
	for k := range jsonx.Members(line) {
		name := k.String()
		if slices.Contains(known, name) {
			continue
		}
		if near := config.Nearest(name, meant); near != "" {
			return fmt.Errorf("unknown member %q: did you mean %q?", name, near)
		}
		strangers = append(strangers, name)
	}
	switch {
	case !nothing:
		return nil
	case len(strangers) > 0:
		return fmt.Errorf("expected a member %s, got %s", strings.Join(readable, ", "), strings.Join(strangers, ", "))
	}
	return fmt.Errorf("expected a member %s", strings.Join(readable, ", "))
}
