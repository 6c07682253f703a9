package telemetry

import "go.opentelemetry.io/otel/attribute"

// Attribute names of the OpenTelemetry semantic conventions for generative AI, HTTP and errors that are used here. The
// Go package of the conventions no longer contains those for generative AI. Sources:
//
//   - https://opentelemetry.io/docs/specs/semconv/gen-ai/gen-ai-spans/
//   - https://opentelemetry.io/docs/specs/semconv/registry/attributes/gen-ai/
//   - https://opentelemetry.io/docs/specs/semconv/http/http-spans/
//   - https://opentelemetry.io/docs/specs/semconv/registry/attributes/error/
const (
	keyOperation      = attribute.Key("gen_ai.operation.name")
	keyProvider       = attribute.Key("gen_ai.provider.name")
	keyRequestModel   = attribute.Key("gen_ai.request.model")
	keyRequestStream  = attribute.Key("gen_ai.request.stream")
	keyResponseModel  = attribute.Key("gen_ai.response.model")
	keyFinishReasons  = attribute.Key("gen_ai.response.finish_reasons")
	keyFirstChunk     = attribute.Key("gen_ai.response.time_to_first_chunk") // in seconds
	keyInputTokens    = attribute.Key("gen_ai.usage.input_tokens")
	keyOutputTokens   = attribute.Key("gen_ai.usage.output_tokens")
	keyCacheRead      = attribute.Key("gen_ai.usage.cache_read.input_tokens")
	keyCacheWrite     = attribute.Key("gen_ai.usage.cache_creation.input_tokens")
	keyInputMessages  = attribute.Key("gen_ai.input.messages")
	keyOutputMessages = attribute.Key("gen_ai.output.messages")

	keyMethod    = attribute.Key("http.request.method")
	keyPath      = attribute.Key("url.path")
	keyStatus    = attribute.Key("http.response.status_code")
	keyErrorType = attribute.Key("error.type")

	keyServiceName    = attribute.Key("service.name")
	keyServiceVersion = attribute.Key("service.version")

	operationChat = "chat"
)

// Attributes without a semantic convention.
const (
	keyReport    = attribute.Key("callwright.report.id")
	keyWire      = attribute.Key("callwright.client.wire")
	keyKeyName   = attribute.Key("callwright.key.name")
	keyMode      = attribute.Key("callwright.mode")
	keyUntouched = attribute.Key("callwright.untouched")
	keyOutcome   = attribute.Key("callwright.outcome")
	keyAborted   = attribute.Key("callwright.aborted")
	keyWhy       = attribute.Key("callwright.attempt.why")
	keyTries     = attribute.Key("callwright.attempt.tries")
	keyDialect   = attribute.Key("callwright.attempt.dialect")

	noteEvent   = "callwright.note"
	keyRule     = attribute.Key("callwright.note.rule")
	keyFault    = attribute.Key("callwright.note.fault")
	keyRisk     = attribute.Key("callwright.note.risk")
	keyStage    = attribute.Key("callwright.note.stage")
	keyObserved = attribute.Key("callwright.note.observed")
	keyCount    = attribute.Key("callwright.note.count")
	keyCall     = attribute.Key("callwright.note.call")
	keyNotePath = attribute.Key("callwright.note.path")
	keyWas      = attribute.Key("callwright.note.was")
	keyNow      = attribute.Key("callwright.note.now")
	keyNoteWhy  = attribute.Key("callwright.note.why")
)
