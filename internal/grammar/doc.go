// Package grammar checks free text against the grammar of a tool: a Lark grammar or a regular expression.
//
// Only regular grammars with patterns of RE2 are supported. Of Lark these are: rules and terminals that consist of
// strings, ranges and regular expressions with the flags i, m, s and u; the operators |, (), [], ?, *, +, ~n and ~n..m;
// aliases and priorities; %ignore; %import of terminals of common. A rule may refer to itself only at the beginning or
// at the end of an alternative. Templates, %declare, %override, %extend, attributes of rules, lookaround,
// back-references and word boundaries are not supported.
//
// A text satisfies a grammar if it can be divided into terminals in any way that satisfies the rules. A terminal does
// not consume greedily.
package grammar
