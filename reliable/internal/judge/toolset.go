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

// A Toolset is the declared tools, compiled for the validation of calls. It is made once for equal tools and shared; it
// does not change after it was made.
type Toolset struct {
	Tools  []callwright.Tool
	Names  *dialect.Names
	ByName map[string]*Target
	Shapes []dialect.Tool
	Notes  []callwright.Note // the schema keywords that cannot be checked
	Digest string            // equal for equal tools
	// Search finds deferred tools; nil where none are. The functions by which it is asked are in ByName and Shapes, but
	// not in Tools.
	Search *toolsearch.Search
	// Withheld are the tools that are offered to no model, by name. Names has their names; the other fields do not have
	// these tools.
	Withheld map[string]*Target
	Naming   *Naming // the names as the receiver knows them, see WithNaming
	made     *madeCache
}

// A Target is one declared tool with its compiled schema, nil for a tool that takes free text.
type Target struct {
	Tool        *callwright.Tool
	schema      *schema.Schema
	grammar     *grammar.Grammar // of free text, nil where it is not checked
	model, code bool             // who may call it: the model itself, code that a provider runs
}

// Admits reports whether a call with these members may be made at all: whether its caller, which is the model unless it
// says otherwise, is one of those that the tool is for.
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

// Declares reports whether the tool has a parameter of a name.
func (t *Target) Declares(param string) bool {
	return t.schema != nil && slices.ContainsFunc(t.schema.Params(), func(p schema.Param) bool { return p.Name == param })
}

// AreArguments reports whether a document is an object with members that the tool declares and no other, and the tool
// requires some.
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

// TakesArguments reports whether a call of the tool may have any.
func (t *Target) TakesArguments() bool { return t.schema == nil || len(t.schema.Params()) > 0 }

// NewToolset compiles the tools. Errors are of KindSchema or KindInvalid and name the tool and the place.
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

// add compiles one tool.
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

// offered is the key of the products of Offered.
type offered struct{}

// OnlyOffered is the toolset with the tools that a model may ever be offered where its provider has no search: see
// [toolsearch.Search.OfferedTools].
func (s *Toolset) OnlyOffered() *Toolset {
	return s.LoadOrMake(offered{}, func() any {
		out := s.Only(s.Search.OfferedTools())
		out.made = &madeCache{}
		return out
	}).(*Toolset)
}

// Only is the toolset with these tools of it alone, in their order. The resolution of names does not depend on the
// selection.
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

// AsFunction is the description and the schema of a tool in a mode that has functions alone. Those of a custom tool
// have its grammar, and one parameter for its text.
func AsFunction(t *callwright.Tool) (description string, schema json.RawMessage) {
	if t.Type == callwright.CustomTool {
		return definition.CustomDescription(t), json.RawMessage(customSchema)
	}
	return t.Description, t.Schema
}

// customSchema is the schema of the function that stands in for a custom tool where a provider takes functions alone.
const customSchema = `{"type":"object","properties":{"input":{"type":"string"}},"required":["input"],"additionalProperties":false}`

func schemaError(tool, path string, err error) *callwright.Error {
	e := callwright.Errorf("tools", callwright.KindSchema, path, "the schema of tool %q does not compile", tool)
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

// ResolveTool finds the tool of a name as a model wrote it. rule is the id of the rule by which the name was resolved,
// "" for an exact one.
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

// toolBytes is a Body that gives its declared tools as bytes, nil where there are none. Equal bytes of one API are
// equal tools, which are decoded once.
type toolBytes interface {
	ToolBytes() []byte
	TakeTools(tools []callwright.Tool)
}

// A ToolsetCache keeps the toolsets of requests that came as bytes, by the bytes of their tools. It is safe for
// concurrent use.
type ToolsetCache struct {
	schemas *schema.Cache
	mu      sync.Mutex
	kept    map[listKey]*Toolset
	bytes   int
}

// listKey is a list of tools as it stands in a body.
type listKey struct {
	wire  callwright.WireName
	bytes string
}

// toolsetCacheLimit bounds the tool bytes kept; a full cache starts anew.
const toolsetCacheLimit = 8 << 20

// NewToolsetCache makes an empty cache that compiles schemas with c.
func NewToolsetCache(c *schema.Cache) *ToolsetCache {
	return &ToolsetCache{schemas: c, kept: map[listKey]*Toolset{}}
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

// loadToolset is the toolset of the tools that a request declares.
func (c *ToolsetCache) loadToolset(req *callwright.Request) (*Toolset, error) {
	var key []byte
	body := companion.Of(req).Body
	if b, ok := body.(toolBytes); ok && req.Tools == nil {
		key = b.ToolBytes()
		c.mu.Lock()
		s := c.kept[listKey{body.Wire(), string(key)}]
		c.mu.Unlock()
		if s != nil {
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
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.bytes += len(key); c.bytes > toolsetCacheLimit {
		clear(c.kept)
		c.bytes = len(key)
	}
	c.kept[listKey{body.Wire(), string(key)}] = s
	return s, nil
}

// ownedTools copies the texts that alias a request's body, which a cache must not keep alive.
func ownedTools(tools []callwright.Tool) []callwright.Tool {
	out := make([]callwright.Tool, len(tools))
	for i := range tools {
		out[i] = tools[i].Clone()
	}
	return out
}
