// Package htmltemplate writes HTML pages from templates in the syntax of html/template. It escapes each value for its
// place in the markup.
//
// It reduces the size of programs. text/template looks up methods by names that are only known at run time, so that the
// linker must keep all exported methods of all types, about a tenth of the program
// (https://pkg.go.dev/reflect#Value.MethodByName). Here, templates can read fields and call only the methods passed to
// Parse.
//
// A value is allowed in three kinds of places: in text between tags, and in the text of title and textarea; in the
// quoted value of an attribute that is plain text; and in the quoted value of an attribute that is a URL. Parse rejects
// a template with a value in any other place, such as a script, a style, an event handler or the name of an attribute.
// Both kinds of attributes are listed; other attributes are rejected. Values are escaped like in html/template, byte
// for byte.
//
// All actions of text/template are supported except break and continue. The functions are and, or, not, len, index,
// print, printf, eq, ne, lt, le, gt, ge, and those passed to Parse. The template action is only allowed where text is
// allowed, and the called template must close all its tags.
package htmltemplate
