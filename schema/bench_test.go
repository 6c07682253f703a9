package schema_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/callwright/callwright/schema"
)

// searchTool is a schema of the size and shape that agents send.
const searchTool = `{
  "$schema": "http://json-schema.org/draft-07/schema#", "type": "object", "additionalProperties": false,
  "required": ["query", "paths", "limit"],
  "properties": {
    "query": {"type": "string", "minLength": 1, "description": "What to look for, in plain words or as an expression."},
    "paths": {"type": "array", "items": {"type": "string"}, "minItems": 1, "description": "Folders to look in."},
    "limit": {"type": "integer", "minimum": 1, "maximum": 9007199254740991},
    "mode": {"type": "string", "enum": ["content", "files_with_matches", "count"]},
    "pattern": {"type": "string", "pattern": "^[a-z*.]+$"},
    "context": {"type": "object", "properties": {"before": {"type": "integer"}, "after": {"type": "integer"}, "type": {"type": "string"}}, "additionalProperties": false},
    "since": {"anyOf": [{"type": "integer"}, {"type": "null"}]},
    "edits": {"type": "array", "items": {"type": "object", "required": ["old", "new"], "properties": {"old": {"type": "string"}, "new": {"type": "string"}, "all": {"type": "boolean"}}}}
  }
}`

var searchArgs = `{"query": "where the configuration is read", "paths": ["cmd", "internal/config"], "limit": 20, "mode": "content", "pattern": "*.go",
 "context": {"before": 2, "after": 3, "type": "lines"}, "since": null,
 "edits": [{"old": "` + strings.Repeat("first line ", 8) + `", "new": "` + strings.Repeat("other line ", 8) + `", "all": true}, {"old": "x", "new": "y"}]}`

var brokenArgs = strings.NewReplacer(`"limit": 20`, `"limit": "20"`, `["cmd", "internal/config"]`, `"[\"cmd\", \"internal/config\"]"`, `null`, `"null"`).Replace(searchArgs)

func BenchmarkCompile(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if _, err := schema.Compile([]byte(searchTool)); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkCacheHit(b *testing.B) {
	c := schema.NewCache(0)
	raw := []byte(searchTool)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := c.Compile(raw); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkValidate(b *testing.B) {
	s := mustCompile(b, searchTool)
	doc := []byte(searchArgs)
	b.SetBytes(int64(len(doc)))
	b.ReportAllocs()
	for b.Loop() {
		if v := s.Validate(doc); v != nil {
			b.Fatal(v)
		}
	}
}

func BenchmarkViolations(b *testing.B) {
	s := mustCompile(b, searchTool)
	doc := []byte(brokenArgs)
	b.SetBytes(int64(len(doc)))
	b.ReportAllocs()
	for b.Loop() {
		if v := s.Validate(doc); len(v) != 3 {
			b.Fatal(v)
		}
	}
}

func BenchmarkCoerce(b *testing.B) {
	s := mustCompile(b, searchTool)
	b.Run("valid", func(b *testing.B) {
		doc := []byte(searchArgs)
		b.ReportAllocs()
		for b.Loop() {
			s.Coerce(doc, schema.Options{})
		}
	})
	b.Run("stringified", func(b *testing.B) {
		doc := []byte(brokenArgs)
		b.ReportAllocs()
		for b.Loop() {
			if _, changes := s.Coerce(doc, schema.Options{}); len(changes) != 3 {
				b.Fatal(changes)
			}
		}
	})
}

// Work is linear: each size is ten times the one before, and so should be its time.
func BenchmarkLinear(b *testing.B) {
	s := mustCompile(b, `{"type":"array","items":{"$ref":"#/$defs/node"},"$defs":{"node":{"anyOf":[
		{"type":"object","required":["leaf"],"properties":{"leaf":{"type":"integer"}},"additionalProperties":false},
		{"type":"object","required":["kids"],"properties":{"kids":{"type":"array","items":{"$ref":"#/$defs/node"}}}}]}}}`)
	for _, n := range []int{100, 1000, 10000} {
		good := []byte("[" + strings.Repeat(`{"kids":[{"leaf":1},{"kids":[]}]},`, n) + `{"leaf":2}]`)
		bad := []byte("[" + strings.Repeat(`{"kids":[{"leaf":"1"},{"kids":[]}]},`, n) + `{"leaf":2}]`)
		b.Run(fmt.Sprintf("validate/%d", n), func(b *testing.B) {
			b.SetBytes(int64(len(good)))
			for b.Loop() {
				s.Validate(good)
			}
		})
		b.Run(fmt.Sprintf("coerce/%d", n), func(b *testing.B) {
			b.SetBytes(int64(len(bad)))
			for b.Loop() {
				if out, _ := s.Coerce(bad, schema.Options{}); s.Validate(out) != nil {
					b.Fatal("not mended")
				}
			}
		})
	}
}

func mustCompile(tb testing.TB, raw string) *schema.Schema {
	tb.Helper()
	s, err := schema.Compile([]byte(raw))
	if err != nil {
		tb.Fatal(err)
	}
	return s
}
