package docsite

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"time"

	"github.com/callwright/callwright/docs"
	"github.com/spf13/cobra"
)

// repositoryFiles is the base URL of links to files outside of the documentation.
const repositoryFiles = "https://github.com/callwright/callwright/blob/main/"

// New returns the command docs. It prints to out. misuse wraps the error of an invalid command line.
func New(out io.Writer, misuse func(error) error) *cobra.Command {
	var listen, dir string
	c := &cobra.Command{
		Use:   "docs [PAGE] [--listen ADDR | --out DIR]",
		Short: "Read the documentation, without a network",
		Long: "Docs serves the documentation in this program to a browser, with a search, until it is interrupted. With --out it " +
			"writes the pages to a folder as static pages, which need no server. With the name of a page, such as configuration, it " +
			"prints that page as Markdown.",
		Example: "  callwright docs\n  callwright docs configuration\n  callwright docs --out site",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 1 {
				return printPage(out, args[0], misuse)
			}
			site, err := Build(docs.Pages, repositoryFiles)
			if err != nil {
				return err
			}
			if dir != "" {
				return site.Write(dir)
			}
			return site.serve(c.Context(), out, listen)
		},
	}
	c.Flags().StringVar(&listen, "listen", "127.0.0.1:0", "serve at this `ADDR`; port 0 means any free port")
	c.Flags().StringVar(&dir, "out", "", "write the pages to this `DIR` instead of serving them")
	c.MarkFlagsMutuallyExclusive("listen", "out")
	return c
}

// printPage prints the Markdown of a page. An unknown page is a misuse error.
func printPage(out io.Writer, name string, misuse func(error) error) error {
	text, err := fs.ReadFile(docs.Pages, name+".md")
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrInvalid) {
		return misuse(fmt.Errorf("unknown page %q: callwright docs README lists all pages", name))
	} else if err != nil {
		return err
	}
	_, err = out.Write(text)
	return err
}

// serve serves the site at an address until ctx is done, and prints its URL.
func (s *Site) serve(ctx context.Context, out io.Writer, listen string) error {
	ln, err := (&net.ListenConfig{}).Listen(ctx, "tcp", listen)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "documentation at http://%s/\n", ln.Addr())
	server := &http.Server{Handler: s, ReadHeaderTimeout: 10 * time.Second}
	stop := context.AfterFunc(ctx, func() { _ = server.Close() })
	defer stop()
	if err := server.Serve(ln); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}
