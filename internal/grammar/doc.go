// Package grammar checks free text against the grammar of a tool: a Lark grammar or a regular expression.
//
// A grammar is checked where its language is regular and its patterns are RE2's. Of Lark that is: rules and terminals
// made of strings, ranges and regular expressions with the flags i, m, s and u; |, (), [], ?, *, +, ~n and ~n..m;
// aliases and priorities; %ignore; %import of the terminals of common. A rule may refer to itself at the beginning or
// at the end of an alternative and in no other place. Templates, %declare, %override, %extend, attributes of rules,
// lookaround, back-references and word boundaries are outside of it.
//
// A text satisfies a grammar if there is a division into terminals that does: no terminal takes more than its rule
// leaves it.
package grammar
