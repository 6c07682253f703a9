package htmltemplate

import (
	"fmt"
	"slices"
	"strings"
)

// A place is the syntactic position of a value in a page, which determines how it is escaped.
type place int

const (
	nowhere    place = iota
	textPlace        // between tags: values of type HTML are not escaped
	plainPlace       // in the text of title and textarea, and in quoted attribute values
	urlStart         // at the start of a URL: its scheme is checked
	urlPath          // before the query of a URL
	urlQuery         // in the query or the fragment of a URL
	assetStart       // at the start of a script or style sheet URL: scheme and host are not allowed
)

// state is the state of the markup parser.
type state int

const (
	inText      state = iota
	inTagName         // after "<" or "</"
	inTag             // between attributes
	inAttrName        // in the name of an attribute
	afterName         // after the name of an attribute and white space
	beforeValue       // after "="
	inValue           // in a quoted value
	inUnquoted        // in an unquoted value
	inMarkupDeclaration
	inTitle // in an element whose content is text without tags
	inRaw   // in an element whose content is not HTML
)

// A context is the state of the markup parser at a point of a template.
type context struct {
	state   state
	element string // in a tag: its name, prefixed with "/" for an end tag; in inTitle and inRaw: the element
	attr    attrKind
	quote   byte // the quote character in inValue
	part    urlPart
	// joined is set in inTag if an action directly follows a name: the next text must end that name.
	joined bool
}

// An attrKind is the kind of an attribute's value.
type attrKind int

const (
	refusedAttr attrKind = iota // template values are not allowed
	plainAttr
	urlAttr
	assetAttr
)

// A urlPart is the part of a URL that contains the next value.
type urlPart int

const (
	partStart urlPart = iota
	partPath
	partQuery
	partUnknown // branches end in different parts
)

// place returns the place of a value at the current point, or an error if no value is allowed there.
func (c context) place() (place, error) {
	switch c.state {
	case inText:
		return textPlace, nil
	case inTitle:
		return plainPlace, nil
	case inValue:
		switch c.attr {
		case plainAttr:
			return plainPlace, nil
		case urlAttr, assetAttr:
			switch {
			case c.part == partUnknown:
				return nowhere, fmt.Errorf("a value in a URL of <%s> behind branches that end in different parts of it", c.element)
			case c.part == partQuery:
				return urlQuery, nil
			case c.part == partPath:
				return urlPath, nil
			case c.attr == assetAttr:
				return assetStart, nil
			}
			return urlStart, nil
		}
		return nowhere, fmt.Errorf("a value in an attribute of <%s> that is in no list of attributes", c.element)
	case inRaw:
		return nowhere, fmt.Errorf("a value in <%s>", c.element)
	case beforeValue, inUnquoted:
		return nowhere, fmt.Errorf("a value of an attribute of <%s> without quotation marks", c.element)
	default:
		return nowhere, fmt.Errorf("a value in the tag <%s>", c.element)
	}
}

// join returns the context after two branches that end in a and b. It returns an error if they differ in the markup.
func join(a, b context) (context, error) {
	joined := a.joined || b.joined
	a.joined, b.joined = false, false
	if a.state == inTag {
		a.attr, b.attr, a.part, b.part, a.quote, b.quote = 0, 0, 0, 0, 0, 0
	}
	if a.part != b.part {
		a.part, b.part = partUnknown, partUnknown
	}
	if a != b {
		return a, fmt.Errorf("the branches end at different points of the markup: %s and %s", a, b)
	}
	a.joined = joined
	return a, nil
}

// String describes the context for error messages.
func (c context) String() string {
	switch c.state {
	case inText:
		return "in text"
	case inTitle, inRaw:
		return "in the text of <" + c.element + ">"
	case inValue:
		return "in a value of <" + c.element + ">"
	default:
		return "in the tag <" + c.element + ">"
	}
}

// kindOf returns the kind of an attribute. Names are in lower case.
func kindOf(element, name string) attrKind {
	switch {
	case element == "script" && name == "src", element == "link" && name == "href":
		return assetAttr
	case urlOf[name] != nil && slices.Contains(urlOf[name], element):
		return urlAttr
	case strings.HasPrefix(name, "aria-"), plain[name]:
		return plainAttr
	default:
		return refusedAttr
	}
}

// urlOf lists the attributes with a URL, with the elements for which template values are allowed.
var urlOf = map[string][]string{
	"href":   {"a"},
	"src":    {"img"},
	"action": {"form"},
	// Attributes of htmx: https://htmx.org/reference/#attributes
	"hx-get":  {"button", "div", "form", "p"},
	"hx-post": {"button", "div", "form", "p"},
}

// plain lists attributes that are plain text: no browser and no script of this module executes them or loads a URL in
// them.
var plain = map[string]bool{
	"class": true, "id": true, "title": true, "lang": true, "role": true, "tabindex": true, // of all elements
	// of forms
	"for": true, "name": true, "value": true, "placeholder": true, "min": true, "max": true, "rows": true, "cols": true, "maxlength": true,
	"alt": true, "width": true, "height": true, "datetime": true, "colspan": true, "rowspan": true, "scope": true,
	"viewbox": true, "x": true, "y": true, "d": true, "points": true, "cx": true, "cy": true, "r": true, // of SVG
	"data-copy": true, "data-label": true, "data-up": true, "data-value": true, // of scripts of this module
}
