package foreignkey

// The names of the programs in the table.
const (
	LiteLLM          = "LiteLLM"
	Bifrost          = "Bifrost"
	OpenRouter       = "OpenRouter"
	ClaudeCodeRouter = "claude-code-router"
)

// The paths that several rows have.
const (
	baseURL   = "providers.NAME.base_url"
	firstByte = "providers.NAME.timeouts.first_byte"
	fallbacks = "models.NAME.fallbacks"
	retries   = "models.NAME.max_retries"
)

// rows are all keys of other programs. The sources are, for LiteLLM, https://docs.litellm.ai/docs/proxy/configs and
// https://docs.litellm.ai/docs/proxy/config_settings; for Bifrost,
// https://docs.getbifrost.ai/deployment-guides/config-json/providers and .../schema-reference; for members of requests
// to OpenRouter, https://openrouter.ai/docs/guides/routing/model-fallbacks and .../provider-selection; for
// claude-code-router, the README.md and docs/configuration-schema.md of github.com/musistudio/claude-code-router.
var rows = []Row{
	{Key: "model_list", Program: LiteLLM, Path: "models", Note: "a mapping from names"},
	{Key: "model_name", Program: LiteLLM, Note: "use the name as a key under models"},
	{Key: "litellm_params", Program: LiteLLM, Note: "its keys belong to the entry itself, and keys of the endpoint to providers.NAME"},
	{Key: "model_info", Program: LiteLLM, Path: "models.NAME.caps"},
	{Key: "general_settings", Program: LiteLLM, Note: "its keys belong to the top of the file: master_key becomes keys"},
	{Key: "router_settings", Program: LiteLLM, Note: "its keys belong to the entries under models: fallbacks, max_retries"},
	{Key: "litellm_settings", Program: LiteLLM, Note: "its keys belong to the entries under models: fallbacks, max_retries, request"},
	{Key: "environment_variables", Program: LiteLLM, Note: "set the variables before callwright starts; ${NAME} and env:NAME read them"},
	{Key: "master_key", Program: LiteLLM, Path: "keys"},
	{Key: "database_url", Program: LiteLLM, Path: "state"},
	{Key: "api_base", Program: LiteLLM, Path: baseURL},
	{Key: "api_version", Program: LiteLLM,
		Note: "put it into base_url as ?api-version=VERSION; an address that ends in /openai/v1 needs none"},
	{Key: "custom_llm_provider", Program: LiteLLM, Path: "providers.NAME.wire"},
	{Key: "num_retries", Program: LiteLLM, Path: retries},
	{Key: "rpm", Program: LiteLLM, Path: "keys[].requests_per_minute"},
	{Key: "tpm", Program: LiteLLM, Path: "keys[].tokens_per_minute"},
	{Key: "rpm_limit", Program: LiteLLM, Path: "keys[].requests_per_minute"},
	{Key: "tpm_limit", Program: LiteLLM, Path: "keys[].tokens_per_minute"},
	{Key: "max_budget", Program: LiteLLM, Path: "keys[].spend.usd"},
	{Key: "budget_duration", Program: LiteLLM, Path: "keys[].spend.per"},
	{Key: "timeout", Program: LiteLLM, Path: firstByte},
	{Key: "request_timeout", Program: LiteLLM, Path: firstByte},
	{Key: "stream_timeout", Program: LiteLLM, Path: firstByte},
	{Key: "extra_body", Program: LiteLLM, Path: "models.NAME.request"},
	{Key: "context_window_fallbacks", Program: LiteLLM, Path: fallbacks},
	{Key: "content_policy_fallbacks", Program: LiteLLM, Path: fallbacks},
	{Key: "default_fallbacks", Program: LiteLLM, Path: fallbacks},
	{Key: "model_group_alias", Program: LiteLLM, Path: "models.NAME.model"},
	{Key: "drop_params", Program: LiteLLM, Note: "parameters that a model does not support are always left out, with a note"},
	{Key: "routing_strategy", Program: LiteLLM, Path: "models.NAME.prefer", Note: "it orders the members of a group, models.NAME.any"},
	{Key: "allowed_fails", Program: LiteLLM, Path: "providers.NAME.breaker.failures"},
	{Key: "cooldown_time", Program: LiteLLM, Path: "providers.NAME.breaker.pause"},
	{Key: "success_callback", Program: LiteLLM, Path: "telemetry"},
	{Key: "failure_callback", Program: LiteLLM, Path: "telemetry"},
	{Key: "callbacks", Program: LiteLLM, Path: "telemetry"},
	{Key: "set_verbose", Program: LiteLLM, Note: "use callwright serve --log-level debug"},

	{Key: "keys", Program: Bifrost, Path: "providers.NAME.api_key", Note: "a list for several keys", Below: "providers.NAME"},
	{Key: "value", Program: Bifrost, Path: "keys[].key"},
	{Key: "weight", Program: Bifrost, Note: "set it in the list of keys: api_key: [{key: env:NAME, weight: 2}]"},
	{Key: "network_config", Program: Bifrost, Note: "its keys belong to the provider: base_url, headers, timeouts, max_retries"},
	{Key: "default_request_timeout_in_seconds", Program: Bifrost, Path: firstByte},
	{Key: "stream_idle_timeout_in_seconds", Program: Bifrost, Path: "providers.NAME.timeouts.between_bytes"},
	{Key: "retry_backoff_initial", Program: Bifrost, Path: "providers.NAME.retries.backoff"},
	{Key: "retry_backoff_max", Program: Bifrost, Path: "models.NAME.max_retry_wait"},
	{Key: "extra_headers", Program: Bifrost + " and " + LiteLLM, Path: "providers.NAME.headers"},
	{Key: "custom_provider_config", Program: Bifrost, Path: "providers.NAME.wire"},
	{Key: "concurrency_and_buffer_size", Program: Bifrost, Note: "requests are not queued"},
	{Key: "governance", Program: Bifrost, Path: "keys"},
	{Key: "virtual_keys", Program: Bifrost, Path: "keys"},
	{Key: "config_store", Program: Bifrost, Path: "state"},
	{Key: "logs_store", Program: Bifrost, Path: "trace"},
	{Key: "mcp", Program: Bifrost, Path: "agent.mcp"},
	{Key: "allowed_origins", Program: Bifrost, Path: "origins"},
	{Key: "max_request_body_size_mb", Program: Bifrost, Path: "limits.body"},
	{Key: "proxy_config", Program: Bifrost, Note: "set a proxy by the variables HTTP_PROXY and HTTPS_PROXY"},
	{Key: "blacklisted_models", Program: Bifrost, Path: "keys[].models"},
	{Key: "vector_store", Program: Bifrost, Note: "answers are not cached"},
	{Key: "auth_config", Program: Bifrost, Path: "keys"},

	{Key: "models", Program: OpenRouter, Path: fallbacks, Below: "models.NAME"},
	{Key: "route", Program: OpenRouter, Path: fallbacks, Below: "models.NAME"},
	{Key: "provider", Program: OpenRouter, Path: "models.NAME.request.provider", Below: "models.NAME"},
	{Key: "order", Program: OpenRouter, Path: "models.NAME.request.provider.order", Below: "models.NAME"},
	{Key: "allow_fallbacks", Program: OpenRouter, Path: "models.NAME.request.provider.allow_fallbacks", Below: "models.NAME"},
	{Key: "reasoning", Program: OpenRouter, Path: "models.NAME.params.reasoning_effort", Below: "models.NAME"},

	{Key: "Providers", Program: ClaudeCodeRouter, Path: "providers", Note: "a mapping from names"},
	{Key: "Router", Program: ClaudeCodeRouter, Path: "models", Note: "each route is an alias, or a pattern such as \"claude-*haiku*\""},
	{Key: "api_base_url", Program: ClaudeCodeRouter, Path: baseURL, Note: "without /chat/completions"},
	{Key: "models", Program: ClaudeCodeRouter, Note: "models of a provider need no list: request NAME/MODEL", Below: "providers.NAME"},
	{Key: "name", Program: ClaudeCodeRouter, Note: "use the name as the key of the entry", Below: "providers.NAME"},
	{Key: "transformer", Program: ClaudeCodeRouter,
		Note: "callwright adapts requests to known providers and models; for others, set mode, dialect, params and transforms"},
	{Key: "background", Program: ClaudeCodeRouter, Path: "models.NAME.model", Note: "under a pattern such as \"claude-*haiku*\""},
	{Key: "think", Program: ClaudeCodeRouter, Path: "models.NAME.model", Note: "the client requests this model by its name"},
	{Key: "longContext", Program: ClaudeCodeRouter, Path: fallbacks, Note: "a fallback gets prompts that are too long"},
	{Key: "longContextThreshold", Program: ClaudeCodeRouter, Note: "a prompt that is too long for a model goes to its next fallback"},
	{Key: "APIKEY", Program: ClaudeCodeRouter, Path: "keys"},
	{Key: "HOST", Program: ClaudeCodeRouter, Path: "listen"},
	{Key: "PORT", Program: ClaudeCodeRouter, Path: "listen"},
	{Key: "API_TIMEOUT_MS", Program: ClaudeCodeRouter, Path: firstByte},
	{Key: "PROXY_URL", Program: ClaudeCodeRouter, Note: "set a proxy by the variables HTTP_PROXY and HTTPS_PROXY"},
	{Key: "LOG", Program: ClaudeCodeRouter, Note: "serve logs to standard error"},
	{Key: "LOG_LEVEL", Program: ClaudeCodeRouter, Note: "use callwright serve --log-level"},
	{Key: "CUSTOM_ROUTER_PATH", Program: ClaudeCodeRouter,
		Note: "requests are routed only by model name: use aliases and patterns under models"},

	{Key: "temperature", Path: "models.NAME.params.temperature"},
	{Key: "top_p", Path: "models.NAME.params.top_p"},
	{Key: "top_k", Path: "models.NAME.params.top_k"},
	{Key: "max_tokens", Path: "models.NAME.params.max_tokens"},
	{Key: "stop", Path: "models.NAME.params.stop"},
	{Key: "seed", Path: "models.NAME.params.seed"},
	{Key: "presence_penalty", Path: "models.NAME.params.presence_penalty"},
	{Key: "frequency_penalty", Path: "models.NAME.params.frequency_penalty"},
	{Key: "reasoning_effort", Path: "models.NAME.params.reasoning_effort"},
	{Key: "apiKey", Path: "providers.NAME.api_key"},
	{Key: "baseURL", Path: baseURL},
}
