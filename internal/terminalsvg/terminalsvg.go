// Package terminalsvg draws an animated SVG image of a terminal with a command and its output, line by line. The
// animation uses CSS and needs no script.
package terminalsvg

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"strings"
	"unicode/utf8"
)

// Sizes in pixels. The font is monospaced with a size of 13 pixels and a character width of about 0.602 times the size.
const (
	fontSize   = 13
	charWidth  = 7.83
	lineHeight = 18
	margin     = 16
)

// Durations in seconds: between two lines, and of the complete picture before the animation restarts.
const (
	perLine = 0.35
	rest    = 6.0
)

// Draw returns an SVG image of a command and its output. Lines without indentation are drawn as titles in another
// color. For viewers that prefer reduced motion, the image is static and complete.
func Draw(command, output string) []byte {
	lines := append([]string{"$ " + command}, strings.Split(strings.TrimRight(output, "\n"), "\n")...)
	widest := 0
	for _, l := range lines {
		widest = max(widest, utf8.RuneCountInString(l))
	}
	width, height := int(float64(widest)*charWidth)+2*margin, len(lines)*lineHeight+2*margin
	total := float64(len(lines))*perLine + rest
	var b bytes.Buffer
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d" role="img">
<title>%s</title>
<style>
rect{fill:#16181d}
text{font:%dpx ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;fill:#c9ccd3;white-space:pre}
.c{fill:#8be28b}.t{fill:#ffffff;font-weight:bold}
@media (prefers-reduced-motion:no-preference){text{animation:%.2fs steps(1,end) infinite}}
`, width, height, width, height, escape(command), fontSize, total)
	for i := range lines {
		fmt.Fprintf(&b, "@keyframes l%d{0%%{opacity:0}%.2f%%{opacity:1}}\n", i, 100*float64(i)*perLine/total)
	}
	fmt.Fprintf(&b, "</style>\n<rect width=\"%d\" height=\"%d\" rx=\"8\"/>\n", width, height)
	for i, l := range lines {
		class := ""
		switch {
		case i == 0:
			class = ` class="c"`
		case l != "" && l[0] != ' ':
			class = ` class="t"`
		}
		fmt.Fprintf(&b, "<text x=\"%d\" y=\"%d\"%s style=\"animation-name:l%d\" xml:space=\"preserve\">%s</text>\n", margin,
			margin+fontSize+i*lineHeight, class, i, escape(l))
	}
	b.WriteString("</svg>\n")
	return b.Bytes()
}

// escape escapes text for XML.
func escape(text string) string {
	var b strings.Builder
	_ = xml.EscapeText(&b, []byte(text)) // a Builder never returns an error
	return b.String()
}
