package gateway

import (
	"net/http"
	"reflect"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/access"
	"github.com/callwright/callwright/internal/callcheck"
	"github.com/callwright/callwright/internal/errorkind"
	"github.com/callwright/callwright/internal/health"
	"github.com/callwright/callwright/internal/ledger"
	"github.com/callwright/callwright/internal/openapi"
	"github.com/callwright/callwright/internal/outcome"
	"github.com/callwright/callwright/internal/progress"
	"github.com/callwright/callwright/internal/version"
	"github.com/callwright/callwright/reliable"
)

// OpenAPIPath is the path of the OpenAPI document of the API for operators.
const OpenAPIPath = "/callwright/openapi.json"

// BundlePath is the path of the evidence bundle of a request, an archive with its trace. The program that embeds the
// gateway serves it.
const BundlePath = "/callwright/traces/{id}/bundle"

// operations are the OpenAPI operations of the gateway, except the APIs of providers. A test compares them with the
// routes.
var operations = []openapi.Operation{
	{Method: http.MethodGet, Path: "/healthz", ID: "getHealth", Tag: "Gateway", Open: true, Says: "Whether the process runs.",
		Answers: []openapi.Answer{{Status: 200, Says: "It runs.", Text: "text/plain"}}},
	{Method: http.MethodGet, Path: "/readyz", ID: "getReadiness", Tag: "Gateway", Open: true,
		Says: "Whether the gateway accepts new requests, with the current problems.",
		Answers: []openapi.Answer{{Status: 200, Says: "It accepts requests.", Type: reflect.TypeFor[readiness]()},
			{Status: 503, Says: "It does not, for these reasons.", Type: reflect.TypeFor[readiness]()}}},
	{Method: http.MethodGet, Path: statusPath, ID: "getStatus", Tag: "Gateway", Needs: string(access.Metrics),
		Says:    "The version, the requests by outcome, and the problems.",
		Answers: []openapi.Answer{{Status: 200, Says: "The status.", Type: reflect.TypeFor[health.Status]()}}},
	{Method: http.MethodGet, Path: runningPath, ID: "listRunning", Tag: "Gateway", Needs: string(access.Metrics),
		Says: "The running requests for models, with their states.",
		Answers: []openapi.Answer{{Status: 200, Says: "The requests, the oldest first.",
			Type: reflect.TypeFor[progress.Listing]()}}},
	{Method: http.MethodGet, Path: "/callwright/version", ID: "getVersion", Tag: "Gateway",
		Says:    "The version and the build of the program.",
		Answers: []openapi.Answer{{Status: 200, Says: "The build.", Type: reflect.TypeFor[version.Build]()}}},
	{Method: http.MethodGet, Path: OpenAPIPath, ID: "getDocument", Tag: "Gateway", Says: "This document.",
		Answers: []openapi.Answer{{Status: 200, Says: "The document.", Type: reflect.TypeFor[map[string]any]()}}},
	{Method: http.MethodPost, Path: "/callwright/explain", ID: "explain", Tag: "Requests", Needs: string(access.Explain), AnyBody: true,
		Says: "The requests to providers that a request of any API would cause. Nothing is sent.",
		Params: []openapi.Param{
			{Name: "model", Says: "The model, instead of the one in the request.", Schema: openapi.Schema{Type: "string"}},
			{Name: "wire", Says: "The API of the request; detected from the request if absent.",
				Schema: openapi.Schema{Type: "string", Enum: []string{"openai", "responses", "anthropic", "gemini", "ollama"}}},
		},
		Answers: []openapi.Answer{{Status: 200, Says: "The plan.", Type: reflect.TypeFor[reliable.Explanation]()}},
		Fails:   []int{400, 404, 413, 415, 501}},
	{Method: http.MethodGet, Path: "/callwright/reports/{id}", ID: "getReport", Tag: "Requests", Needs: string(access.Reports),
		Says:    "The report of a request that was sent with the same key.",
		Params:  []openapi.Param{{Name: "id", Says: "The id from the header Callwright-Report.", Schema: openapi.Schema{Type: "string"}}},
		Answers: []openapi.Answer{{Status: 200, Says: "The report.", Type: reflect.TypeFor[shownReport]()}}, Fails: []int{404}},
	{Method: http.MethodGet, Path: BundlePath, ID: "getBundle", Tag: "Requests", Needs: string(access.UI),
		Says:    "The evidence bundle of a request of any key: an archive with its trace, without secrets.",
		Params:  []openapi.Param{{Name: "id", Says: "The id from the header Callwright-Report.", Schema: openapi.Schema{Type: "string"}}},
		Answers: []openapi.Answer{{Status: 200, Says: "The archive.", Text: "application/zip"}}, Fails: []int{400, 404}},
	{Method: http.MethodGet, Path: UsagePath, ID: "getUsage", Tag: "Keys",
		Says: "The usage and the remaining limits of the key. With by: a usage table by key, group, model and day, " +
			"of all keys for a key with the verb admin.",
		Params: []openapi.Param{
			{Name: "by", Says: "Columns, separated by commas: key, group, model, day.",
				Schema: openapi.Schema{Type: "string", Pattern: "^(key|group|model|day)(,(key|group|model|day)){0,3}$"}},
			{Name: "from", Says: "With by: the first day, in UTC; 29 days before the last if absent.",
				Schema: openapi.Schema{Type: "string", Format: "date"}},
			{Name: "to", Says: "With by: the last day, in UTC; today if absent.", Schema: openapi.Schema{Type: "string", Format: "date"}},
			{Name: "key", Says: "With by: only usage of this key.", Schema: openapi.Schema{Type: "string"}},
			{Name: "format", Says: "With by: JSON or CSV; the type in Accept if absent.",
				Schema: openapi.Schema{Type: "string", Enum: []string{"json", "csv"}}},
		},
		Answers: []openapi.Answer{{Status: 200, Says: "The usage.", Type: reflect.TypeFor[access.Usage](),
			Or: reflect.TypeFor[ledger.Table](), Text: "text/csv"}}, Fails: []int{400}},
	{Method: http.MethodGet, Path: "/callwright/models/{model}/facts", ID: "getFacts", Tag: "Models",
		Needs: string(access.List), Says: "The found facts about a model.",
		Params:  []openapi.Param{modelVariable},
		Answers: []openapi.Answer{{Status: 200, Says: "The facts.", Type: reflect.TypeFor[modelFacts]()}}, Fails: []int{400, 404}},
	{Method: http.MethodDelete, Path: "/callwright/models/{model}/facts", ID: "forgetFacts", Tag: "Models",
		Needs: string(access.Admin), Says: "Removes found facts about a model.",
		Params: []openapi.Param{modelVariable,
			{Name: "key", Says: "Only the fact with this key; all if absent.", Schema: openapi.Schema{Type: "string"}}},
		Answers: []openapi.Answer{{Status: 200, Says: "The remaining facts.", Type: reflect.TypeFor[modelFacts]()}}, Fails: []int{400, 404}},
}

var modelVariable = openapi.Param{Name: "model", Says: "The model, as provider/model, with its slashes escaped or not.",
	Schema: openapi.Schema{Type: "string"}}

// Operations returns the OpenAPI operations of the gateway, except the APIs of providers.
func Operations() []openapi.Operation { return operations }

// OperationTypes returns the Go types of the operations, with the allowed values of their string types.
func OperationTypes() *openapi.Types {
	t := &openapi.Types{Enums: map[reflect.Type][]string{
		reflect.TypeFor[access.Verb]():   textsOf(access.Verbs()),
		reflect.TypeFor[access.Period](): {string(access.Minute), string(access.Day), string(access.Month)},
		reflect.TypeFor[caps.Mode](): {"", string(caps.Native), string(caps.JSONSchema), string(caps.JSONObject),
			string(caps.Text), string(caps.Parsed)},
		reflect.TypeFor[callwright.Risk](): {string(callwright.RiskLossless), string(callwright.RiskImplied),
			string(callwright.RiskHeuristic)},
		reflect.TypeFor[outcome.Outcome](): textsOf([]outcome.Outcome{"", outcome.Passed, outcome.Translated,
			outcome.Healed, outcome.Failed, outcome.Answered, outcome.Unfinished}),
		reflect.TypeFor[callwright.InvalidReason](): invalidReasons,
		reflect.TypeFor[callwright.Kind]():          textsOf(errorkind.All()),
	}}
	return t
}

// invalidReasons are the reasons for which tool calls are rejected, including rejection by a call rule.
var invalidReasons = textsOf([]callwright.InvalidReason{callwright.InvalidUndeclared, callwright.InvalidTruncated,
	callwright.InvalidMalformed, callwright.InvalidArguments,
	callwright.InvalidBesideNative, callcheck.InvalidRefused})

func textsOf[T ~string](list []T) (out []string) {
	for _, one := range list {
		out = append(out, string(one))
	}
	return out
}

// ReportType returns the Go type of a report in responses to clients.
func ReportType() reflect.Type { return reflect.TypeFor[shownReport]() }
