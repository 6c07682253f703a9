package foreignfile

import (
	"strings"

	"github.com/callwright/callwright/internal/config/internal/cloudmodel"
	"github.com/callwright/callwright/internal/provider"
)

// rowsOf returns the names of the built-in providers for models of a cloud.
func rowsOf(cloud provider.Cloud) (names []string) {
	for _, r := range provider.Rows() {
		if r.Cloud == cloud {
			names = append(names, r.Name)
		}
	}
	return names
}

// findCloudModel returns the built-in provider for a model of a cloud. why is the reason if there is none.
func findCloudModel(cloud provider.Cloud, name string) (m cloudmodel.Model, why string) {
	if cloud == provider.AWS {
		return cloudmodel.FindBedrock(name, "")
	}
	return cloudmodel.FindVertex(name)
}

// readCloudKey converts a key of Bedrock or Vertex AI into endpoints: one for each built-in provider that has a model
// of the key. It adds new model names to names.
func (b *bifrostFile) readCloudKey(name string, p *bifrostProvider, network, key *object, names *[]string) (out []offeredEndpoint) {
	all := b.readKeyModels(&endpoint{}, key, names)
	for model, actual := range all.models {
		if _, why := findCloudModel(p.cloud, actual); why != "" {
			b.addNote("model "+quoteName(model), why, key.path)
			delete(all.models, model)
		}
	}
	if all.all {
		b.addNote("models of "+quoteName(name), map[provider.Cloud]string{
			provider.AWS:    "for unlisted models of Claude, request bedrock-anthropic/MODEL, or list aliases",
			provider.Google: "for unlisted models, request vertex-anthropic/MODEL (Claude) or vertex-openai/MODEL (open models), or list aliases",
		}[p.cloud], key.path)
	}
	for _, row := range rowsOf(p.cloud) {
		s := offeredEndpoint{endpoint: &endpoint{}, models: map[string]string{}, all: all.all && row != "vertex-openai"}
		for model, actual := range all.models {
			if m, _ := findCloudModel(p.cloud, actual); m.Provider == row {
				s.models[model] = m.Name
			}
		}
		if len(s.models) == 0 && !s.all {
			continue
		}
		s.only = row
		if why := b.fillCloudEndpoint(s.endpoint, row, p.cloud, network, key); why != "" {
			b.addNote("provider "+quoteName(name), why, key.path)
			continue
		}
		b.setNetwork(s.endpoint, name, network)
		out = append(out, s)
	}
	return out
}

// fillCloudEndpoint fills e for the built-in provider row from a key of Bifrost. why is the reason if the conversion is
// impossible.
func (b *bifrostFile) fillCloudEndpoint(e *endpoint, row string, cloud provider.Cloud, network, key *object) (why string) {
	base := network.text("base_url")
	if cloud == provider.Google {
		o := key.object("vertex_key_config")
		if base != "" {
			return "list it with its base_url and auth: {google: {project: ..., location: ...}}"
		}
		b.fillVertex(e, row, &googleLogin{project: o.text("project_id"), location: o.text("region"), credentials: dropEmpty(o.get("auth_credentials"))},
			key.path)
		return ""
	}
	o := key.object("bedrock_key_config")
	if o.get("arn") != nil {
		e.remark("the ARN of the inference profile is shortened to its id")
	}
	return b.fillBedrock(e, row, &awsLogin{
		id: o.text("access_key"), secret: o.text("secret_key"), session: o.text("session_token"), bearer: key.text("value"),
		region: o.text("region"), role: o.text("role_arn"), endpoint: base,
	})
}

// dropEmpty returns nil for a string of white space, and any other value unchanged.
func dropEmpty(v any) any {
	if text, ok := v.(string); ok && strings.TrimSpace(text) == "" {
		return nil
	}
	return v
}

// has reports whether an endpoint offers a model that the file does not list. An endpoint that is limited to a built-in
// provider offers the models of that provider. Any other endpoint offers all models.
func (s *offeredEndpoint) has(name string) bool {
	if s.only == "" {
		return true
	}
	row, _ := rowOf(s.only)
	m, _ := findCloudModel(row.Cloud, name)
	return m.Provider == s.only
}
