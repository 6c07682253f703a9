package foreignfile

import (
	"cmp"
	"net/url"
	"slices"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/config/internal/cloudmodel"
	"github.com/callwright/callwright/internal/provider"
)

// An identity is the cloud credentials that requests to an endpoint use instead of an API key.
type identity struct {
	cloud   provider.Cloud // "" if the endpoint has an API key or no credentials
	members []member
}

// add adds the setting key with the value text. A reference to a variable becomes ${NAME}. It adds nothing if text is
// empty or not printable, or if text refers to the variable own, which the gateway reads by default.
func (i *identity) add(key, text, own string) {
	name, isVariable := variableOf(text)
	switch {
	case text == "", !isPrintable(text), isVariable && name == own:
	case isVariable:
		i.members = append(i.members, member{key, expanding("${" + name + "}")})
	default:
		i.members = append(i.members, member{key, textOf(text)})
	}
}

// isSame reports whether two identities have the same settings.
func (i *identity) isSame(o *identity) bool {
	return i.cloud == o.cloud && slices.Equal(i.members, o.members)
}

// writeAuth returns the setting auth of the endpoint. It returns nil if the endpoint is a built-in provider of the
// cloud and the identity has no settings, since the cloud's credentials are then the default.
func (e *endpoint) writeAuth() []member {
	ownRow := e.name == e.row.Name && e.row.Cloud == e.identity.cloud && e.row.Template != "" && e.base == ""
	if e.identity.cloud == "" || len(e.identity.members) == 0 && ownRow {
		return nil
	}
	return []member{{"auth", flow([]member{{string(e.identity.cloud), flow(e.identity.members)}})}}
}

// setCloud makes the endpoint one of the built-in provider row, with the credentials of cloud.
func (e *endpoint) setCloud(row string, cloud provider.Cloud) {
	e.row, _ = rowOf(row)
	e.wire, e.identity.cloud = wireOf(e.row.Wire), cloud
}

// An awsLogin contains another program's settings for AWS credentials.
type awsLogin struct {
	id, secret, session string // the parts of an access key, or references to variables
	bearer              string // a Bedrock API key, in place of an access key
	region              string
	profile, role       string
	endpoint            string // the address of the Bedrock runtime; "" for the address of the region
}

// awsVariables are the variables from which the gateway reads the parts of an access key.
var awsVariables = [...]string{"AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN"}

// fillBedrock fills an endpoint of Bedrock. why is the reason if the conversion is impossible.
func (d *draft) fillBedrock(e *endpoint, row string, login *awsLogin) (why string) {
	e.setCloud(row, provider.AWS)
	if login.endpoint != "" {
		var remark string
		if e.base, remark, why = address(login.endpoint, e.wire); why != "" {
			return why
		}
		if remark != "" {
			e.remark(remark)
		}
		if e.wire == callwright.WireOpenAI {
			e.base = strings.TrimSuffix(e.base, "/openai/v1") + "/openai/v1"
		}
	}
	if login.bearer != "" {
		return d.fillBedrockKey(e, login)
	}
	if why = d.takeAccessKey(e, login); why != "" {
		return why
	}
	if login.region == "" && login.profile == "" {
		e.remark("its region is read from AWS_REGION")
	}
	e.identity.add("region", login.region, "AWS_REGION")
	e.identity.add("profile", login.profile, "AWS_PROFILE")
	e.identity.add("role", login.role, "")
	return ""
}

// fillBedrockKey makes an endpoint of Bedrock use an API key instead of signed requests. Claude needs special paths,
// which only the built-in provider has in combination with a key.
func (d *draft) fillBedrockKey(e *endpoint, login *awsLogin) (why string) {
	if login.region != "" && e.base == "" {
		region := login.region
		if name, ok := variableOf(region); ok {
			region = "${" + name + "}"
		} else if strings.ContainsAny(region, "${}/:") || !isPrintable(region) {
			return whyOwnValue
		}
		e.base = strings.Replace(e.row.Template, "{region}", region, 1)
	}
	if login.region == "" && e.base == "" {
		e.remark("its region is that of AWS_REGION")
	}
	variable, literal := d.variable(login.bearer, e.row.Key)
	if e.key = variable; literal {
		e.remark(literalSecretNote("the key", variable))
	}
	e.identity = identity{}
	other := func(o *endpoint) bool { return o.row.Name == e.row.Name && !o.same(e) }
	if e.wire == callwright.WireAnthropic && slices.ContainsFunc(d.endpoints, other) {
		return "only one endpoint for Claude at Bedrock can use a Bedrock key: list the others with auth: {aws: {region: ...}}"
	}
	return ""
}

// takeAccessKey records the AWS access key of an endpoint. The gateway reads a single access key, from
// AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, so why is the reason if another endpoint has a different key.
func (d *draft) takeAccessKey(e *endpoint, login *awsLogin) (why string) {
	parts := [...]string{login.id, login.secret, login.session}
	if parts == [len(parts)]string{} {
		return ""
	}
	own := true
	for i, part := range parts {
		name, isVariable := variableOf(part)
		own = own && (part == "" || isVariable && name == awsVariables[i])
	}
	if own {
		return ""
	}
	_, named := d.variables[awsVariables[0]]
	pair := strings.Join(parts[:], "\n")
	if named || d.accessKeys != "" && d.accessKeys != pair {
		return "the environment can contain only one AWS access key: list this endpoint with auth: {aws: {profile: ...}}"
	}
	d.accessKeys = pair
	for i, part := range parts {
		if name, ok := variableOf(part); ok && name != awsVariables[i] {
			e.remark("set " + awsVariables[i] + " to the value of " + name)
		} else if part != "" && !ok {
			e.remark(literalSecretNote(strings.ToLower(awsVariables[i]), awsVariables[i]))
		}
	}
	e.remark("every AWS endpoint without a profile uses this key: set auth.aws.profile of the others")
	return ""
}

// A googleLogin contains another program's settings for Google Cloud: the credentials, the project and the location.
type googleLogin struct {
	project, location string
	credentials       any // the path of a file, or the credentials themselves
}

// fillVertex fills an endpoint of Vertex AI. place is the position in the file, for notes.
func (d *draft) fillVertex(e *endpoint, row string, login *googleLogin, place string) {
	e.setCloud(row, provider.Google)
	if login.project == "" {
		e.remark("its project is read from GOOGLE_CLOUD_PROJECT, or from the credentials file")
	}
	e.identity.add("project", login.project, "GOOGLE_CLOUD_PROJECT")
	e.identity.add("location", login.location, "GOOGLE_CLOUD_LOCATION")
	path, isText := login.credentials.(string)
	name, isVariable := variableOf(strings.TrimSpace(path))
	switch {
	case login.credentials == nil:
	case !isText, strings.HasPrefix(strings.TrimSpace(path), "{"):
		d.addNote("credentials of Google Cloud", "the configuration contained them: write them to a file, and set GOOGLE_APPLICATION_CREDENTIALS to its path", place)
	case isVariable && name != googleFile && !strings.HasSuffix(name, "_FILE") && !strings.HasSuffix(name, "_PATH"):
		file := name + "_FILE" // no message contains the value of the variable
		e.remark("set " + file + " to the path of a file with the credentials in " + name)
		e.identity.add("credentials", "${"+file+"}", "")
	default:
		e.identity.add("credentials", strings.TrimSpace(path), googleFile)
	}
}

// googleFile is the variable with the path of the credentials file.
const googleFile = "GOOGLE_APPLICATION_CREDENTIALS"

// splitVertexAddress splits the address of a model at Vertex AI into the base URL of its publisher and the model, "" if
// the address names none. why is the reason if the address is invalid.
func splitVertexAddress(text string) (base, model, why string) {
	base, _, why = address(text, callwright.WireOpenAI)
	base, _, _ = strings.Cut(base, "?")
	if why == "" && !strings.Contains(base, "/publishers/") && !strings.Contains(base, "/endpoints/") {
		why = "its address lacks /publishers/NAME: list it with base_url and auth: {google: {}}"
	}
	base, model, _ = strings.Cut(base, "/models/")
	model, _, _ = strings.Cut(model, ":")
	if actual, err := url.PathUnescape(model); err == nil {
		model = actual
	}
	return strings.TrimSuffix(base, "/models"), model, why
}

// readAWS returns the AWS credentials of a deployment of LiteLLM.
func readAWS(params *object, m *cloudmodel.Model) *awsLogin {
	return &awsLogin{
		id: params.text("aws_access_key_id"), secret: params.text("aws_secret_access_key"), session: params.text("aws_session_token"),
		bearer: params.text("api_key"), region: cmp.Or(params.text("aws_region_name"), m.Region),
		profile: params.text("aws_profile_name"), role: params.text("aws_role_name"),
		endpoint: cmp.Or(params.text("aws_bedrock_runtime_endpoint"), params.text("api_base"), params.text("base_url")),
	}
}

// readBedrock fills e from a LiteLLM deployment at Bedrock, and changes model from LiteLLM's name to Bedrock's. If the
// deployment cannot be converted, why is the reason.
func (p *proxy) readBedrock(e *endpoint, model *string, params, info *object) (why string) {
	if strings.Contains(*model, "*") {
		return whyBedrock
	}
	m, why := cloudmodel.FindBedrock(*model, cmp.Or(info.text("base_model"), params.text("base_model")))
	if why != "" {
		return why
	}
	*model = m.Name
	return p.fillBedrock(e, m.Provider, readAWS(params, &m))
}

// readVertex fills e from a LiteLLM deployment at Vertex AI, and changes model from LiteLLM's name to Vertex AI's. If
// the deployment cannot be converted, why is the reason.
func (p *proxy) readVertex(e *endpoint, model *string, base string, params *object) (why string) {
	if strings.Contains(*model, "*") {
		return whyVertex
	}
	if base != "" {
		var named string
		if e.base, named, why = splitVertexAddress(base); why != "" {
			return why
		}
		*model = cmp.Or(named, *model)
	}
	m, why := cloudmodel.FindVertex(*model)
	if why != "" {
		return why
	}
	*model = m.Name
	credentials := first(params.get("vertex_credentials"), params.get("vertex_ai_credentials"))
	p.fillVertex(e, m.Provider, &googleLogin{
		project:     cmp.Or(params.text("vertex_project"), params.text("vertex_ai_project"), p.common.text("vertex_project")),
		location:    cmp.Or(params.text("vertex_location"), params.text("vertex_ai_location"), p.common.text("vertex_location")),
		credentials: credentials,
	}, params.path)
	return ""
}

// readAzureIdentity sets the Entra ID identity of a LiteLLM deployment at Azure that has no API key, if the file
// configures one.
func (p *proxy) readAzureIdentity(e *endpoint, params *object) {
	tenant, client, secret := params.text("tenant_id"), params.text("client_id"), params.text("client_secret")
	token := params.text("azure_ad_token")
	refresh, _ := p.common.get("enable_azure_ad_token_refresh").(bool)
	if e.row.Cloud != provider.Azure || params.text("api_key") != "" || tenant+client+secret+token == "" && !refresh {
		return
	}
	if token != "" {
		p.addNote("azure_ad_token", "tokens expire: auth: {azure: {}} fetches new ones for its identity", params.path)
	}
	e.identity = identity{cloud: provider.Azure}
	e.identity.add("tenant", tenant, "AZURE_TENANT_ID")
	e.identity.add("client", client, "AZURE_CLIENT_ID")
	if secret != "" {
		const own = "AZURE_CLIENT_SECRET"
		variable, literal := p.variable(secret, own)
		if literal {
			e.remark(literalSecretNote("client_secret", variable))
		}
		if variable != own {
			e.identity.members = append(e.identity.members, member{"secret", "env:" + variable})
		}
	}
	e.identity.add("scope", params.text("azure_scope"), "")
}

// locateAzureAI returns the address, the API and the built-in provider of a model of Azure AI Foundry:
// https://learn.microsoft.com/azure/ai-foundry/foundry-models/concepts/endpoints. row is empty for a server outside
// Azure.
func locateAzureAI(base, model string) (address_ string, wire callwright.WireName, row string) {
	u, err := url.Parse(base)
	isClaude, isAzure := strings.Contains(model, "claude"), err == nil && strings.HasSuffix(u.Hostname(), ".azure.com")
	switch {
	case isClaude && isAzure:
		return u.Scheme + "://" + u.Host + "/anthropic", callwright.WireAnthropic, ""
	case isClaude:
		return base, callwright.WireAnthropic, ""
	case !isAzure:
		return base, callwright.WireOpenAI, ""
	}
	if strings.HasSuffix(u.Hostname(), ".inference.ai.azure.com") || strings.HasSuffix(u.Hostname(), ".models.ai.azure.com") {
		return base, callwright.WireOpenAI, ""
	}
	return u.Scheme + "://" + u.Host + "/openai/v1", callwright.WireOpenAI, "azure"
}
