package htmltemplate

import (
	"errors"
	"fmt"
	"strings"
)

// titles are elements whose content is text without tags. raws are elements whose content is not HTML. noscript is in
// neither, because an escaped value in it is text with and without scripts. Source:
// https://html.spec.whatwg.org/multipage/parsing.html#parsing-html-fragments
var (
	titles = map[string]bool{"title": true, "textarea": true}
	raws   = map[string]bool{"script": true, "style": true, "xmp": true, "iframe": true, "noembed": true, "noframes": true, "plaintext": true}
)

// read returns the context after a text of a template. Markup that browsers would repair is an error.
func (c context) read(text string) (context, error) {
	if c.joined && text != "" && !endsName(text[0]) {
		return c, fmt.Errorf("%q continues a name in the tag <%s>", text[:1], c.element)
	}
	for i := 0; i < len(text); {
		var err error
		step := 1
		switch c.state {
		case inText:
			step, err = c.readText(text[i:])
		case inTitle, inRaw:
			step, err = c.readUntilEnd(text[i:])
		case inTagName:
			step, err = c.readTagName(text[i:])
		case inMarkupDeclaration:
			if text[i] == '>' {
				c = context{}
			}
		case inValue:
			step = c.readValue(text[i:])
		default:
			err = c.readTag(text[i])
			if err == nil && c.state == inAttrName {
				step, err = c.readAttrName(text[i:])
			}
		}
		if err != nil {
			return c, err
		}
		i += step
	}
	c.joined = false
	switch c.state {
	case inTagName, inAttrName, inUnquoted:
		c.state, c.joined = inTag, true
	case afterName:
		c.state = inTag
	}
	return c, nil
}

func isSpace(b byte) bool { return strings.IndexByte(" \t\n\f\r", b) >= 0 }

func endsName(b byte) bool { return isSpace(b) || b == '>' || b == '/' }

func isLetter(b byte) bool { b |= 0x20; return 'a' <= b && b <= 'z' }

// readText reads up to the next tag. It returns the number of bytes read.
func (c *context) readText(text string) (int, error) {
	i := strings.IndexByte(text, '<')
	if i < 0 {
		return len(text), nil
	}
	rest := text[i+1:]
	slash := strings.HasPrefix(rest, "/")
	switch {
	case strings.HasPrefix(rest, "!") && !strings.HasPrefix(rest, "!-"):
		*c = context{state: inMarkupDeclaration}
		return i + 2, nil
	case rest != "" && isLetter(rest[0]):
		*c = context{state: inTagName}
		return i + 1, nil
	case slash && len(rest) > 1 && isLetter(rest[1]):
		*c = context{state: inTagName, element: "/"}
		return i + 2, nil
	default:
		return 0, errors.New(`expected a name, a slash and a name, or a declaration behind "<"; comments are written {{/* so */}}, and the sign &lt;`)
	}
}

func (c *context) readTagName(text string) (int, error) {
	i := 0
	for i < len(text) && !endsName(text[i]) {
		if !isLetter(text[i]) && (text[i] < '0' || text[i] > '9') && text[i] != '-' {
			return 0, fmt.Errorf("%q in the name of a tag", text[i:i+1])
		}
		i++
	}
	c.element += strings.ToLower(text[:i])
	if i < len(text) {
		c.state = inTag
	}
	return max(i, 0), nil
}

// readTag reads one byte of a tag outside names and quoted values. It sets inAttrName if a name begins at that byte.
func (c *context) readTag(b byte) error {
	switch {
	case b == '>' && c.state != beforeValue:
		*c = behindTag(c.element)
	case c.state == inUnquoted:
		if isSpace(b) {
			c.state = inTag
		} else if strings.IndexByte("\"'`<=", b) >= 0 {
			return fmt.Errorf("%q in a value without quotation marks", b)
		}
	case c.state == beforeValue:
		switch {
		case b == '"' || b == '\'':
			c.state, c.quote, c.part = inValue, b, partStart
		case isSpace(b) || strings.IndexByte(">`<=/", b) >= 0:
			return fmt.Errorf("expected a value behind \"=\" in the tag <%s>, got %q", c.element, b)
		default:
			c.state = inUnquoted
		}
	case isSpace(b):
		if c.state == inAttrName {
			c.state = afterName
		}
	case b == '=' && (c.state == afterName || c.state == inAttrName):
		c.state = beforeValue
	case b == '/':
		c.state = inTag
	case strings.IndexByte("\"'`<=", b) >= 0:
		return fmt.Errorf("%q in the tag <%s>", b, c.element)
	default:
		c.state = inAttrName
	}
	return nil
}

// readAttrName reads the name of an attribute at the start of text. It returns the number of bytes read.
func (c *context) readAttrName(text string) (int, error) {
	i := 0
	for i < len(text) && !endsName(text[i]) && text[i] != '=' {
		if strings.IndexByte("\"'`<", text[i]) >= 0 {
			return 0, fmt.Errorf("%q in the name of an attribute of <%s>", text[i], c.element)
		}
		i++
	}
	c.attr = kindOf(c.element, strings.ToLower(text[:i]))
	if i < len(text) {
		c.state = afterName
	}
	return i, nil
}

// readValue reads the text of a quoted value. It returns the number of bytes read.
func (c *context) readValue(text string) int {
	end := strings.IndexByte(text, c.quote)
	value := text
	if end >= 0 {
		value = text[:end]
	}
	switch {
	case c.attr != urlAttr && c.attr != assetAttr: // the parts only matter in URLs
	case strings.ContainsAny(value, "?#"):
		c.part = partQuery
	case c.part == partStart && strings.TrimLeft(value, " \t\n\f\r") != "":
		c.part = partPath
	}
	if end < 0 {
		return len(text)
	}
	c.state = inTag
	return end + 1
}

// behindTag returns the context after the ">" of a tag.
func behindTag(element string) context {
	switch {
	case titles[element]:
		return context{state: inTitle, element: element}
	case raws[element]:
		return context{state: inRaw, element: element}
	default:
		return context{}
	}
}

// readUntilEnd reads the text of an element that contains no tags, up to its end tag. It returns the number of bytes
// read.
func (c *context) readUntilEnd(text string) (int, error) {
	end := "</" + c.element
	lower := strings.ToLower(text)
	for i := 0; ; {
		n := strings.IndexByte(lower[i:], '<')
		if n < 0 {
			return len(text), nil
		}
		i += n
		rest := lower[i:]
		if strings.HasPrefix(end, rest) {
			return 0, fmt.Errorf("%q may begin the end of <%s>", rest, c.element)
		}
		if strings.HasPrefix(rest, end) && endsName(rest[len(end)]) {
			c.state, c.element = inTag, "/"+c.element
			return i + len(end), nil
		}
		i++
	}
}
