package secretscan

import (
	"bytes"
	"math"
	"regexp"
	"slices"
	"strings"

	"github.com/callwright/callwright/internal/redact"
)

// A pattern is a regular expression for one kind of secret. The secret is the last group that matched, or the whole
// match if there is no group.
type pattern struct {
	kind string
	has  []string // a match contains one of these lower-case texts; nil: no precheck
	re   *regexp.Regexp
	only func(secret string) bool // a further condition for the secret; nil for none
}

// mayMatch reports whether a text in lower case can have a match. It is faster than the regular expression.
func (p *pattern) mayMatch(low []byte) bool {
	return p.has == nil || slices.ContainsFunc(p.has, func(s string) bool { return bytes.Contains(low, []byte(s)) })
}

// credentialParts are lower-case strings. Each match of credentialWord contains at least one of them.
var credentialParts = []string{"pass", "pwd", "secret", "token", "key", "credential", "auth", "cookie", "signature"}

// credentialWord matches words in the names of variables, members and parameters that contain credentials. Names of
// token counts are excluded by the pattern counts.
const credentialWord = `(?:password|passwd|passphrase|pwd|secret|token|api[_-]?key|apikey|access[_-]?key|private[_-]?key|signing[_-]?key|client[_-]?key|credential|authorization|auth|cookie|signature)`

// patterns are the known kinds of secrets, in matching order. The key formats come from the issuers' documentation and
// from config/gitleaks.toml of https://github.com/gitleaks/gitleaks.
var patterns = []pattern{
	{"private key", []string{"private key"}, regexp.MustCompile(`-----BEGIN [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----((?s:.*?))(?:-----END|\z)`), nil},
	{"AWS access key id", []string{"a3t", "akia", "asia", "abia", "acca"}, regexp.MustCompile(`\b((?:A3T[A-Z0-9]|AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16})\b`), nil},
	{"GitHub token", []string{"ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_"}, regexp.MustCompile(`\b(gh[pousr]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{22,})`), nil},
	{"GitLab token", []string{"gl"}, regexp.MustCompile(`\b(gl[a-z]{1,6}-[A-Za-z0-9_-]{16,})`), nil},
	{"Slack token", []string{"xox", "xapp-"}, regexp.MustCompile(`\b(xox[a-z]-[A-Za-z0-9-]{10,}|xapp-[A-Za-z0-9-]{10,})`), nil},
	{"Google key", []string{"aiza", "ya29.", "gocspx-"}, regexp.MustCompile(`\b(AIza[A-Za-z0-9_-]{35}|ya29\.[A-Za-z0-9_-]{20,}|GOCSPX-[A-Za-z0-9_-]{20,})`), nil},
	{"Stripe key", []string{"_live_", "_test_", "whsec_"}, regexp.MustCompile(`\b((?:sk|rk|pk)_(?:live|test)_[A-Za-z0-9]{10,}|whsec_[A-Za-z0-9]{16,})`), nil},
	{"key of a model's provider", []string{"sk-", "gsk_", "hf_", "xai-", "pplx-", "nvapi-", "r8_", "csk-", "tvly-", "fw_", "tgp_v1_", "cw_", "cw-"}, regexp.MustCompile(`\b(sk-[A-Za-z0-9_-]{16,}|gsk_[A-Za-z0-9]{16,}|hf_[A-Za-z0-9]{16,}|xai-[A-Za-z0-9]{16,}|pplx-[A-Za-z0-9]{16,}|nvapi-[A-Za-z0-9_-]{16,}|r8_[A-Za-z0-9]{16,}|csk-[A-Za-z0-9]{16,}|tvly-[A-Za-z0-9-]{16,}|fw_[A-Za-z0-9]{16,}|tgp_v1_[A-Za-z0-9_-]{16,}|cw_[A-Za-z0-9_-]{16,}|cw-[A-Za-z0-9_-]{16,})`), nil},
	{"token of a package registry", []string{"npm_", "pypi-", "dckr_pat_"}, regexp.MustCompile(`\b(npm_[A-Za-z0-9]{20,}|pypi-[A-Za-z0-9_-]{20,}|dckr_pat_[A-Za-z0-9_-]{20,})`), nil},
	{"SendGrid key", []string{"sg."}, regexp.MustCompile(`\b(SG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,})`), nil},
	{"JSON web token", []string{"eyj"}, regexp.MustCompile(`\b(eyJ[A-Za-z0-9_-]{6,}\.[A-Za-z0-9_-]{6,}\.[A-Za-z0-9_-]*)`), nil},
	{"bearer token", []string{"bearer", "basic"}, regexp.MustCompile(`(?i)\b(?:bearer|basic)[ +]+([A-Za-z0-9._~+/=-]{8,})`), isNoWord},
	{"credentials in an address", []string{"://"}, regexp.MustCompile(`[A-Za-z][A-Za-z0-9+.-]*://([^\s/?#@"'<>\\]+)@`), nil},
	{"credential in a query", []string{"="}, regexp.MustCompile(`(?i)[?&;][A-Za-z0-9_.-]*(?:key|` + credentialWord +
		`|sig)=([^&\s"'<>#;\\]{6,})`), isNoPlaceholder},
	{"credential by its name", credentialParts, regexp.MustCompile(`(?i)\b[A-Za-z0-9_.-]*` + credentialWord +
		`(?:[_.-][A-Za-z0-9_.-]*)?["'\x60]?\s*(?:=>|:=|[:=])\s*["'\x60]?([^\s"'\x60,;<>{}\[\]()\\]{6,})`), isNoPlaceholder},
	{"credential by its name", credentialParts, regexp.MustCompile(`(?i)\b(?:password|passphrase|secret|token|api key|access key)\s+(?:is|was|=)\s+["'\x60]?([^\s"'\x60,;<>\\]{8,})`), isNoWord},
	{"credential by its name", []string{"-"}, regexp.MustCompile(`(?i)--?[A-Za-z0-9-]*(?:password|secret|token|api-?key)[ =]["']?([^\s"'\x60,;<>\\]{6,})`), isNoWord},
	{"text that looks like a secret key", nil, regexp.MustCompile(`(?:^|[^A-Za-z0-9/+=_.-])([A-Za-z0-9/+]{40})(?:$|[^A-Za-z0-9/+=_-])`), isRandom},
}

// names matches the names of JSON members that contain credentials.
var names = regexp.MustCompile(`(?i)(?:^|[_.-]|[a-z])` + credentialWord + `$`)

// counts matches the ends of names of token counts and token settings, which are no credentials.
var counts = regexp.MustCompile(`(?i)tokens$|token_(?:type|count|limit|budget)$|max_?token`)

// isCredentialName reports whether a member with this name contains a credential.
func isCredentialName(name string) bool { return names.MatchString(name) && !counts.MatchString(name) }

// isNoWord reports whether a text is not an ordinary word of a sentence.
func isNoWord(text string) bool {
	text = strings.TrimRight(text, ".,:;!?")
	return isNoPlaceholder(text) && strings.ContainsAny(text, "0123456789_~+/=.-") || mixesCases(text)
}

// mixesCases reports whether a text has upper- and lower-case letters, and not only an initial capital.
func mixesCases(text string) bool {
	return len(text) > 1 && strings.ToLower(text[1:]) != text[1:] && strings.ToUpper(text) != text
}

// placeholders matches the start of texts that stand for a secret, such as "$TOKEN" or "<key>".
var placeholders = regexp.MustCompile(`^(?i:\$|%[A-Za-z_]+%|env:|file:|os\.|process\.|<|\*{3}|x{6}|\.{3}|` +
	regexp.QuoteMeta(redact.Mark) + `|redacted|null|none|true|false|undefined|string|object|required|optional)`)

// isNoPlaceholder reports whether a text is neither a placeholder nor a single word.
func isNoPlaceholder(text string) bool {
	isWord := strings.Trim(strings.ToLower(text), "abcdefghijklmnopqrstuvwxyz_") == "" && !mixesCases(text)
	return !isWord && !placeholders.MatchString(text)
}

// minEntropy is the minimum entropy, in bits per character, of a text that counts as a random key. Names and paths have
// less.
const minEntropy = 4.0

// isRandom reports whether a text looks like a random key: it has digits, lower- and upper-case letters, and an entropy
// of at least minEntropy.
func isRandom(text string) bool {
	if !strings.ContainsAny(text, "0123456789") || strings.ToLower(text) == text || strings.ToUpper(text) == text {
		return false
	}
	seen := map[rune]int{}
	for _, r := range text {
		seen[r]++
	}
	bits := 0.0
	for _, n := range seen {
		p := float64(n) / float64(len(text))
		bits -= p * math.Log2(p)
	}
	return bits >= minEntropy
}
