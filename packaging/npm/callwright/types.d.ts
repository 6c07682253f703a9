/** An error of this package: the program is not there, did not start, or refused its input. The message says what to do. */
export declare class CallwrightError extends Error {}

/** One change or finding. */
export interface Note {
  /** The stable id of the rule, such as `json.trailing_comma`. */
  rule: string;
  /** The class of the failure, such as `F13`. */
  fault?: string;
  stage?: string;
  /** Absent for a finding, which changes nothing. */
  risk?: "lossless" | "implied" | "heuristic";
  call?: string;
  path?: string;
  was?: string;
  now?: string;
  why?: string;
  /** The change was not made, only found. */
  observed?: boolean;
  /** How many equal notes this one stands for. */
  count?: number;
}

/** One request to one provider. */
export interface Attempt {
  model: string;
  mode: string;
  dialect?: string;
  why?: string;
  duration_ns: number;
  tries?: number;
  error?: string;
  kind?: string;
  /** The name of the key that was used last, of a provider with several. */
  key?: string;
  /** The host that was asked last, of a provider with several. */
  host?: string;
}

/** One way in which a call breaks its contract. */
export interface Violation {
  path: string;
  keyword: string;
  message: string;
}

/** A call that was found and not let through. */
export interface InvalidCall {
  name: string;
  id?: string;
  why?: "undeclared" | "truncated" | "malformed" | "invalid" | "beside_native" | "refused";
  raw: string;
  violations: Violation[];
}

/** What happened to one request. */
export interface Report {
  id: string;
  model: string;
  attempts: Attempt[];
  notes: Note[];
  invalid?: InvalidCall[];
  mode: string;
  untouched: boolean;
  confidence: number;
  fingerprint: string;
  outcome: "passed" | "translated" | "healed" | "failed";
  /** The class of the failure that was healed. */
  class?: string;
  cached_tokens?: number;
  cache_hits?: number;
}

/** What the header Callwright-Report of an answer says. `Gateway.report` has all of it, by the id. */
export interface ReportSummary {
  id: string;
  attempts: number;
  notes: number;
  mode: string;
  untouched: boolean;
  outcome: string;
  [member: string]: unknown;
}

/** A call that satisfies the schema of its tool. */
export interface Call {
  name: string;
  arguments: unknown;
}

/** What a text holds. */
export interface Parsed {
  id?: unknown;
  content: string;
  reasoning?: string;
  calls: Call[];
  invalid?: InvalidCall[];
  dialect?: string;
  notes?: Note[];
  /** Why the item could not be read; the other members are absent then. */
  error?: string;
}

export interface StartOptions {
  /** The path of a configuration, or its content. Without one the gateway uses the providers whose key variables are set, a local Ollama, and simulated models as `sim/NAME`. */
  config?: string | Record<string, unknown>;
  /** Added to the environment of the gateway. */
  env?: Record<string, string | undefined>;
  /** Added to the command line of `callwright serve`. */
  args?: readonly string[];
  /** How long the gateway may take until it takes requests, in milliseconds; 30,000 where nothing is said. */
  timeout?: number;
}

/** A gateway that runs in a process of its own, until stop or the end of this process. */
export declare class Gateway {
  private constructor();
  /** Its address, such as `http://127.0.0.1:43125`. */
  readonly url: string;
  /** The baseURL of OpenAI's SDK and of those that speak its API. */
  readonly openaiBaseURL: string;
  /** The baseURL of Anthropic's SDK. */
  readonly anthropicBaseURL: string;
  /** The baseUrl in the httpOptions of Google's SDK. */
  readonly geminiBaseURL: string;
  /** The host of Ollama's SDK. */
  readonly ollamaHost: string;
  readonly pid: number | undefined;
  /** The last lines that the gateway logged. */
  readonly log: string[];
  /** The report with an id. The key is one of the configuration's, where it has any. */
  report(id: string, key?: string): Promise<Report>;
  /** Ends the gateway. Requests that are running have until the timeout, in milliseconds. */
  stop(timeout?: number): Promise<void>;
}

/** Starts a gateway on a free port of this machine, and waits until it takes requests. */
export declare function start(options?: StartOptions): Promise<Gateway>;

export interface FetchOptions extends StartOptions {
  /** Is called with the summary of each answer that has one. */
  onReport?: (report: ReportSummary, gateway: Gateway) => void;
}

/** Returns a fetch that starts a gateway at the first request, and sends requests for `http://callwright.invalid` there. */
export declare function createFetch(options?: FetchOptions): typeof globalThis.fetch;

declare const fetchFromGateway: typeof globalThis.fetch;
/** A fetch as createFetch returns it without options. */
export { fetchFromGateway as fetch };

/** Settings of a client that speaks OpenAI's API and takes a fetch, such as `createOpenAICompatible` of the Vercel AI SDK. */
export interface ProviderSettings {
  name: string;
  baseURL: string;
  apiKey: string;
  fetch: typeof globalThis.fetch;
}

export declare function provider(options?: FetchOptions): ProviderSettings;

/** Members of a line of `callwright parse --batch`. */
export interface ParseItem {
  id?: unknown;
  text?: string;
  chunks?: string[];
  /** As in OpenAI's chat completions. */
  tools?: readonly unknown[];
  model?: string;
  dialect?: string;
  context?: unknown;
  native_calls?: readonly { name: string; arguments: string }[];
}

/** Reads the calls out of a text that a model printed. Fails with a CallwrightError where it cannot be read. */
export declare function parse(text: string, members?: Omit<ParseItem, "text" | "chunks">): Promise<Parsed>;

/** Reads calls out of many texts by one run of the program. The result of one that cannot be read has the member error. */
export declare function parseBatch(items: readonly ParseItem[]): Promise<Parsed[]>;

/** The path of the program: the one that the variable CALLWRIGHT_PROGRAM names, else that of the package for this platform. */
export declare function program(): string;
