// Package constraint creates constraints for decoders: a grammar or a structural tag under which a model can only
// generate calls of declared tools, with arguments that satisfy their schemas. Text before a call is not constrained.
//
// [GBNF] returns a grammar for llama-server (https://github.com/ggml-org/llama.cpp/blob/master/grammars/README.md).
// [StructuralTag] and [Structures] return response formats for servers that decode with XGrammar
// (https://xgrammar.mlc.ai/docs/tutorials/structural_tag.html). Their inputs are a [Form], the syntax in which a text
// format writes calls, and the tools as the model sees them.
//
// A grammar is stricter than the schemas in three respects. Numbers have a limited number of digits. An object with
// named properties permits no others unless the schema states it. An object with more than five properties has them in
// the order of the schema. Keywords that a grammar cannot express, such as uniqueItems, not or multipleOf, are omitted,
// since responses are validated anyway.
package constraint
