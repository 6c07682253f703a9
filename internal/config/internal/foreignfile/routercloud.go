package foreignfile

import (
	"cmp"
	"net/url"
	"slices"
	"strings"

	"github.com/callwright/callwright/internal/config/internal/cloudmodel"
)

// vertexUses are the names of transformers for Vertex AI.
var vertexUses = []string{"vertex-gemini", "vertex-claude", "vertex-openai", "vertex-ai"}

func isVertex(uses []use) bool {
	return slices.ContainsFunc(uses, func(u use) bool { return slices.Contains(vertexUses, strings.ToLower(u.name)) })
}

// explainPlugin returns the reason why a provider that needs a JavaScript plugin cannot be converted, or "" if it can.
func explainPlugin(uses []use) string {
	for _, u := range uses {
		if strings.HasSuffix(strings.ToLower(u.name), "-cli") {
			return "it needs a plugin and the login of another program"
		}
	}
	return ""
}

// A vertexProvider is a provider at Vertex AI in the file, with the settings that all resulting endpoints share.
type vertexProvider struct {
	googleLogin
	name     string
	place    string
	settings []member
}

// readVertexProvider converts a provider at Vertex AI. Its models result in several endpoints, one for each publisher.
func (r *routerFile) readVertexProvider(o *object, name, base string, uses []use) {
	side := &vertexProvider{name: name, place: o.path, googleLogin: googleLogin{credentials: r.root.get("VERTEX_AI_SERVICE_ACCOUNT_PATH")}}
	login := &side.googleLogin
	for _, u := range uses {
		login.project = cmp.Or(login.project, r.resolveText(u.options.text("projectId")))
		login.location = cmp.Or(login.location, r.resolveText(u.options.text("location")))
	}
	if u, err := url.Parse(base); err == nil {
		location, _, isRegion := strings.Cut(u.Hostname(), "-aiplatform.")
		_, project, _ := strings.Cut(u.Path, "/projects/")
		project, _, _ = strings.Cut(project, "/")
		if login.project = cmp.Or(login.project, project); isRegion {
			login.location = cmp.Or(login.location, location)
		}
	}
	transformer := o.object("transformer")
	side.settings = r.settings(nil, slices.DeleteFunc(slices.Clone(uses), func(u use) bool { return isVertex([]use{u}) }), transformer.path)
	r.vertexes[name] = side
	models := names(o.get("models"))
	if !slices.ContainsFunc(models, func(m string) bool { return m != "*" }) {
		models = []string{"gemini-"} // any Gemini model
	}
	for _, model := range models {
		if _, ok := r.findVertexTarget(side, model); !ok && model != "*" {
			r.addNote("model "+quoteName(model), "no known API of Vertex AI serves it", o.path)
		}
	}
	r.readOwnSettings(transformer, func(model string) (target, bool) { return r.findVertexTarget(side, model) })
	o.drop("api_key") // Vertex AI needs tokens
	r.leftOver(o)
}

// resolveText returns text, or, for a reference to a variable, the value that the file has under the variable's name.
func (r *routerFile) resolveText(text string) string {
	if name, ok := variableOf(text); ok {
		return cmp.Or(r.root.text(name), text)
	}
	return text
}

// findVertexTarget returns a model of a provider at Vertex AI, and adds its endpoint. It returns false if the model is
// not supported.
func (r *routerFile) findVertexTarget(side *vertexProvider, model string) (target, bool) {
	m, why := cloudmodel.FindVertex(model)
	if why != "" {
		return target{}, false
	}
	e := &endpoint{settings: side.settings}
	r.fillVertex(e, m.Provider, &side.googleLogin, "")
	e.remark("called " + quoteName(side.name) + " there")
	e = r.endpointLike(e)
	e.addPlace(side.place)
	return target{e, m.Name}, true
}
