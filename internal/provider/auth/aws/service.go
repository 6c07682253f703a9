package aws

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"html"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/callwright/callwright/internal/boundedfile"
	"github.com/callwright/callwright/internal/provider/auth"
	"github.com/callwright/callwright/internal/redact"
)

// sessionName is the name of sessions of assumed roles, which AWS logs show.
const sessionName = "callwright"

// assume assumes a role with the access key k
// (https://docs.aws.amazon.com/STS/latest/APIReference/API_AssumeRole.html). role contains the settings of a profile,
// such as role_arn.
func (c *chain) assume(ctx context.Context, k keys, role map[string]string) (found, error) {
	form := url.Values{"Action": {"AssumeRole"}, "RoleArn": {role["role_arn"]},
		"RoleSessionName": {cmp.Or(role["role_session_name"], sessionName)}}
	for name, setting := range map[string]string{"ExternalId": "external_id", "DurationSeconds": "duration_seconds"} {
		if role[setting] != "" {
			form.Set(name, role[setting])
		}
	}
	return c.sts(ctx, form, &k)
}

// byIdentity exchanges the token of a web identity for credentials
// (https://docs.aws.amazon.com/STS/latest/APIReference/API_AssumeRoleWithWebIdentity.html). role contains the settings
// of a profile. It reads the token file at every call, since the file is rewritten before the token expires.
func (c *chain) byIdentity(ctx context.Context, role map[string]string) (found, error) {
	token, err := boundedfile.Read(role["web_identity_token_file"], maxFile)
	switch {
	case err != nil:
		return found{}, auth.Missing(c.Place,
			"the token of the web identity cannot be read (%v): correct AWS_WEB_IDENTITY_TOKEN_FILE, or web_identity_token_file of the profile", err)
	case role["role_arn"] == "":
		return found{}, auth.Missing(c.Place, "AWS_ROLE_ARN, the role of the web identity, is not set: export AWS_ROLE_ARN=...")
	}
	form := url.Values{"Action": {"AssumeRoleWithWebIdentity"}, "RoleArn": {role["role_arn"]},
		"RoleSessionName": {cmp.Or(role["role_session_name"], sessionName)}, "WebIdentityToken": {strings.TrimSpace(string(token))}}
	return c.sts(ctx, form, nil)
}

// sts sends a request to the Security Token Service of the region. It signs the request with k unless k is nil.
func (c *chain) sts(ctx context.Context, form url.Values, k *keys) (found, error) {
	form.Set("Version", "2011-06-15")
	body := []byte(form.Encode())
	base := cmp.Or(c.env("AWS_ENDPOINT_URL_STS"), "https://sts."+c.region+"."+domain(c.region))
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, strings.TrimRight(base, "/")+"/", strings.NewReader(string(body)))
	if err != nil {
		return found{}, auth.Missing(c.Place, "AWS_ENDPOINT_URL_STS is not a valid URL: correct it")
	}
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded; charset=utf-8")
	if k != nil {
		sign(req, body, *k, c.region, "sts", c.Now())
	}
	status, answer, err := auth.Ask(c.client, req)
	switch {
	case err != nil:
		return found{}, auth.Unavailable(c.Place, "the token service of AWS returned no credentials: %v", err)
	case auth.IsTransient(status):
		return found{}, auth.Unavailable(c.Place, "the token service of AWS returned no credentials (status %d)", status)
	case status/100 != 2:
		text := redact.Of(form.Get("WebIdentityToken")).Text(element(answer, "Code") + ": " + element(answer, "Message"))
		return found{}, auth.Missing(c.Place, "the token service of AWS returned no credentials (status %d): %s", status, auth.ShortenText(text))
	}
	end, err := time.Parse(time.RFC3339, element(answer, "Expiration"))
	got := keys{element(answer, "AccessKeyId"), element(answer, "SecretAccessKey"), element(answer, "SessionToken")}
	if err != nil || got.id == "" || got.secret == "" {
		return found{}, auth.Unavailable(c.Place, "the token service of AWS returned an invalid answer")
	}
	return found{Value: got, End: end}, nil
}

// element returns the text of the first XML element with that name, or "" if there is none. The element must not
// contain other elements.
func element(xml []byte, name string) string {
	_, rest, _ := strings.Cut(string(xml), "<"+name+">")
	text, _, ok := strings.Cut(rest, "</"+name+">")
	if !ok {
		return ""
	}
	return html.UnescapeString(text)
}

// hostsOfContainers are the hosts besides loopback from which container credentials may be requested without TLS
// (https://docs.aws.amazon.com/sdkref/latest/guide/feature-container-credentials.html).
var hostsOfContainers = []string{"169.254.170.2", "169.254.170.23", "fd00:ec2::23"}

// ofContainer requests credentials from the container's credentials endpoint.
func (c *chain) ofContainer(ctx context.Context) (found, error) {
	address := c.env("AWS_CONTAINER_CREDENTIALS_FULL_URI")
	if path := c.env("AWS_CONTAINER_CREDENTIALS_RELATIVE_URI"); path != "" {
		address = "http://" + hostsOfContainers[0] + path
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil || req.URL.Scheme != "https" && !isOwn(req.URL.Hostname()) {
		return found{}, auth.Missing(c.Place, "AWS_CONTAINER_CREDENTIALS_FULL_URI must have https, or a host of the container: correct it")
	}
	token := c.env("AWS_CONTAINER_AUTHORIZATION_TOKEN")
	if path := c.env("AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE"); path != "" {
		text, err := boundedfile.Read(path, maxFile)
		if err != nil {
			return found{}, auth.Missing(c.Place,
				"the token of the container cannot be read (%v): correct AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE", err)
		}
		token = strings.TrimSpace(string(text))
	}
	if token != "" {
		req.Header.Set("Authorization", token)
	}
	status, body, err := auth.Ask(c.local, req)
	if err != nil {
		return found{}, auth.Unavailable(c.Place, "the endpoint of the container returned no credentials: %v", err)
	}
	return c.grant(body, status, "the endpoint of the container")
}

// isOwn reports whether a host is loopback or in hostsOfContainers.
func isOwn(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback() || slices.Contains(hostsOfContainers, host)
}

// ofMachine requests credentials from version 2 of the machine's metadata service
// (https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/instancedata-data-retrieval.html).
func (c *chain) ofMachine(ctx context.Context) (found, error) {
	if strings.EqualFold(c.env("AWS_EC2_METADATA_DISABLED"), "true") {
		return found{}, c.nothing("the metadata service is switched off")
	}
	base := strings.TrimRight(cmp.Or(c.env("AWS_EC2_METADATA_SERVICE_ENDPOINT"), "http://169.254.169.254"), "/")
	ask := func(method, path, header, value string) ([]byte, error) {
		req, err := http.NewRequestWithContext(ctx, method, base+path, nil)
		if err != nil {
			return nil, errors.New("AWS_EC2_METADATA_SERVICE_ENDPOINT is not a valid URL")
		}
		req.Header.Set(header, value)
		status, body, err := auth.Ask(c.local, req)
		if err == nil && status != http.StatusOK {
			err = fmt.Errorf("status %d", status)
		}
		return body, err
	}
	session, err := ask(http.MethodPut, "/latest/api/token", "X-Aws-Ec2-Metadata-Token-Ttl-Seconds", "300")
	if err != nil {
		return found{}, c.nothing("metadata service: " + err.Error())
	}
	const roles, header = "/latest/meta-data/iam/security-credentials/", "X-Aws-Ec2-Metadata-Token"
	list, err := ask(http.MethodGet, roles, header, string(session))
	role, _, _ := strings.Cut(strings.TrimSpace(string(list)), "\n")
	if err != nil || role == "" {
		return found{}, c.nothing("the machine has no role")
	}
	body, err := ask(http.MethodGet, roles+url.PathEscape(role), header, string(session))
	if err != nil {
		return found{}, auth.Unavailable(c.Place, "the metadata service returned no credentials: %v", err)
	}
	return c.grant(body, http.StatusOK, "the metadata service")
}

// nothing returns the error if no source has credentials.
func (c *chain) nothing(why string) error {
	return auth.Missing(c.Place, "no AWS credentials were found (%s): run `aws configure` or `aws sso login`, or export AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY", why)
}
