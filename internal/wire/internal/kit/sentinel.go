package kit

// SignatureSentinel replaces the lost thought signature of a tool call. Gemini models accept it, whichever API the
// request uses. https://ai.google.dev/gemini-api/docs/thought-signatures
const SignatureSentinel = "skip_thought_signature_validator"
