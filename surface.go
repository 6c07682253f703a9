package callwright

import (
	"bytes"
	"encoding/hex"
	"errors"
	"hash/fnv"
	"strings"
	"sync"

	"github.com/callwright/callwright/dialect"
	"github.com/callwright/callwright/schema"
)

// A surface is the declared tools in the form in which answers are held against them. It is made once for equal tools and
// shared: nothing changes it after it was made.
type surface struct {
	tools  []Tool
	names  *dialect.Names
	byName map[string]*target
	shapes []dialect.Tool
	notes  []Note // what the schemas could not be held to
	digest string // equal for equal tools
}

// A target is one declared tool with its compiled schema, nil for a tool without one to hold against.
type target struct {
	tool   *Tool
	schema *schema.Schema
}

// newSurface compiles the tools. Errors are of KindSchema or KindInvalid and name the tool and the place.
func newSurface(tools []Tool, cache *schema.Cache) (*surface, error) {
	s := &surface{tools: tools, byName: make(map[string]*target, len(tools))}
	var names []string
	for i := range tools {
		t := &tools[i]
		if t.Type == HostedTool {
			continue
		}
		path := "/tools/" + itoa(i)
		if t.Name == "" {
			return nil, errorf("tools", KindInvalid, path, "a tool has no name")
		}
		if s.byName[t.Name] != nil {
			return nil, errorf("tools", KindInvalid, path, "two tools are named %q", t.Name)
		}
		tg := &target{tool: t}
		s.byName[t.Name] = tg
		names = append(names, t.Name)
		shape := dialect.Tool{Name: t.Name, Description: t.Description, Schema: t.Schema}
		if t.Type == CustomTool {
			shape.Schema = []byte(customSchema)
			shape.Params = []dialect.Param{{Name: "input", Types: []string{"string"}, Required: true}}
			s.shapes = append(s.shapes, shape)
			continue
		}
		compiled, err := cache.Compile(t.Schema)
		if err != nil {
			return nil, schemaError(t.Name, path, err)
		}
		tg.schema = compiled
		s.note(t.Name, compiled)
		for _, p := range compiled.Params() {
			shape.Params = append(shape.Params, dialect.Param{Name: p.Name, Types: p.Types, Required: p.Required})
		}
		s.shapes = append(s.shapes, shape)
	}
	s.names = dialect.NewNames(names)
	s.digest = digest(tools)
	return s, nil
}

func digest(tools []Tool) string {
	h := fnv.New64a()
	for i := range tools {
		t := &tools[i]
		for _, part := range [][]byte{[]byte(t.Name), []byte(t.Description), t.Schema, []byte(t.Type)} {
			h.Write(part)
			h.Write([]byte{0})
		}
	}
	return hex.EncodeToString(h.Sum(nil))
}

// customSchema is how a custom tool is described where only functions can be.
const customSchema = `{"type":"object","properties":{"input":{"type":"string"}},"required":["input"],"additionalProperties":false}`

func schemaError(tool, path string, err error) *Error {
	e := errorf("tools", KindSchema, path, "the schema of tool %q does not compile", tool)
	if c, ok := errors.AsType[*schema.CompileError](err); ok {
		e.Message += " at " + orRoot(c.Path) + ": " + c.Reason
		return e
	}
	e.Err = err
	return e
}

func orRoot(pointer string) string {
	if pointer == "" {
		return "its root"
	}
	return pointer
}

func (s *surface) note(tool string, c *schema.Schema) {
	for _, u := range c.Unchecked() {
		s.notes = append(s.notes, Note{Rule: "schema.unchecked", Stage: StagePlan, Call: tool, Path: u.Path, Was: u.Keyword, Why: u.Why})
	}
	for _, r := range c.Readings() {
		s.notes = append(s.notes, Note{Rule: "schema.read_as", Stage: StagePlan, Call: tool, Path: r.Path, Was: r.Was, Now: r.Now})
	}
}

// declared finds a tool by a name as a model wrote it.
func (s *surface) declared(written string) (tg *target, rule string, ok bool) {
	if tg := s.byName[written]; tg != nil {
		return tg, "", true
	}
	name, rule, ok := s.names.Resolve(written)
	return s.byName[name], rule, ok
}

// ToolBytes is an optional power of a Body: the declared tools as they stand in it, nil where there are none. Equal bytes
// are equal tools.
type ToolBytes interface{ ToolBytes() []byte }

// A surfaceCache keeps the surfaces of requests that came as bytes, by the bytes of their tools.
type surfaceCache struct {
	schemas *schema.Cache
	mu      sync.Mutex
	kept    map[string]*surface
	bytes   int
}

// surfaceCacheLimit bounds the tool bytes kept; a full cache starts anew.
const surfaceCacheLimit = 8 << 20

func newSurfaceCache(c *schema.Cache) *surfaceCache {
	return &surfaceCache{schemas: c, kept: map[string]*surface{}}
}

// of is the surface of a request.
func (c *surfaceCache) of(req *Request) (*surface, error) {
	var key []byte
	if b, ok := req.Body.(ToolBytes); ok && req.Tools == nil {
		key = b.ToolBytes()
		c.mu.Lock()
		s := c.kept[string(key)]
		c.mu.Unlock()
		if s != nil {
			return s, nil
		}
	}
	tools, err := req.Toolset()
	if err != nil {
		return nil, err
	}
	if key == nil {
		return newSurface(tools, c.schemas)
	}
	s, err := newSurface(ownedTools(tools), c.schemas)
	if err != nil {
		return nil, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.bytes += len(key); c.bytes > surfaceCacheLimit {
		clear(c.kept)
		c.bytes = len(key)
	}
	c.kept[string(key)] = s
	return s, nil
}

// ownedTools copies what aliases a request's body, which a cache must not keep alive.
func ownedTools(tools []Tool) []Tool {
	out := make([]Tool, len(tools))
	for i, t := range tools {
		t.Name, t.Description = strings.Clone(t.Name), strings.Clone(t.Description)
		t.Schema = bytes.Clone(t.Schema)
		t.Extra.JSON = bytes.Clone(t.Extra.JSON)
		out[i] = t
	}
	return out
}
