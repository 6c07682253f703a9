package aws

import (
	"context"
	"crypto/sha1" //nolint:gosec // the name of a file of AWS's command line
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/callwright/callwright/internal/boundedfile"
	"github.com/callwright/callwright/internal/provider/auth"
)

// A chain finds credentials by the default chain of the AWS SDKs.
type chain struct {
	Config
	region        string
	client, local *http.Client
}

// A found is an access key with its time of expiry.
type found = auth.ExpiringCredential[keys]

// fetch finds credentials, and assumes the configured role. It reads files at every call, since they may have changed.
func (c *chain) fetch(ctx context.Context) (found, error) {
	got, err := c.find(ctx)
	if err != nil || c.Role == "" {
		return got, err
	}
	return c.assume(ctx, got.Value, map[string]string{"role_arn": c.Role})
}

func (c *chain) find(ctx context.Context) (found, error) {
	switch c.kind() {
	case ofProfile:
		return c.ofProfile(ctx, c.profile(), nil)
	case ofEnvironment:
		return c.ofEnvironment(), nil
	case ofIdentity:
		return c.byIdentity(ctx, map[string]string{"role_arn": c.env("AWS_ROLE_ARN"),
			"web_identity_token_file": c.env("AWS_WEB_IDENTITY_TOKEN_FILE"), "role_session_name": c.env("AWS_ROLE_SESSION_NAME")})
	case ofContainer:
		return c.ofContainer(ctx)
	}
	return c.ofMachine(ctx)
}

func (c *chain) ofEnvironment() found {
	return found{Value: keys{c.env("AWS_ACCESS_KEY_ID"), c.env("AWS_SECRET_ACCESS_KEY"), c.env("AWS_SESSION_TOKEN")}}
}

// ofProfile returns the credentials of a profile. way has the profiles that lead to it by source_profile, so that a
// cycle is detected.
func (c *chain) ofProfile(ctx context.Context, name string, way []string) (found, error) {
	p, ok := c.profiles()[name]
	if !ok {
		return found{}, auth.Missing(c.Place+".profile", "there is no profile %q: correct it, or run `aws configure --profile %s`", name, name)
	}
	source := p["source_profile"]
	switch {
	case len(way) > 8:
		return found{}, auth.Missing(c.Place+".profile",
			"the profile %q is part of a cycle: correct source_profile in the AWS files", way[0])
	case p["web_identity_token_file"] != "":
		return c.byIdentity(ctx, p)
	case p["role_arn"] != "" && source != "" && source != name:
		got, err := c.ofProfile(ctx, source, append(way, name))
		if err != nil {
			return found{}, err
		}
		return c.assume(ctx, got.Value, p)
	case p["role_arn"] != "" && source == "":
		got, err := c.ofSource(ctx, p["credential_source"])
		if err != nil {
			return found{}, err
		}
		return c.assume(ctx, got.Value, p)
	case p["aws_access_key_id"] != "":
		got := keys{p["aws_access_key_id"], p["aws_secret_access_key"], p["aws_session_token"]}
		if p["role_arn"] != "" { // the profile refers to itself
			return c.assume(ctx, got, p)
		}
		return found{Value: got}, nil
	case p["sso_account_id"] != "":
		return c.bySignOn(ctx, name, p)
	case p["credential_process"] != "":
		return c.byProcess(ctx, p["credential_process"])
	}
	return found{}, auth.Missing(c.Place+".profile", "the profile %q has no credentials: run `aws configure --profile %s`", name, name)
}

// ofSource returns the credentials that credential_source of a profile names.
func (c *chain) ofSource(ctx context.Context, name string) (found, error) {
	switch name {
	case "Environment":
		return c.ofEnvironment(), nil
	case "EcsContainer":
		return c.ofContainer(ctx)
	case "Ec2InstanceMetadata":
		return c.ofMachine(ctx)
	}
	return found{}, auth.Missing(c.Place+".profile",
		"a profile with role_arn needs source_profile, or credential_source with Environment, EcsContainer or Ec2InstanceMetadata")
}

// A given is the JSON of credentials from endpoints and programs, which have different names for the session token.
type given struct {
	ID         string `json:"AccessKeyId"`
	Secret     string `json:"SecretAccessKey"`
	Token      string `json:"Token"`
	Session    string `json:"SessionToken"` // in the output of programs
	Expiration string `json:"Expiration"`
	Code       string `json:"Code"`
}

// grant decodes the credentials from an endpoint or a program. status is the status of an endpoint's response, 0 for a
// program. who names the endpoint or program in errors.
func (c *chain) grant(body []byte, status int, who string) (found, error) {
	if auth.IsTransient(status) {
		return found{}, auth.Unavailable(c.Place, "%s returned no credentials (status %d)", who, status)
	}
	var g given
	err := json.Unmarshal(body, &g)
	switch {
	case err == nil && g.ID != "" && g.Secret != "":
	case status == 0:
		return found{}, auth.Missing(c.Place, "%s printed no credentials: have it print JSON with Version, AccessKeyId and SecretAccessKey", who)
	default:
		said := strings.TrimSpace(fmt.Sprintf("status %d %s", status, auth.ShortenText(g.Code)))
		return found{}, auth.Missing(c.Place, "%s returned no credentials (%s): give it a role that may use models", who, said)
	}
	got := found{Value: keys{g.ID, g.Secret, g.Token + g.Session}}
	if g.Expiration != "" {
		end, err := time.Parse(time.RFC3339, g.Expiration)
		if err != nil {
			return found{}, auth.Missing(c.Place,
				"%s returned an invalid Expiration: expected a time such as 2027-01-31T12:00:00Z", who)
		}
		got.End = end
	}
	return got, nil
}

// byProcess runs the program of credential_process and reads the credentials that it prints
// (https://docs.aws.amazon.com/sdkref/latest/guide/feature-process-credentials.html).
func (c *chain) byProcess(ctx context.Context, line string) (found, error) {
	shell := []string{"/bin/sh", "-c", line} // as AWS programs run it; the line is from the operator's file
	if runtime.GOOS == "windows" {
		shell = []string{"cmd.exe", "/C", line}
	}
	p := exec.CommandContext(ctx, shell[0], shell[1:]...)
	p.WaitDelay = 2 * time.Second
	out, err := p.Output()
	if err != nil {
		return found{}, auth.Missing(c.Place+".profile", "credential_process failed (%s): run it by hand, and correct it",
			auth.ShortenText(err.Error()))
	}
	return c.grant(out, 0, "credential_process")
}

// bySignOn exchanges the token of a single sign-on session, which the AWS command line stores in a file, for
// credentials (https://docs.aws.amazon.com/singlesignon/latest/PortalAPIReference/API_GetRoleCredentials.html).
func (c *chain) bySignOn(ctx context.Context, name string, p map[string]string) (found, error) {
	id, region := p["sso_start_url"], p["sso_region"]
	if session := p["sso_session"]; session != "" {
		id = session
		region = c.profiles()[sessionPrefix+session]["sso_region"]
	}
	sum := sha1.Sum([]byte(id)) //nolint:gosec // the name of a file
	path := filepath.Join(filepath.Dir(c.files()[0]), "sso", "cache", hex.EncodeToString(sum[:])+".json")
	var token struct {
		Text string    `json:"accessToken"`
		End  time.Time `json:"expiresAt"`
	}
	text, err := boundedfile.Read(path, maxFile)
	if err != nil || json.Unmarshal(text, &token) != nil || !c.Now().Before(token.End) {
		return found{}, auth.Missing(c.Place+".profile", "the sign-in of the profile %q has expired: run `aws sso login --profile %s`", name, name)
	}
	base := c.env("AWS_ENDPOINT_URL_SSO")
	if base == "" {
		base = "https://portal.sso." + region + "." + domain(region)
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet,
		base+"/federation/credentials?account_id="+escape(p["sso_account_id"], "")+"&role_name="+escape(p["sso_role_name"], ""), nil)
	if err != nil {
		return found{}, auth.Missing(c.Place+".profile", "the sso_region of the profile %q is not a region: correct it", name)
	}
	req.Header.Set("X-Amz-Sso_bearer_token", token.Text)
	status, body, err := auth.Ask(c.client, req)
	if err != nil {
		return found{}, auth.Unavailable(c.Place, "AWS single sign-on returned no credentials: %v", err)
	}
	var answer struct {
		Role struct {
			ID      string `json:"accessKeyId"`
			Secret  string `json:"secretAccessKey"`
			Session string `json:"sessionToken"`
			End     int64  `json:"expiration"` // Unix milliseconds
		} `json:"roleCredentials"`
	}
	if auth.IsTransient(status) {
		return found{}, auth.Unavailable(c.Place, "AWS single sign-on returned no credentials (status %d)", status)
	}
	if json.Unmarshal(body, &answer) != nil || answer.Role.ID == "" {
		return found{}, auth.Missing(c.Place+".profile",
			"the sign-in of the profile %q returned no credentials (status %d): run `aws sso login --profile %s`", name, status, name)
	}
	r := answer.Role
	return found{Value: keys{r.ID, r.Secret, r.Session}, End: time.UnixMilli(r.End)}, nil
}

// domain returns the domain of AWS services in a region.
func domain(region string) string {
	if strings.HasPrefix(region, "cn-") {
		return "amazonaws.com.cn"
	}
	return "amazonaws.com"
}
