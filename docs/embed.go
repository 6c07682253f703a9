// Package docs has the pages of the documentation, for callwright docs.
package docs

import "embed"

// Pages are all pages, in Markdown, and their pictures.
//
//go:embed *.md *.svg decisions/*.md migrate/*.md
var Pages embed.FS
