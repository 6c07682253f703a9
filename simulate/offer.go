package simulate

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
)

// An offer is a tool in a request, with its JSON Schema.
type offer struct {
	name, description string
	schema            []byte
}

// offers returns the tools of a request. If the request declares none, it returns the tools that the prompt describes,
// and prompted is true: calls are then written as text.
func offers(req Seen) (tools []offer, prompted bool) {
	if len(req.Tools) == 0 {
		return describedTools(req.System + "\n" + string(req.Format)), true
	}
	said := req.descriptions()
	for _, name := range req.Tools {
		tools = append(tools, offer{name, said[name], req.Schema(name)})
	}
	return tools, false
}

// descriptions returns the descriptions of the declared tools by name.
func (s Seen) descriptions() map[string]string {
	out := map[string]string{}
	doc, err := parseNode(s.Body)
	if err != nil {
		return out
	}
	var visit func(n *node, depth int)
	visit = func(n *node, depth int) {
		if n == nil || depth > 6 {
			return
		}
		if name := n.at("name").str(); name != "" && n.is("object") {
			out[name] = n.at("description").str()
			return
		}
		for _, item := range n.items {
			visit(item, depth+1)
		}
	}
	visit(doc.at("tools"), 0)
	return out
}

// maxTries is the maximum number of positions in a prompt at which a JSON value is searched.
const maxTries = 2000

// headed matches a tool's name and description in front of its schema, as a heading or a list item.
var headed = regexp.MustCompile(`(?:### |- )([\w./-]+(?::[\w./-]+)*)(?:\n[Dd]escription: |: )?((?:[^\n]*))\s+(?:[Pp]arameters|[Aa]rguments|[Ss]chema): $`)

// describedTools finds tools in a prompt: JSON objects with a name and a schema, schemas after a heading with a name,
// and schemas of calls with a constant name.
func describedTools(prompt string) []offer {
	var out []offer
	add := func(o offer) {
		if o.name != "" && !slices.ContainsFunc(out, func(p offer) bool { return p.name == o.name }) {
			out = append(out, o)
		}
	}
	end := 0
	for at, tries := 0, 0; at < len(prompt) && tries < maxTries; {
		i := strings.IndexByte(prompt[at:], '{')
		if i < 0 {
			break
		}
		at += i
		tries++
		var raw json.RawMessage
		if json.NewDecoder(strings.NewReader(prompt[at:])).Decode(&raw) != nil {
			at++
			continue
		}
		n, _ := parseNode(raw)
		if h := headed.FindStringSubmatch(prompt[max(end, at-2000):at]); h != nil && h[1] != "" {
			add(offer{h[1], strings.TrimSpace(h[2]), raw})
		} else {
			findDefinitions(n, 0, add)
		}
		at += len(raw)
		end = at
	}
	return out
}

// findDefinitions calls add for each tool definition in a JSON value, up to a nesting depth of 10.
func findDefinitions(n *node, depth int, add func(offer)) {
	if n == nil || depth > 10 {
		return
	}
	name := n.at("name").str()
	for _, key := range []string{"parameters", "input_schema", "inputSchema", "arguments"} {
		if s := n.at(key); name != "" && s.is("object") && (s.has("type") || s.has("properties")) {
			add(offer{name, n.at("description").str(), []byte(s.raw)})
			return
		}
	}
	if fixed := n.at("properties", "name", "const").str(); fixed != "" && n.at("properties", "arguments") != nil {
		add(offer{name: fixed, schema: []byte(n.at("properties", "arguments").raw)})
		return
	}
	for _, item := range n.items {
		findDefinitions(item, depth+1, add)
	}
}
