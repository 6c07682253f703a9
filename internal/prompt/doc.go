// Package prompt holds the wordings in which models without native tool calls are told of tools: texts of mode text,
// and documents of the modes json_schema and json_object. Each is a row of a table with a name, a version, the formats
// and model families that it is for, and its source. A wording depends on the tools, the options and the model alone,
// so that the prompt of a conversation keeps its beginning as it grows.
package prompt
