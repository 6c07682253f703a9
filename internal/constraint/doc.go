// Package constraint writes constraints for decoders: a grammar or a structural tag under which a model can write no
// call but one of a declared tool, with arguments that satisfy its schema. Text before a call stays free.
//
// [GBNF] is a grammar for llama-server (https://github.com/ggml-org/llama.cpp/blob/master/grammars/README.md).
// [StructuralTag] and [Structures] are forms of the answer for servers that decode with XGrammar
// (https://xgrammar.mlc.ai/docs/tutorials/structural_tag.html). All of them are made of a [Form], the way in which a
// textual format writes calls, and of the tools as the model was shown them.
//
// A grammar is stricter than the schemas in three places: numbers have a limited number of digits, an object of named
// properties has no others unless the schema says so, and one of more than five has them in the order of the schema.
// Keywords that a grammar cannot express are left out, such as uniqueItems, not or multipleOf: an answer is validated
// in any case.
package constraint
