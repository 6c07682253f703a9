// The report of a request to a gateway, as GET /callwright/reports/{id} answers. Written by go run ./internal/reporttypes: do not edit.

export interface Report {
  id: string;
  model: string;
  attempts: Attempt[];
  notes: Note[];
  invalid?: InvalidCall[];
  mode: "" | "native" | "json_schema" | "json_object" | "text" | "parsed";
  untouched: boolean;
  confidence: number;
  fingerprint: string;
  cached_tokens?: number;
  cache_hits?: number;
  outcome: "" | "passed" | "translated" | "healed" | "failed" | "answered" | "unfinished";
  class?: string;
}

export interface Attempt {
  model: string;
  mode: "" | "native" | "json_schema" | "json_object" | "text" | "parsed";
  dialect?: string;
  why?: string;
  duration_ns: number;
  tries?: number;
  error?: string;
  kind?: "invalid_request" | "invalid_schema" | "context_length" | "unsupported" | "content_filter" | "authentication" | "billing" | "permission" | "not_found" | "timeout" | "conflict" | "too_large" | "unsupported_media" | "invalid_tool_call" | "missing_tool_call" | "tool_use_failed" | "change_needed" | "rate_limited" | "canceled" | "internal" | "bad_answer" | "truncated" | "provider_error" | "unavailable" | "overloaded" | "shutting_down" | "not_implemented" | "previous_response_not_found";
  key?: string;
  host?: string;
}

export interface Note {
  rule: string;
  fault?: string;
  stage?: string;
  risk?: "lossless" | "implied" | "heuristic";
  call?: string;
  path?: string;
  was?: string;
  now?: string;
  why?: string;
  observed?: boolean;
  count?: number;
}

export interface InvalidCall {
  name: string;
  id?: string;
  why?: "undeclared" | "truncated" | "malformed" | "invalid" | "beside_native" | "refused";
  raw: string;
  violations: Violation[];
}

export interface Violation {
  path: string;
  keyword: string;
  message: string;
}
