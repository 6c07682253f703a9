package aws

import (
	"cmp"
	"path/filepath"
	"strings"

	"github.com/callwright/callwright/internal/boundedfile"
)

// maxFile is the maximum size of a shared file in bytes.
const maxFile = 1 << 20

// sessionPrefix precedes the names of single sign-on sections in the shared files.
const sessionPrefix = "sso-session "

// files returns the paths of the shared files: config, then credentials, whose settings have precedence.
func (c *Config) files() []string {
	dir := filepath.Join(cmp.Or(c.env("HOME"), c.env("USERPROFILE")), ".aws")
	return []string{cmp.Or(c.env("AWS_CONFIG_FILE"), filepath.Join(dir, "config")),
		cmp.Or(c.env("AWS_SHARED_CREDENTIALS_FILE"), filepath.Join(dir, "credentials"))}
}

// profiles returns the profiles in the shared files by name, each with its settings, and the single sign-on sections
// with their prefix (https://docs.aws.amazon.com/sdkref/latest/guide/file-format.html). It ignores lines that are not
// settings.
func (c *Config) profiles() map[string]map[string]string {
	out := map[string]map[string]string{}
	for i, name := range c.files() {
		text, err := boundedfile.Read(name, maxFile)
		if err != nil {
			continue
		}
		addProfiles(out, string(text), i == 0)
	}
	return out
}

// addProfiles adds the sections of a shared file. prefixed is set for the file config, in which the names of profiles
// have the prefix "profile ", except default.
func addProfiles(to map[string]map[string]string, text string, prefixed bool) {
	var section map[string]string
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, " ") || strings.HasPrefix(line, "\t") {
			continue // a nested setting, such as those of s3
		}
		line = strings.TrimSpace(line)
		if head, ok := strings.CutPrefix(line, "["); ok {
			head, _, _ = strings.Cut(head, "]")
			name := strings.Join(strings.Fields(head), " ")
			rest, isProfile := strings.CutPrefix(name, "profile ")
			section = nil
			switch {
			case prefixed && isProfile:
				name = rest
			case prefixed && name != "default" && !strings.HasPrefix(name, sessionPrefix):
				continue
			}
			if to[name] == nil {
				to[name] = map[string]string{}
			}
			section = to[name]
			continue
		}
		key, value, ok := strings.Cut(line, "=")
		if section == nil || !ok || strings.HasPrefix(line, "#") || strings.HasPrefix(line, ";") {
			continue
		}
		value, _, _ = strings.Cut(strings.ReplaceAll(value, " ;", " #"), " #")
		section[strings.ToLower(strings.TrimSpace(key))] = strings.TrimSpace(value)
	}
}

// Source returns the source of the credentials for people, as far as variables and files show it. It sends no request.
func (c *Config) Source() string {
	text := map[sourceKind]string{
		ofProfile: "the profile " + c.profile(), ofEnvironment: "AWS_ACCESS_KEY_ID",
		ofIdentity:  "the web identity in " + c.env("AWS_WEB_IDENTITY_TOKEN_FILE"),
		ofContainer: "the role of the container", ofMachine: "the role of the machine",
	}[c.kind()]
	if c.Role != "" {
		text += ", by which the role " + c.Role + " is assumed"
	}
	return text
}

// A sourceKind is a type of source of credentials.
type sourceKind int

const (
	ofProfile sourceKind = iota
	ofEnvironment
	ofIdentity
	ofContainer
	ofMachine
)

// kind returns the source of the credentials in the order of the AWS SDKs. A profile in the Config has precedence over
// all.
func (c *Config) kind() sourceKind {
	switch {
	case c.Profile != "":
		return ofProfile
	case c.env("AWS_ACCESS_KEY_ID") != "" && c.env("AWS_SECRET_ACCESS_KEY") != "":
		return ofEnvironment
	case c.env("AWS_WEB_IDENTITY_TOKEN_FILE") != "":
		return ofIdentity
	case c.env("AWS_PROFILE") != "" || givesKeys(c.profiles()[c.profile()]):
		return ofProfile
	case c.env("AWS_CONTAINER_CREDENTIALS_RELATIVE_URI") != "" || c.env("AWS_CONTAINER_CREDENTIALS_FULL_URI") != "":
		return ofContainer
	}
	return ofMachine
}

// givesKeys reports whether a profile names a source of credentials.
func givesKeys(p map[string]string) bool {
	for _, name := range []string{"aws_access_key_id", "role_arn", "credential_process", "sso_account_id", "web_identity_token_file"} {
		if p[name] != "" {
			return true
		}
	}
	return false
}
