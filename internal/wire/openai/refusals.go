package openai

import (
	"cmp"
	"slices"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/feature"
	"github.com/callwright/callwright/internal/wire/internal/kit"
	"github.com/callwright/callwright/internal/wire/internal/refusal"
)

// refusals classifies error messages of providers. In this API a request turns reasoning on by its effort alone, so a
// provider that rejects the effort lacks reasoning.
var refusals = refusal.Wire{Own: map[callwright.Feature]callwright.Feature{feature.Effort: feature.Reasoning}}

// codes maps error codes and error types to a Kind and, for unsupported features, a Feature. "code" is looked up before
// the message is read, "type" after it.
var codes = map[string]refusal.Class{
	"context_length_exceeded":       {Kind: callwright.KindContextLength},
	"string_above_max_length":       {Kind: callwright.KindContextLength},
	"rate_limit_exceeded":           {Kind: callwright.KindRateLimited},
	"rate_limit_error":              {Kind: callwright.KindRateLimited},
	"too_many_requests":             {Kind: callwright.KindRateLimited},
	"insufficient_quota":            {Kind: callwright.KindBilling},
	"billing_hard_limit_reached":    {Kind: callwright.KindBilling},
	"billing_not_active":            {Kind: callwright.KindBilling},
	"tool_use_failed":               {Kind: callwright.KindRefusedCall},
	"content_filter":                {Kind: callwright.KindContentFilter},
	"content_policy_violation":      {Kind: callwright.KindContentFilter},
	"ResponsibleAIPolicyViolation":  {Kind: callwright.KindContentFilter},
	"invalid_api_key":               {Kind: callwright.KindAuth},
	"authentication_error":          {Kind: callwright.KindAuth},
	"permission_error":              {Kind: callwright.KindPermission},
	"permission_denied":             {Kind: callwright.KindPermission},
	"model_not_found":               {Kind: callwright.KindNotFound},
	"not_found_error":               {Kind: callwright.KindNotFound},
	"DeploymentNotFound":            {Kind: callwright.KindNotFound},
	"invalid_function_parameters":   {Kind: callwright.KindSchema},
	"invalid_encrypted_content":     {Kind: callwright.KindUnsupported, Feature: feature.ReasoningState},
	"array_above_max_length":        {Kind: callwright.KindUnsupported, Feature: feature.MaxTools},
	"request_too_large":             {Kind: callwright.KindTooLarge},
	"overloaded_error":              {Kind: callwright.KindOverloaded},
	"engine_overloaded":             {Kind: callwright.KindOverloaded},
	"server_error":                  {Kind: callwright.KindServer},
	"provider_unavailable":          {Kind: callwright.KindServer},
	"api_error":                     {Kind: callwright.KindServer},
	"internal_server_error":         {Kind: callwright.KindServer},
	"timeout_error":                 {Kind: callwright.KindTimeout},
	"unsupported_parameter":         {Kind: callwright.KindUnsupported, Feature: feature.Field},
	"unsupported_value":             {Kind: callwright.KindUnsupported, Feature: feature.Field},
	"unknown_parameter":             {Kind: callwright.KindUnsupported, Feature: feature.Field},
	"invalid_request_message_order": {Kind: callwright.KindInvalid},
	"invalid_function_call":         {Kind: callwright.KindInvalid},
}

// ownWords are beginnings of provider messages that some providers send as failed_generation, in place of the model's
// text.
var ownWords = []string{
	"tool use failed", "tool call validation failed", "failed to call a function", "tool choice is ", "attempted to call tool",
	"max completion tokens reached", "model generated invalid",
}

// saysItself reports whether text, the value of failed_generation, is a message of the provider and not the model's
// text.
func saysItself(text string) bool {
	low := strings.ToLower(strings.TrimSpace(text[:min(len(text), 100)]))
	return slices.ContainsFunc(ownWords, func(words string) bool { return strings.HasPrefix(low, words) })
}

// classify returns the Kind of a provider's error. It looks at the error code, then at the message, then at the error
// type kind, and falls back to the HTTP status. param is the name of the rejected request parameter, "" if unknown.
func classify(status int, code, kind, param, message string) refusal.Class {
	by := kit.KindOfStatus(status)
	v, ok := codes[code]
	if own := callwright.Kind(code); !ok && own.Status() != 0 { // the code of a Callwright gateway
		v, ok = refusal.Class{Kind: own}, true
		if c, said := refusals.Read(message); said && c.Kind == own {
			v = c
		}
	}
	if (!ok || v.Kind == callwright.KindServer) && !refusal.IsDecisive(by) {
		if c, said := refusals.Read(message); said && (!ok || c.Feature == feature.Parser) {
			v, ok = c, true
		}
	}
	if !ok {
		v, ok = codes[kind]
	}
	switch {
	case !ok:
		return refusal.Class{Kind: by}
	case v.Kind == callwright.KindServer && status >= 400 && by != callwright.KindInvalid:
		v.Kind = by
	case v.Feature == feature.MaxTools && param != "" && !strings.HasPrefix(param, "tools"):
		return refusal.Class{Kind: callwright.KindInvalid}
	case v.Feature == feature.MaxTools:
		v.Feature += refusal.NumberAfter(message, "maximum length ")
	case v.Kind == callwright.KindContextLength && strings.HasSuffix(param, ".name"):
		if c, said := refusals.Read(message); said {
			return c
		}
		return refusal.Class{Kind: callwright.KindInvalid}
	case v.Feature == feature.Field && param != "":
		return refusals.Member(param, message)
	case v.Feature == feature.Field:
		if c, said := refusals.Read(message); said {
			return c
		}
		return refusal.Class{Kind: callwright.KindInvalid}
	case v.Kind == callwright.KindSchema && v.Feature == "":
		v.Feature = cmp.Or(refusals.Tool(message), refusals.Tool(param))
	}
	return v
}
