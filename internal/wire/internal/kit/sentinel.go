package kit

// SignatureSentinel stands in place of the signature of a call that was lost, on each API that leads to a Gemini model.
// https://ai.google.dev/gemini-api/docs/thought-signatures
const SignatureSentinel = "skip_thought_signature_validator"
