// Package htmltemplate writes HTML pages from templates in the syntax of html/template, and escapes every value by its
// place.
//
// It exists for the size of programs. text/template looks methods up by names that are known at run time. The linker
// then keeps all exported methods of all types, about a tenth of the program
// (https://pkg.go.dev/reflect#Value.MethodByName). Here a template calls the methods that its Set was given, and reads
// fields.
//
// A value may stand in three kinds of places: text between tags, and the text of title and textarea; the quoted value
// of an attribute that has no meaning beyond its text; the quoted value of an attribute that is a URL. A template with
// a value in any other place, such as a script, a style, an event handler or the name of an attribute, is refused when
// it is parsed. The names of both kinds of attributes are lists: an attribute that is in neither is refused. Values are
// escaped as html/template does it, byte for byte.
//
// Actions are those of text/template but for break and continue. Functions are and, or, not, len, index, print, printf,
// eq, ne, lt, le, gt, ge, and those of the Set. A template is called where text may stand, and has no open tag at its
// end.
package htmltemplate
