package foreignkey

import "strings"

// A reason explains why a key of another program has no counterpart. keys is the key, or a prefix of keys with an
// asterisk at the end.
type reason struct{ keys, program, why string }

// These reasons apply to several keys.
const (
	whyShared    = "gateways share their state over NATS: set state.nats"
	whyDatabase  = "callwright stores its state in a folder or on NATS, not in a database"
	whyOneByOne  = "answers are not cached; cache sets the use of prompt caches of providers"
	whyByTag     = "requests are not routed by tags: request a model by its name"
	whyBatch     = "batches, files and fine-tuning are not supported: use the provider directly"
	whyAlert     = "alerts sends events to a webhook"
	whyTeam      = "limits belong to keys and groups; callwright keys new creates keys"
	whyCheck     = "the contents of requests are not checked; call_rules refuses tool calls"
	whyPrice     = "set prices in prices_file"
	whyEveryone  = "with keys, every client needs one"
	whySimulated = "the provider sim simulates failures"
)

// reasons are searched in order. The keys of LiteLLM are those of https://docs.litellm.ai/docs/proxy/config_settings
// and of published files. The keys of claude-code-router and Bifrost are those of published files.
var reasons = []reason{
	{"rpm", LiteLLM, "after a 429, a provider is skipped for the stated time; limits belong to keys: requests_per_minute"},
	{"tpm", LiteLLM, "after a 429, a provider is skipped for the stated time; limits belong to keys: tokens_per_minute"},
	{"stream_timeout", LiteLLM, "timeouts.first_byte also applies to streams: set it under providers.NAME"},
	{"region_name", LiteLLM, "requests are not routed by region: list an endpoint for each region"},
	{"weight", LiteLLM, "a group uses its best member; only keys and hosts of one provider have a weight"},
	{"order", LiteLLM, "prefer: order tries the members of a group in the order of any"},
	{"tags", LiteLLM, whyByTag},
	{"enable_tag_filtering", LiteLLM, whyByTag},
	{"mock_*", LiteLLM, whySimulated},
	{"input_cost_*", LiteLLM, whyPrice},
	{"output_cost_*", LiteLLM, whyPrice},
	{"guardrailConfig", LiteLLM, whyCheck},
	{"guardrails", LiteLLM, whyCheck},
	{"s3_*", LiteLLM, whyBatch},
	{"aws_batch_*", LiteLLM, whyBatch},
	{"finetune_settings", LiteLLM, whyBatch},
	{"files_settings", LiteLLM, whyBatch},
	{"aws_session_name", LiteLLM, "callwright names the sessions of a role itself"},
	{"aws_external_id", LiteLLM, "set external_id in a profile of the AWS files, and its name in auth.aws.profile"},
	{"aws_web_identity_token", LiteLLM, "set AWS_WEB_IDENTITY_TOKEN_FILE to the file with the token"},
	{"aws_sts_endpoint", LiteLLM, "set AWS_ENDPOINT_URL_STS to the address"},
	{"azure_username", LiteLLM, "auth.azure authenticates a client by a secret or a token, not a user"},
	{"azure_password", LiteLLM, "auth.azure authenticates a client by a secret or a token, not a user"},
	{"redis_*", LiteLLM, whyShared},
	{"use_redis_*", LiteLLM, whyShared},
	{"database_*", LiteLLM, whyDatabase},
	{"proxy_*", LiteLLM, whyDatabase},
	{"cache", LiteLLM, whyOneByOne},
	{"cache_params", LiteLLM, whyOneByOne},
	{"enable_pre_call_checks", LiteLLM, "a group always skips members whose context is too small for the prompt"},
	{"provider_budget_config", LiteLLM, "budgets belong to keys, not to providers"},
	{"default_team_settings", LiteLLM, whyTeam},
	{"custom_team_*", LiteLLM, whyTeam},
	{"team_metadata_*", LiteLLM, whyTeam},
	{"custom_auth", LiteLLM, "Python functions are not supported: list keys, or create them with callwright keys"},
	{"pass_through_endpoints", LiteLLM, "paths of other services are not supported; passthrough forwards requests to models"},
	{"alerting*", LiteLLM, whyAlert},
	{"alert_*", LiteLLM, whyAlert},
	{"key_management_system", LiteLLM, "use api_key with file:PATH, or with a command that reads the secret store"},
	{"key_management_settings", LiteLLM, "use api_key with file:PATH, or with a command that reads the secret store"},
	{"success_callback", LiteLLM, "telemetry sends OpenTelemetry spans"},
	{"failure_callback", LiteLLM, "telemetry sends OpenTelemetry spans"},
	{"callbacks", LiteLLM, "telemetry sends OpenTelemetry spans"},
	{"websearch_interception_params", LiteLLM, "hosted_tools runs searches that the provider of a model does not run"},
	{"search_tools", LiteLLM, "hosted_tools runs searches that the provider of a model does not run"},
	{"mcp_servers", LiteLLM, "clients declare their own tools; agent.mcp lists servers for agent runs"},
	{"include", LiteLLM, "import these files one by one"},
	{"include_cost_in_streaming_usage", LiteLLM, "the report of a request contains its cost"},

	{"server", Bifrost, "buffers and connections need no setting"},
	{"framework", Bifrost, whyPrice},
	{"plugins", Bifrost, "plugins are not supported; keys, telemetry and transforms replace some of them"},
	{"allow_direct_keys", Bifrost, "clients use keys of the gateway, not of providers"},
	{"enforce_auth_on_inference", Bifrost, whyEveryone},
	{"enforce_governance_header", Bifrost, whyEveryone},
	{"enable_litellm_fallbacks", Bifrost, "the fallbacks of an alias are tried in their order"},
	{"enable_local_cache", Bifrost, whyOneByOne},
	{"local_cache", Bifrost, whyOneByOne},
	{"routing_rules", Bifrost, "requests are routed only by model name: use aliases and patterns under models"},
	{"encryption_key", Bifrost, "secrets are read from variables and files, not from a database"},

	{"transformers", ClaudeCodeRouter, "JavaScript functions are not supported; transforms, dialect and mode adapt requests to a model"},
}

// FindReason returns why a key in the file of a program has no counterpart. ok is false if reasons does not contain the
// key.
func FindReason(program, key string) (why string, ok bool) {
	for _, r := range reasons {
		begin, isPattern := strings.CutSuffix(r.keys, "*")
		if r.program == program && (r.keys == key || isPattern && strings.HasPrefix(key, begin)) {
			return r.why, true
		}
	}
	return "", false
}
