package judge

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"hash/fnv"
	"slices"
	"strconv"
	"sync"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/dialect"
	"github.com/callwright/callwright/internal/companion"
	"github.com/callwright/callwright/internal/grammar"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/wire/definition"
	"github.com/callwright/callwright/reliable/internal/toolsearch"
	"github.com/callwright/callwright/schema"
)

// A Toolset has the declared tools, compiled for validation. It is immutable and shared by requests with equal tools.
type Toolset struct {
	Tools  []callwright.Tool
	Names  *dialect.Names
	ByName map[string]*Target
	Shapes []dialect.Tool
	Notes  []callwright.Note // schema keywords that cannot be checked
	Digest string            // hash of the tools
	// Search finds deferred tools; nil if there are none. Its search functions are in ByName and Shapes but not in Tools.
	Search *toolsearch.Search
	// Withheld has the tools that are offered to no model, by name. Of the other fields only Names has them.
	Withheld map[string]*Target
	Naming   *Naming // the names that were sent, see WithNaming
	made     *madeCache
}

// A Target is a declared tool with its compiled schema, which is nil for a custom tool.
type Target struct {
	Tool        *callwright.Tool
	schema      *schema.Schema
	grammar     *grammar.Grammar // grammar of a custom tool's input, nil if unchecked
	model, code bool             // callers of the tool: the model itself, code that the provider runs
}

// Admits reports whether the tool may be called by the caller of a call with the members x. The caller is the model
// unless x names another one.
func (t *Target) Admits(x callwright.Extra) bool {
	if t.model && t.code {
		return true
	}
	caller, _ := jsonx.Lookup(x.JSON, "caller", "type")
	if kind := jsonx.TextOf(caller); kind != "" && kind != "direct" {
		return t.code
	}
	return t.model
}

// Declares reports whether the tool has the parameter.
func (t *Target) Declares(param string) bool {
	return t.schema != nil && slices.ContainsFunc(t.schema.Params(), func(p schema.Param) bool { return p.Name == param })
}

// AreArguments reports whether doc is an object with only declared members, and the tool has required parameters.
func (t *Target) AreArguments(doc []byte) bool {
	if t.schema == nil || !jsonx.ValidObject(doc) || !slices.ContainsFunc(t.schema.Params(), func(p schema.Param) bool { return p.Required }) {
		return false
	}
	for k := range jsonx.Members(doc) {
		if !t.Declares(k.String()) {
			return false
		}
	}
	return true
}

// TakesArguments reports whether the tool may have arguments.
func (t *Target) TakesArguments() bool { return t.schema == nil || len(t.schema.Params()) > 0 }

// NewToolset compiles the tools. Errors are of KindSchema or KindInvalid and name the tool and the position.
func NewToolset(tools []callwright.Tool, cache *schema.Cache) (*Toolset, error) {
	s := &Toolset{Tools: tools, ByName: make(map[string]*Target, len(tools)), Search: toolsearch.Of(tools), made: &madeCache{}}
	var names []string
	for i := range tools {
		if tools[i].Type == callwright.HostedTool {
			continue
		}
		if err := s.add(&tools[i], "/tools/"+strconv.Itoa(i), cache); err != nil {
			return nil, err
		}
		names = append(names, tools[i].Name)
	}
	for _, t := range s.Search.Functions() {
		if err := s.add(&t, "/tools", cache); err != nil {
			return nil, err
		}
		names = append(names, t.Name)
	}
	s.Names = dialect.NewNames(names)
	s.Digest = digest(tools)
	return s, nil
}

// add compiles one tool. path is its JSON pointer.
func (s *Toolset) add(t *callwright.Tool, path string, cache *schema.Cache) error {
	if t.Name == "" {
		return callwright.Errorf("tools", callwright.KindInvalid, path, "a tool has no name")
	}
	if s.ByName[t.Name] != nil {
		return callwright.Errorf("tools", callwright.KindInvalid, path, "two tools are named %q", t.Name)
	}
	tg := &Target{Tool: t}
	tg.model, tg.code = definition.Callers(t)
	s.ByName[t.Name] = tg
	shape := dialect.Tool{Name: t.Name}
	shape.Description, shape.Schema = AsFunction(t)
	if t.Type == callwright.CustomTool {
		shape.Params = []dialect.Param{{Name: definition.CustomParam, Types: []string{"string"}, Required: true}}
		s.Shapes = append(s.Shapes, shape)
		var unchecked []callwright.Note
		tg.grammar, unchecked = grammarOf(t)
		s.Notes = append(s.Notes, unchecked...)
		return nil
	}
	compiled, err := cache.Compile(t.Schema)
	if err != nil {
		return schemaError(t.Name, path, err)
	}
	tg.schema = compiled
	s.note(t.Name, compiled)
	for _, p := range compiled.Params() {
		shape.Params = append(shape.Params, dialect.Param{Name: p.Name, Types: p.Types, Required: p.Required})
	}
	s.Shapes = append(s.Shapes, shape)
	return nil
}

// offered is the cache key for OnlyOffered.
type offered struct{}

// OnlyOffered returns the toolset with the tools that may be offered to a model without a tool search, see
// [toolsearch.Search.OfferedTools].
func (s *Toolset) OnlyOffered() *Toolset {
	return s.LoadOrMake(offered{}, func() any {
		out := s.Only(s.Search.OfferedTools())
		out.made = &madeCache{}
		return out
	}).(*Toolset)
}

// Only returns the toolset with the given tools of s, in this order. The resolution of names stays the same.
func (s *Toolset) Only(tools []callwright.Tool) *Toolset {
	out := *s
	out.made = nil
	out.Tools, out.ByName, out.Shapes = tools, make(map[string]*Target, len(tools)), make([]dialect.Tool, 0, len(tools))
	shapes := make(map[string]int, len(s.Shapes))
	for i := range s.Shapes {
		shapes[s.Shapes[i].Name] = i
	}
	for i := range tools {
		if tg := s.ByName[tools[i].Name]; tg != nil && tools[i].Type != callwright.HostedTool {
			out.ByName[tools[i].Name] = tg
			out.Shapes = append(out.Shapes, s.Shapes[shapes[tools[i].Name]])
		}
	}
	return &out
}

func digest(tools []callwright.Tool) string {
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

// AsFunction returns the description and schema of a tool as a function. For a custom tool they have the grammar and
// one parameter for the input.
func AsFunction(t *callwright.Tool) (description string, schema json.RawMessage) {
	if t.Type == callwright.CustomTool {
		return definition.CustomDescription(t), json.RawMessage(customSchema)
	}
	return t.Description, t.Schema
}

// customSchema is the schema of the function that represents a custom tool.
const customSchema = `{"type":"object","properties":{"input":{"type":"string"}},"required":["input"],"additionalProperties":false}`

func schemaError(tool, path string, err error) *callwright.Error {
	e := callwright.Errorf("tools", callwright.KindSchema, path, "the schema of the tool %q is invalid", tool)
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

func (s *Toolset) note(tool string, c *schema.Schema) {
	for _, u := range c.UncheckedParts() {
		s.Notes = append(s.Notes, callwright.Note{Rule: "schema.unchecked", Stage: callwright.StagePlan, Call: tool,
			Path: u.Path, Was: u.Keyword, Why: u.Why})
	}
	for _, r := range c.Readings() {
		s.Notes = append(s.Notes, callwright.Note{Rule: "schema.read_as", Stage: callwright.StagePlan, Call: tool, Path: r.Path,
			Was: r.Was, Now: r.Now})
	}
}

// ResolveTool returns the tool for a name as the model wrote it. rule is the rule that resolved the name, "" for an
// exact match. tg is nil if the name is unknown, or is that of a tool that s does not have, see Only.
func (s *Toolset) ResolveTool(written string) (tg *Target, rule string, ok bool) {
	if tg := s.ByName[written]; tg != nil {
		return tg, "", true
	}
	name, rule, ok := s.Names.Resolve(written)
	if tg := s.Withheld[name]; tg != nil {
		return tg, rule, ok
	}
	return s.ByName[name], rule, ok
}

// toolBytes is a request body that provides its tools as bytes. Equal bytes of the same API are equal tools, which are
// decoded only once.
type toolBytes interface {
	ToolBytes() []byte
	TakeTools(tools []callwright.Tool)
}

// A ToolsetCache caches the toolsets of decoded requests by the bytes of their tools. It is safe for concurrent use.
type ToolsetCache struct {
	schemas *schema.Cache
	mu      sync.Mutex
	kept    map[listKey]*cachedToolset
	bytes   int            // of the keys
	last    *cachedToolset // last use: a comparison with its key is faster than a hash
}

type cachedToolset struct {
	key     listKey
	toolset *Toolset
}

// listKey identifies the tools in a request body.
type listKey struct {
	wire  callwright.WireName
	bytes string
}

// toolsetCacheLimit is the maximum size of the cached tool bytes. A full cache is cleared.
const toolsetCacheLimit = 8 << 20

// NewToolsetCache returns an empty cache that compiles schemas with c.
func NewToolsetCache(c *schema.Cache) *ToolsetCache {
	return &ToolsetCache{schemas: c, kept: map[listKey]*cachedToolset{}, last: &cachedToolset{}}
}

// Of returns the toolset of a request.
func (c *ToolsetCache) Of(req *callwright.Request) (*Toolset, error) {
	s, err := c.loadToolset(req)
	withheld := companion.Of(req).Withheld
	if err != nil || len(withheld) == 0 {
		return s, err
	}
	return s.withholding(withheld, c.schemas)
}

// loadToolset returns the toolset of the declared tools of a request.
func (c *ToolsetCache) loadToolset(req *callwright.Request) (*Toolset, error) {
	var key []byte
	body := companion.Of(req).Body
	if b, ok := body.(toolBytes); ok && req.Tools == nil {
		key = b.ToolBytes()
		if s := c.find(body.Wire(), key); s != nil {
			b.TakeTools(s.Tools)
			return s, nil
		}
	}
	tools, err := req.DeclaredTools()
	if err != nil {
		return nil, err
	}
	if key == nil {
		return NewToolset(tools, c.schemas)
	}
	s, err := NewToolset(ownedTools(tools), c.schemas)
	if err != nil {
		return nil, err
	}
	c.add(listKey{body.Wire(), string(key)}, s)
	return s, nil
}

// find returns the cached toolset of the tools in a request body, nil if there is none.
func (c *ToolsetCache) find(wire callwright.WireName, tools []byte) *Toolset {
	c.mu.Lock()
	defer c.mu.Unlock()
	if k := &c.last.key; k.wire == wire && k.bytes == string(tools) {
		return c.last.toolset
	}
	k := c.kept[listKey{wire, string(tools)}]
	if k == nil {
		return nil
	}
	c.last = k
	return k.toolset
}

// add caches a toolset.
func (c *ToolsetCache) add(key listKey, s *Toolset) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.bytes += len(key.bytes); c.bytes > toolsetCacheLimit {
		clear(c.kept)
		c.bytes = len(key.bytes)
	}
	c.last = &cachedToolset{key, s}
	c.kept[key] = c.last
}

// ownedTools copies tools whose strings refer to a request body, which a cache must not keep in memory.
func ownedTools(tools []callwright.Tool) []callwright.Tool {
	out := make([]callwright.Tool, len(tools))
	for i := range tools {
		out[i] = tools[i].Clone()
	}
	return out
}
