package htmltemplate

import (
	"fmt"
	"slices"
	"strings"
)

// A place is where a value may stand in a page.
type place int

const (
	nowhere    place = iota
	textPlace        // between tags: markup stays markup
	plainPlace       // in the text of title and textarea, and in quoted values of attributes
	urlStart         // at the beginning of a URL: its scheme is looked at
	urlPath          // before the query of a URL
	urlQuery         // in the query or the fragment of a URL
	assetStart       // at the beginning of the URL of a script or a style sheet: it has no scheme and no host
)

// state is the state of the reader of markup.
type state int

const (
	inText      state = iota
	inTagName         // behind "<" or "</"
	inTag             // between attributes
	inAttrName        // in the name of an attribute
	afterName         // behind the name of an attribute and white space
	beforeValue       // behind "="
	inValue           // between quotation marks
	inUnquoted        // in a value without them
	inMarkupDeclaration
	inTitle // in an element whose text has no tags
	inRaw   // in an element whose text is no HTML
)

// A context is a point in markup, as far as it decides about the next values.
type context struct {
	state   state
	element string // in a tag its name, with a slash before it for an end tag; in inTitle and inRaw the element
	attr    attrKind
	quote   byte // of inValue
	part    urlPart
	// joined is set in inTag where an action stands directly behind a name: the next text must end that name.
	joined bool
}

// An attrKind is the kind of an attribute's value.
type attrKind int

const (
	refusedAttr attrKind = iota // values that are known at run time may not stand in it
	plainAttr
	urlAttr
	assetAttr
)

// A urlPart is the part of a URL in which the next value stands.
type urlPart int

const (
	partStart urlPart = iota
	partPath
	partQuery
	partUnknown // branches end in different parts
)

// place returns where a value would stand.
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

// join returns the context behind two branches that end in a and b.
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

// String describes the place of a context, for errors.
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

// kindOf returns the kind of an attribute's value. Names are in lower case.
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

// urlOf are attributes that hold a URL, with the elements on which values may stand in it.
var urlOf = map[string][]string{
	"href":   {"a"},
	"src":    {"img"},
	"action": {"form"},
	// those of htmx: https://htmx.org/reference/#attributes
	"hx-get":  {"button", "div", "form", "p"},
	"hx-post": {"button", "div", "form", "p"},
}

// plain are attributes that mean nothing beyond their text: no browser and no script of ours runs it or loads an
// address in it.
var plain = map[string]bool{
	"class": true, "id": true, "title": true, "lang": true, "role": true, "tabindex": true, // of all elements
	// of forms
	"for": true, "name": true, "value": true, "placeholder": true, "min": true, "max": true, "rows": true, "cols": true, "maxlength": true,
	"alt": true, "width": true, "height": true, "datetime": true, "colspan": true, "rowspan": true, "scope": true,
	"viewbox": true, "x": true, "y": true, "d": true, "points": true, "cx": true, "cy": true, "r": true, // of pictures
	"data-copy": true, "data-label": true, "data-up": true, "data-value": true, // of our scripts
}
