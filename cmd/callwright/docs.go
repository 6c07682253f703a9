package main

import (
	"github.com/callwright/callwright/cmd/callwright/internal/docsite"
	"github.com/spf13/cobra"
)

func newDocs(a *app) *cobra.Command {
	return docsite.New(a.std.out, func(err error) error { return misuseError{err} })
}
