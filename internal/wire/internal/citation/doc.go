// Package citation converts citations, the sources that a response names for its text, between APIs.
//
//   - Read: [Walk] finds the members that name sources, [CanCarry] reports whether such a member can be converted in
//     full, and [Gatherer] collects the sources and the text they cover.
//   - Positions: a [Source] covers a range of characters in all text parts of the response together. [Place] finds the
//     text part that it belongs to.
//   - Write: [Source.AppendAnnotation] for both APIs of OpenAI, [Gatherer.AppendLocation] for Anthropic's,
//     [Gatherer.AppendGrounding] for Gemini's.
//
// A source without a URL cannot be converted. The formats of the APIs:
//
//   - https://platform.openai.com/docs/guides/tools-web-search#output-and-citations
//   - https://docs.perplexity.ai/api-reference/chat-completions-post (citations and search_results, beside the choices)
//   - https://platform.claude.com/docs/en/agents-and-tools/tool-use/web-search-tool#citations
//   - https://ai.google.dev/api/generate-content#GroundingMetadata
package citation
